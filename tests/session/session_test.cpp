// Live runs on the CPU: results, replacement by newer requests, previews, errors.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "gpu/core/backend.h"
#include "gpu/cpu/display_histogram.h"
#include "tests/cpu_time.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<const HostImage> picture(int width, int height) {
    auto image = std::make_shared<HostImage>(ImageSpec{width, height, PixelFormat::rgba8, false});
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            uint8_t* pixel = image->mutable_view().pixel(x, y);
            pixel[0] = uint8_t(x * 7 + y);
            pixel[1] = uint8_t(x ^ y);
            pixel[2] = uint8_t(y * 3);
            pixel[3] = 255;
        }
    return image;
}

RunSpec spec_of(std::string_view op_id, std::string_view variant_id,
                std::initializer_list<std::pair<std::string_view, int32_t>> values = {}) {
    RunSpec spec{.op = find_operator(op_id), .variant = find_variant(op_id, variant_id)};
    spec.params = default_values(spec.op->params);
    for (const auto& [id, value] : values) spec.params.set(*find_param(spec.op->params, id), value);
    return spec;
}

class SessionTest : public testing::Test {
  protected:
    /// False where the condition does not hold within 30 s.
    template <class Condition>
    bool wait(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + 30s;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > end) return false;
            std::this_thread::sleep_for(1ms);
        }
        return true;
    }
    LiveResult next() {
        std::optional<LiveResult> result;
        EXPECT_TRUE(wait([&] { return (result = session_->poll()).has_value(); })) << "no result";
        return result ? std::move(*result) : LiveResult{};
    }
    bool has_begun() {
        return wait([&] { return session_->progress() > 0; });
    }
    LiveResult next_final() {
        while (true) {
            LiveResult result = next();
            if (!result.preview) return result;
        }
    }

    std::atomic<int> wakes_ = 0;
    std::unique_ptr<LiveSession> session_ = make_cpu_session([this] { ++wakes_; }, 2);
};

TEST_F(SessionTest, ASlowRunTellsHowManyRowsAreDoneTheFirstTimeToo) {
    session_->set_image(picture(1800, 1200), 1);
    EXPECT_LT(session_->progress(), 0);
    session_->submit({.serial = 1, .spec = spec_of("kuwahara", "cpu", {{"radius", 16}})});
    double last = 0;
    int steps = 0;
    while (session_->busy() && steps < 5) {
        const double now = session_->progress();
        EXPECT_LE(now, 1);
        EXPECT_TRUE(now < 0 || now >= last);
        steps += now > last ? 1 : 0;
        last = std::max(last, now);
        std::this_thread::sleep_for(1ms);
    }
    EXPECT_EQ(steps, 5);
    session_->cancel();
}

TEST_F(SessionTest, TheResultIsTheBackendsResult) {
    const auto image = picture(300, 200);
    session_->set_image(image, 4);
    for (const OperatorInfo* op : operators()) {
        if (op->makes_bins) continue;
        const RunSpec spec = spec_of(op->id, "parallel");
        session_->submit({.serial = 10, .spec = spec});
        const LiveResult result = next_final();
        EXPECT_EQ(result.serial, 10u);
        EXPECT_EQ(result.image_serial, 4u);
        EXPECT_EQ(result.error, "");
        const RunResult expected = make_cpu_backend(2)->run(image->view(), spec);
        ASSERT_TRUE(result.image);
        EXPECT_TRUE(same_pixels(result.image->view(), expected.image.view())) << op->id;
        EXPECT_EQ(result.histogram, count_display_histogram(expected.image.view(), 1));
        EXPECT_FALSE(result.stages.empty());
        EXPECT_EQ(session_->download().get(), result.image);
        session_->probe(17, 31);
        const std::optional<PixelProbe> probe = session_->probed();
        ASSERT_TRUE(probe);
        EXPECT_EQ(probe->value[1], expected.image.view().pixel(17, 31)[1]);
    }
    EXPECT_GT(wakes_, 0);
}

TEST_F(SessionTest, BinsComeWithoutAnImage) {
    const auto image = picture(100, 90);
    session_->set_image(image, 1);
    session_->submit({.serial = 1, .spec = spec_of("histogram", "parallel")});
    const LiveResult result = next_final();
    ASSERT_TRUE(result.bins);
    EXPECT_FALSE(result.image);
    EXPECT_EQ(result.bins, make_cpu_backend(1)->run(image->view(), spec_of("histogram", "cpu")).bins);
}

TEST_F(SessionTest, TheNewestRequestReplacesOlderOnes) {
    session_->set_image(picture(1500, 1200), 1);
    for (uint64_t serial = 1; serial <= 40; ++serial)
        session_->submit({.serial = serial, .spec = spec_of("kuwahara", "parallel", {{"radius", int32_t(serial)}})});
    int finals = 0;
    LiveResult last;
    do {
        last = next_final();
        ++finals;
    } while (last.serial != 40 && finals < 40);
    EXPECT_EQ(last.serial, 40u);
    EXPECT_LE(finals, 3) << "superseded requests are not computed to the end";
    while (session_->busy()) std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(session_->poll());
}

