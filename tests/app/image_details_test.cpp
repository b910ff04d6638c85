#include "app/viewer/files/image_details.h"

#include <gtest/gtest.h>

namespace tonescope::test {
namespace {

std::string row(const ui::DetailsModel& model, const std::string& label) {
    const auto found = std::ranges::find(model.rows, label, [](const auto& one) { return one.first; });
    return found == model.rows.end() ? "" : found->second;
}

TEST(ImageDetails, ValuesAndWindowInTheUnitsOfTheFile) {
    OpenImage image;
    image.spec = {4, 4, PixelFormat::gray16, false, 4095};
    image.image = std::make_shared<const HostImage>(image.spec);
    ui::DetailsModel model;
    fill_details(&image, model);
    EXPECT_EQ(row(model, "Values") + row(model, "File's window"), "");

    image.details.scale = SampleScale{.slope = 0.5, .intercept = -1024, .shift = 0, .unit = "HU"};
    image.details.window = SampleWindow{.range = range_around(212800, 80000), .inverse = true};
    fill_details(&image, model);
    EXPECT_EQ(row(model, "Values"), "-1024 to 1023.5 HU");
    EXPECT_EQ(row(model, "File's window"), "center 40, width 400 HU, inverse");
    image.details.scale = SampleScale{.slope = -1, .intercept = 0, .shift = 0, .unit = ""};
    fill_details(&image, model);
    EXPECT_EQ(row(model, "Values"), "0 to -4095");
    EXPECT_EQ(row(model, "File's window"), "center -2128, width 800, inverse");
}

}  // namespace
}  // namespace tonescope::test
