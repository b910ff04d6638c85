// HE and CLAHE against OpenCV: within one level on photographs (and HE everywhere), CLAHE within two elsewhere. OpenCV
// computes in float and rounds halves to even.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <random>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/he/he.h"
#include "tests/image_tools.h"
#include "tests/opencv/test_images.h"

namespace tonescope::test {
namespace {

/// Images that are no photographs: noise, a narrow band of values, a steep ramp.
std::vector<GrayImage> synthetic_images() {
    std::vector<GrayImage> images;
    std::mt19937 random(7);
    for (auto [width, height] : {std::pair{257, 191}, {640, 360}, {31, 77}}) {
        HostImage noise({width, height, PixelFormat::gray8, false}), narrow(noise.spec()), ramp(noise.spec());
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                *noise.mutable_view().pixel(x, y) = uint8_t(random() >> 8);
                *narrow.mutable_view().pixel(x, y) = uint8_t(100 + random() % 5);
                *ramp.mutable_view().pixel(x, y) = uint8_t(x * 255 / width);
            }
        }
        const std::string size = std::to_string(width) + "x" + std::to_string(height);
        images.push_back({"noise " + size, std::move(noise)});
        images.push_back({"narrow " + size, std::move(narrow)});
        images.push_back({"ramp " + size, std::move(ramp)});
    }
    return images;
}

std::vector<GrayImage> all_images() {
    std::vector<GrayImage> images = gray_images();
    for (GrayImage& image : synthetic_images()) images.push_back(std::move(image));
    return images;
}

cv::Mat as_mat(const HostImage& image) {
    return cv::Mat(image.height(), image.width(), CV_8UC1, const_cast<uint8_t*>(image.data()), image.pitch_bytes());
}

HostImage run(std::string_view op, const HostImage& input, const ParamBlock& params) {
    HostImage output(input.spec());
    preferred_variant(op, BackendKind::cpu)
        ->run_cpu({.input = input.view(), .params = params, .output = output.mutable_view(), .threads = 2});
    return output;
}

int largest_difference(const HostImage& ours, const cv::Mat& theirs) {
    int largest = 0;
    for (int y = 0; y < ours.height(); ++y)
        for (int x = 0; x < ours.width(); ++x)
            largest = std::max(largest, std::abs(*ours.view().pixel(x, y) - theirs.at<uint8_t>(y, x)));
    return largest;
}

TEST(OpenCv, ThereArePicturesToCompare) {
    EXPECT_GE(gray_images().size(), 4u) << "neither photographs nor assets were found";
}

TEST(OpenCv, HeIsWithinOneLevel) {
    for (const GrayImage& image : all_images()) {
        cv::Mat expected;
        cv::equalizeHist(as_mat(image.image), expected);
        const HostImage ours = run("he", image.image, ParamBlock(he::Params{}));
        EXPECT_LE(largest_difference(ours, expected), 1) << image.name;
        EXPECT_FALSE(same_pixels(ours.view(), image.image.view())) << image.name << " came out unchanged";
    }
}

struct Grid {
    int columns, rows;
};

TEST(OpenCv, ClaheIsWithinOneLevelOnPhotographsAndTwoElsewhere) {
    constexpr Grid kGrids[] = {{8, 8}, {1, 1}, {2, 3}, {7, 5}, {16, 16}, {13, 1}, {31, 17}};
    for (const GrayImage& image : all_images()) {
        for (const Grid grid : kGrids) {
            for (int hundredths : {0, 50, 100, 200, 300, 450, 4000, 25600}) {
                cv::Mat expected;
                cv::createCLAHE(hundredths / 100.0, cv::Size(grid.columns, grid.rows))
                    ->apply(as_mat(image.image), expected);
                clahe::Params params = default_values(find_operator("clahe")->params).as<clahe::Params>();
                params.tiles = clahe::tiles_grid;
                params.grid_columns = grid.columns;
                params.grid_rows = grid.rows;
                params.clip_limit = hundredths;
                const HostImage ours = run("clahe", image.image, ParamBlock(params));
                EXPECT_LE(largest_difference(ours, expected), image.photograph ? 1 : 2)
                    << image.name << " " << image.image.width() << "x" << image.image.height() << ", grid "
                    << grid.columns << "x" << grid.rows << ", clip limit " << hundredths / 100.0;
            }
        }
    }
}

/// Gray images of 16 bits: noise, a band of values, smooth waves with a little noise as scanners have them.
std::vector<GrayImage> deep_images() {
    std::vector<GrayImage> images;
    std::mt19937 random(8);
    for (auto [width, height] : {std::pair{640, 360}, {257, 191}, {800, 800}}) {
        const ImageSpec spec{width, height, PixelFormat::gray16, false, 65535};
        HostImage noise(spec), band(spec), waves(spec);
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const double wave = std::sin(0.011 * x) * std::cos(0.007 * y);
                const auto set = [&](HostImage& image, int value) {
                    set_sample(image.mutable_view().pixel(x, y), spec.format, 0, value);
                };
                set(noise, int(random() >> 8) & 65535);
                set(band, 30000 + int(random() % 500));
                set(waves, int(32768 + 20000 * wave) + int(random() % 300));
            }
        }
        const std::string size = " " + std::to_string(width) + "x" + std::to_string(height);
        images.push_back({"noise" + size, std::move(noise)});
        images.push_back({"band" + size, std::move(band)});
        images.push_back({"waves" + size, std::move(waves)});
    }
    return images;
}

TEST(OpenCv, ClaheOf16BitsIsWithinTwoLevels) {
    for (const GrayImage& image : deep_images()) {
        const cv::Mat from(image.image.height(), image.image.width(), CV_16UC1,
                           const_cast<uint8_t*>(image.image.data()), image.image.pitch_bytes());
        for (const Grid grid : {Grid{8, 8}, {1, 1}, {7, 5}}) {
            for (int hundredths : {0, 100, 300, 4000, 25600}) {
                cv::Mat expected;
                cv::createCLAHE(hundredths / 100.0, cv::Size(grid.columns, grid.rows))->apply(from, expected);
                clahe::Params params = default_values(find_operator("clahe")->params).as<clahe::Params>();
                params.tiles = clahe::tiles_grid;
                params.grid_columns = grid.columns;
                params.grid_rows = grid.rows;
                params.clip_limit = hundredths;
                params.range = range_full;
                params.bins = 8;  // 65,536
                const HostImage ours = run("clahe", image.image, ParamBlock(params));
                int largest = 0;
                for (int y = 0; y < ours.height(); ++y)
                    for (int x = 0; x < ours.width(); ++x)
                        largest =
                            std::max(largest, std::abs(sample_at(ours.view().pixel(x, y), PixelFormat::gray16, 0) -
                                                       expected.at<uint16_t>(y, x)));
                EXPECT_LE(largest, 2) << image.name << ", grid " << grid.columns << "x" << grid.rows << ", clip limit "
                                      << hundredths / 100.0;
            }
        }
    }
}

}  // namespace
}  // namespace tonescope::test