TEST_F(SessionTest, ASlowRunGivesAPreviewOfWhatIsVisibleFirst) {
    const auto image = picture(3000, 2000);
    session_->set_image(image, 1);
    const Rect visible{1000, 500, 1200, 900};
    session_->submit({.serial = 1, .spec = spec_of("kuwahara", "parallel"), .visible = visible, .scale = 0.5});
    const LiveResult preview = next();
    ASSERT_TRUE(preview.preview);
    EXPECT_EQ(preview.region, visible);
    ASSERT_TRUE(preview.image);
    EXPECT_LE(preview.image->spec().pixels(), 400'000);
    EXPECT_FALSE(next_final().preview);
}

TEST_F(SessionTest, APreviewOfARegionLeavesWhatLiesAroundIt) {
    const auto image = picture(3000, 2000);
    for (const Rect& region : {Rect{700, 600, 1000, 9000}, Rect{10, 10, 50, 50}}) {
        session_ = make_cpu_session([] {}, 2);  // a variant that has not run yet gives a preview
        session_->set_image(image, 1);
        RunSpec spec = spec_of("kuwahara", "parallel");
        spec.part.region = region;
        auto mask = std::make_shared<HostImage>(ImageSpec{3000, 2000, PixelFormat::gray8, false});
        std::memset(mask->data(), 255, mask->size_bytes());
        spec.part.mask = std::move(mask);
        const Rect visible{501, 503, 1200, 900};
        session_->submit({.serial = 1, .spec = spec, .visible = visible, .scale = 0.25});
        const LiveResult first = next();
        const LiveResult final_result = first.preview ? next_final() : LiveResult(first);
        EXPECT_EQ(first.preview, region.width == 1000) << "a small region is quick";
        ASSERT_EQ(final_result.image->spec(), image->spec());
        for (const auto* result : {&first, &final_result}) {
            const int step = result->preview ? 4 : 1;
            const Rect shown = result->preview ? result->region : Rect{0, 0, 3000, 2000};
            const Rect inside = filtered_rect(spec.part, image->spec());
            int changed = 0;
            for (int j = 0; j < result->image->height(); ++j)
                for (int i = 0; i < result->image->width(); ++i) {
                    const int x = shown.x + i * step, y = shown.y + j * step;
                    const bool is_inside =
                        x >= inside.x && y >= inside.y && x < inside.x + inside.width && y < inside.y + inside.height;
                    const bool is_same =
                        std::memcmp(result->image->view().pixel(i, j), image->view().pixel(x, y), 4) == 0;
                    ASSERT_TRUE(is_inside || is_same) << x << ", " << y << (result->preview ? ", preview" : "");
                    changed += is_inside && !is_same ? 1 : 0;
                }
            EXPECT_GT(changed, 0);
        }
    }
}

/// How long a run takes is known by the choices that it was made with.
TEST_F(SessionTest, ASlowChoiceGivesAPreviewAfterAQuickOne) {
    session_->set_image(picture(800, 640), 1);
    session_->submit({.serial = 1, .spec = spec_of("clahe", "parallel")});
    EXPECT_EQ(next_final().serial, 1u);
    session_->submit({.serial = 2, .spec = spec_of("clahe", "parallel", {{"tables", 1}})});
    const LiveResult preview = next();
    EXPECT_TRUE(preview.preview);
    EXPECT_EQ(next_final().serial, 2u);
}

TEST_F(SessionTest, WhatIsVisibleIsCutToTheImage) {
    const auto image = picture(3000, 400);
    for (const auto& [visible, region] : {std::pair{Rect{0, 0, 4000, 3000}, Rect{0, 0, 3000, 400}},
                                          {Rect{2500, 300, 1000, 1000}, Rect{2500, 300, 500, 100}},
                                          {Rect{3500, 0, 100, 100}, Rect{0, 0, 3000, 400}},
                                          {Rect{}, Rect{0, 0, 3000, 400}}}) {
        session_ = make_cpu_session([] {}, 2);  // a variant that has not run yet gives a preview
        session_->set_image(image, 1);
        session_->submit({.serial = 1, .spec = spec_of("clahe", "cpu"), .visible = visible, .scale = 1});
        const LiveResult preview = next();
        ASSERT_TRUE(preview.preview);
        EXPECT_EQ(preview.region, region);
        EXPECT_FALSE(next_final().preview);
    }
}

TEST_F(SessionTest, AnotherImageDropsWhatWasAskedOfTheOldOne) {
    session_->set_image(picture(2500, 2000), 1);
    session_->submit({.serial = 1, .spec = spec_of("kuwahara", "cpu", {{"radius", 30}})});
    ASSERT_TRUE(has_begun());
    session_->set_image(picture(64, 64), 2);
    session_->submit({.serial = 2, .spec = spec_of("he", "parallel")});
    const LiveResult result = next_final();
    EXPECT_EQ(result.image_serial, 2u);
    EXPECT_EQ(result.serial, 2u);
}

TEST_F(SessionTest, CancelEndsARunSoon) {
    session_->set_image(picture(4000, 3000), 1);
    session_->submit({.serial = 1, .spec = spec_of("kuwahara", "cpu", {{"radius", 16}})});
    ASSERT_TRUE(has_begun());
    const double begin = cpu_seconds();
    session_->cancel();
    ASSERT_TRUE(wait([&] {
        session_->poll();
        return !session_->busy();
    }));
    EXPECT_LT(cpu_seconds() - begin, 2);
}

TEST_F(SessionTest, AFailureIsAnErrorAndTheSessionGoesOn) {
    session_->set_image(picture(64, 64), 1);
    RunSpec wrong = spec_of("he", "parallel");
    const VariantInfo on_gpu{.op = "he", .id = "elsewhere", .name = "", .backend = BackendKind::cuda};
    wrong.variant = &on_gpu;
    session_->submit({.serial = 1, .spec = wrong});
    const LiveResult failed = next();
    EXPECT_EQ(failed.error, "he elsewhere does not run on the CPU backend");
    session_->submit({.serial = 2, .spec = spec_of("he", "parallel")});
    EXPECT_EQ(next_final().error, "");
}

}  // namespace
}  // namespace tonescope
