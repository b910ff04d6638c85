// Messages over the views.
#include "app/viewer/files/notices.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

using ui::Severity;

TEST(Notices, TheSameTextIsThereOnceAndComesLast) {
    Notices notices;
    notices.add(Severity::info, "one");
    notices.add(Severity::info, "two");
    const uint64_t first = notices.all()[0].id;
    notices.add(Severity::info, "one");
    ASSERT_EQ(notices.all().size(), 2U);
    EXPECT_EQ(notices.all()[1].text, "one");
    EXPECT_GT(notices.all()[1].id, first) << "it is shown as a new one";
}

TEST(Notices, ErrorsStayWhileInformationGoes) {
    Notices notices;
    notices.add(Severity::error, "disk full");
    notices.add(Severity::warning, "slow");
    for (int k = 0; k < 10; ++k) notices.add(Severity::info, "saved " + std::to_string(k));
    ASSERT_EQ(notices.all().size(), 5U);
    EXPECT_EQ(notices.all()[0].text, "disk full");
    EXPECT_EQ(notices.all()[1].text, "slow");
    EXPECT_EQ(notices.all()[4].text, "saved 9");
    for (int k = 0; k < 30; ++k) notices.add(Severity::error, "error " + std::to_string(k));
    EXPECT_EQ(notices.all().size(), 20U);
    EXPECT_EQ(notices.all().back().text, "error 29");
    notices.add(Severity::info, "the newest");
    EXPECT_EQ(notices.all().back().text, "the newest") << "what has just happened is always told";
}

TEST(Notices, SayWhenTheyHaveChanged) {
    Notices notices;
    EXPECT_FALSE(notices.take_changed());
    notices.add(Severity::info, "one");
    EXPECT_TRUE(notices.take_changed());
    EXPECT_FALSE(notices.take_changed());
    notices.dismiss(notices.all()[0].id + 1);
    EXPECT_FALSE(notices.take_changed());
    notices.dismiss(notices.all()[0].id);
    EXPECT_TRUE(notices.take_changed());
    EXPECT_TRUE(notices.all().empty());
}

}  // namespace
}  // namespace tonescope
