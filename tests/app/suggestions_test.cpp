// Suggestions beside the window: only when nothing is more urgent, stopped by changes, and of nothing else.
#include "app/viewer/live/suggestions.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/images.h"

namespace tonescope {
namespace {

class SuggestionsTest : public testing::Test {
  protected:
    using Clock = Suggestions::Clock;

    static std::shared_ptr<const HostImage> picture(int side = 96, uint32_t seed = 1) {
        return std::make_shared<const HostImage>(noise(side, side, PixelFormat::gray8, seed));
    }
    const ParamInfo& info_of(const char* id) const { return *find_param(subject_.op->params, id); }
    bool update(bool may_start = true) { return suggestions_.update(subject_, may_start, now_); }
    /// Time passes.
    void rest() { now_ += Suggestions::kRest; }
    bool finish() {
        const auto end = Clock::now() + std::chrono::seconds(60);
        for (update(); suggestions_.busy() && Clock::now() < end; update()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            rest();
        }
        return !suggestions_.busy();
    }
    std::vector<std::string_view> params() {
        std::vector<std::string_view> ids;
        suggestions_.fill(model_);
        for (const auto& one : model_.suggestions) ids.push_back(one->param->id);
        return ids;
    }
    const ParamSuggestions* of(const char* id) {
        suggestions_.fill(model_);
        static_cast<RunSpec&>(model_).op = subject_.op;
        return ui::suggestions_of(model_, {&info_of(id), false});
    }

    ui::RunModel model_;
    Suggestions::Subject subject_{
        picture(), find_operator("clahe"), default_values(find_operator("clahe")->params), {}};
    Clock::time_point now_ = Clock::now();
    Suggestions suggestions_{[] {}};
};

TEST_F(SuggestionsTest, AreThoseOfTheParametersThatMatter) {
    ASSERT_TRUE(finish());
    EXPECT_EQ(params(), (std::vector<std::string_view>{"tile_size", "clip_limit"}));
    const ParamSuggestions expected =
        suggest(*subject_.op, info_of("clip_limit"), subject_.params, subject_.image->view(), {}, 2);
    EXPECT_EQ(of("clip_limit")->curves[0].figures, expected.curves[0].figures);
    subject_.params.set(info_of("tiles"), 1);
    update();
    EXPECT_EQ(params(), std::vector<std::string_view>()) << "the limit's curve depends on the tiles";
    ASSERT_TRUE(finish());
    EXPECT_EQ(params(), std::vector<std::string_view>{"clip_limit"});
    subject_.op = find_operator("he");
    EXPECT_TRUE(update());
    EXPECT_TRUE(params().empty());
    EXPECT_FALSE(suggestions_.busy());
}

TEST_F(SuggestionsTest, WaitUntilNothingIsMoreUrgent) {
    update(false);
    rest();
    update(false);
    EXPECT_FALSE(suggestions_.busy()) << "it would not become anything";
    update();
    EXPECT_TRUE(suggestions_.busy());
    rest();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    subject_.params.set(info_of("amount"), 50);
    update();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    update();
    EXPECT_TRUE(params().empty()) << "a change was just now";
    ASSERT_TRUE(finish());
    EXPECT_EQ(params().size(), 2U);
}

TEST_F(SuggestionsTest, AParametersOwnValueChangesTheOthersAlone) {
    ASSERT_TRUE(finish());
    const ParamSuggestions* const before = of("clip_limit");
    subject_.params.set(info_of("clip_limit"), 900);
    EXPECT_TRUE(update());
    EXPECT_EQ(of("clip_limit"), before);
    EXPECT_EQ(of("tile_size"), nullptr);
    ASSERT_TRUE(finish());
    EXPECT_EQ(of("clip_limit"), before);
    EXPECT_NE(of("tile_size"), nullptr);
}

TEST_F(SuggestionsTest, AnotherImageStopsThem) {
    subject_.image = picture(1024);
    update();
    rest();
    update();  // it begins
    subject_.image = picture(64, 2);
    update();
    EXPECT_TRUE(params().empty());
    ASSERT_TRUE(finish());
    EXPECT_EQ(of("tile_size")->part, (Rect{0, 0, 64, 64}));
    subject_.region = {8, 8, 40, 30};
    ASSERT_TRUE(finish());
    EXPECT_EQ(of("tile_size")->part, (Rect{8, 8, 40, 30}));
    subject_.image = nullptr;
    update();
    EXPECT_TRUE(params().empty());
    EXPECT_FALSE(suggestions_.busy());
}

TEST_F(SuggestionsTest, GoWithTheWindow) {
    subject_.image = picture(1024);
    update();
    rest();
    update();  // it begins, and the test ends
}

}  // namespace
}  // namespace tonescope
