// CUDA writes OpenGL textures: what stands in them is read back with OpenGL and compared with the reference.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/statistics.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/present/presenter.h"
#include "tests/gpu/gpu_test.h"
#include "tests/image_tools.h"
#include "tests/present/gl_context.h"

namespace tonescope {
namespace {

class InteropTest : public GpuTest {
  protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped()) return;
        if (const char* missing = context_.open()) GTEST_SKIP() << missing;
        std::string reason;
        presenter_ = make_interop_presenter(-1, &reason);
        if (!presenter_) GTEST_SKIP() << reason;
    }
    void TearDown() override {
        presenter_.reset();
        context_.close();
    }

    /// What OpenGL has for the role, all tiles together.
    HostImage read_back(PictureRole role) const {
        const Picture& picture = presenter_->picture(role);
        HostImage image(picture.spec);
        const size_t pixel_bytes = size_t(bytes_per_pixel(picture.spec.format));
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        for (const Tile& tile : picture.tiles) {
            std::vector<uint8_t> pixels(size_t(tile.rect.width) * size_t(tile.rect.height) * pixel_bytes);
            glBindTexture(GL_TEXTURE_2D, tile.texture);
            glGetTexImage(GL_TEXTURE_2D, 0, pixel_bytes == 1 ? GL_RED : GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
            const size_t row_bytes = size_t(tile.rect.width) * pixel_bytes;
            for (int row = 0; row < tile.rect.height; ++row)
                std::memcpy(image.mutable_view().pixel(tile.rect.x, tile.rect.y + row),
                            &pixels[size_t(row) * row_bytes], row_bytes);
        }
        EXPECT_EQ(glGetError(), unsigned(GL_NO_ERROR));
        return image;
    }
    /// Draws the role's picture as a frame of the window does, and waits until OpenGL has nothing left to do.
    void draw(PictureRole role) const {
        unsigned framebuffer = 0;
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
        const Picture& picture = presenter_->picture(role);
        glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture.tiles[0].texture, 0);
        glBlitFramebuffer(0, 0, picture.spec.width, picture.spec.height, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &framebuffer);
        glFinish();
        EXPECT_EQ(glGetError(), unsigned(GL_NO_ERROR));
    }
    void use_tiles(int side_px) {
        std::string reason;
        presenter_ = make_interop_presenter(-1, &reason, side_px);
        ASSERT_TRUE(presenter_) << reason;
    }
    static bool has_stage(const LiveResult& result, std::string_view name) {
        return std::ranges::find(result.stages, name, &StageTime::stage) != result.stages.end();
    }
    /// Submits and checks what ends up on screen.
    LiveResult expect_on_screen(LiveSession& session, const HostImage& image, const RunSpec& spec, uint64_t serial) {
        session.submit({.serial = serial, .spec = spec});
        LiveResult result = wait_for_result(session, serial);
        EXPECT_EQ(result.error, "");
        EXPECT_FALSE(result.image);
        EXPECT_TRUE(has_stage(result, "map") && has_stage(result, "unmap"));
        const RunResult expected = run_reference(image.view(), spec);
        EXPECT_EQ(presenter_->picture(PictureRole::after).serial, serial);
        EXPECT_TRUE(same_pixels(read_back(PictureRole::after).view(), expected.image.view()));
        EXPECT_TRUE(result.histogram && *result.histogram == count_display_histogram(expected.image.view(), 1));
        return result;
    }
    /// What is asked for now is this result. `image`: RGBA, at least 18x401.
    static void expect_saved_and_probed(LiveSession& session, const HostImage& image, const RunSpec& spec) {
        auto download = session.download();
        session.probe(17, 400);
        for (int i = 0; i < 20'000'000 && session.busy(); ++i) session.poll();
        const auto saved = download.get();
        const RunResult expected = run_reference(image.view(), spec);
        ASSERT_TRUE(saved);
        EXPECT_TRUE(same_pixels(saved->view(), expected.image.view()));
        ASSERT_TRUE(session.probed());
        for (int c = 0; c < 4; ++c) EXPECT_EQ(session.probed()->value[c], expected.image.view().pixel(17, 400)[c]);
    }

    std::unique_ptr<Presenter> presenter_;

  private:
    GlContext context_;
};

TEST_F(InteropTest, EveryOperatorWritesTheTexture) {
    uint64_t serial = 0;
    const auto session = make_cuda_session([] {}, presenter_->result_textures());
    for (const ImageSpec spec :
         {ImageSpec{643, 479, PixelFormat::gray8, false}, ImageSpec{643, 479, PixelFormat::rgba8, false},
          ImageSpec{301, 203, PixelFormat::rgba8, true}}) {
        const auto image = std::make_shared<const HostImage>(make_test_image(spec, 9));
        session->set_image(image, ++serial);
        for (const auto& [op, variant] : {std::pair<std::string_view, std::string_view>{"he", "simple"},
                                          {"he", "tuned"},
                                          {"clahe", "simple"},
                                          {"clahe", "tuned"},
                                          {"kuwahara", "simple"},
                                          {"kuwahara", "tuned"}}) {
            for (int round = 0; round < 6; ++round) {
                RunSpec run = make_spec(op, variant);
                if (op == "kuwahara") {
                    run.params.set(*find_param(run.op->params, "radius"), 2 + round);
                } else {
                    run.params.set(*find_param(run.op->params, "color"), round % 3);
                }
                SCOPED_TRACE(std::string(op) + " round " + std::to_string(round) + " channels " +
                             std::to_string(spec.channels()));
                const LiveResult result = expect_on_screen(*session, *image, run, ++serial);
                // The first run of a variant goes through memory, fast ones then straight into the texture.
                EXPECT_FALSE(round == 5 && has_stage(result, "present"));
                presenter_->prepare_minified(PictureRole::after);
            }
        }
    }
}

TEST_F(InteropTest, ResultsInTexturesCanBeProbedAndSaved) {
    const auto session = make_cuda_session([] {}, presenter_->result_textures());
    const auto image = std::make_shared<const HostImage>(make_test_image({640, 480, PixelFormat::rgba8, true}, 4));
    session->set_image(image, 1);
    const RunSpec spec = make_spec("he", "simple");
    for (uint64_t serial = 1; serial <= 4; ++serial) expect_on_screen(*session, *image, spec, serial);
    expect_saved_and_probed(*session, *image, spec);
}

TEST_F(InteropTest, WhatIsOnScreenIsSavedAlsoBeforeItsRunHasEnded) {
    const auto session = make_cuda_session([] {}, presenter_->result_textures());
    const auto image = std::make_shared<const HostImage>(make_test_image({640, 480, PixelFormat::rgba8, false}, 4));
    session->set_image(image, 1);
    for (uint64_t serial = 1; serial <= 4; ++serial) {  // the second is the first that goes straight into a texture
        const RunSpec spec = make_spec("clahe", "tuned", {{"clip_limit", 100 + 200 * int(serial)}});
        session->submit({.serial = serial, .spec = spec});
        for (int i = 0; i < 20'000'000 && presenter_->picture(PictureRole::after).serial != serial; ++i)
            session->poll();
        SCOPED_TRACE(serial);
        expect_saved_and_probed(*session, *image, spec);
    }
}

TEST_F(InteropTest, SeveralTextures) {
    use_tiles(128);
    const auto session = make_cuda_session([] {}, presenter_->result_textures());
    uint64_t serial = 0;
    for (const PixelFormat format : {PixelFormat::gray8, PixelFormat::rgba8}) {
        const auto image = std::make_shared<const HostImage>(make_test_image({300, 257, format, false}, 6));
        session->set_image(image, ++serial);
        for (int round = 0; round < 3; ++round) {
            expect_on_screen(*session, *image, make_spec("clahe", "simple"), ++serial);
            EXPECT_EQ(presenter_->picture(PictureRole::after).tiles.size(), 9u);
        }
    }
}

TEST_F(InteropTest, HostImagesAndResultsTakeTurns) {
    const auto session = make_cuda_session([] {}, presenter_->result_textures());
    const auto image = std::make_shared<const HostImage>(make_test_image({200, 100, PixelFormat::rgba8, false}, 2));
    session->set_image(image, 1);
    for (uint64_t serial = 10; serial < 50; serial += 10) {
        expect_on_screen(*session, *image, make_spec("he", "simple"), serial);
        const auto other =
            std::make_shared<const HostImage>(make_test_image({90, 60, PixelFormat::gray8, false}, uint32_t(serial)));
        presenter_->show(PictureRole::after, make_pyramid(other, 1), serial + 1);
        EXPECT_EQ(presenter_->picture(PictureRole::after).serial, serial)
            << "the old picture stays until the new one is there";
        while (presenter_->step(1 << 20)) {
        }
        EXPECT_EQ(presenter_->picture(PictureRole::after).serial, serial + 1);
        EXPECT_TRUE(same_pixels(read_back(PictureRole::after).view(), other->view()));
    }
    presenter_->clear(PictureRole::after);
    EXPECT_TRUE(presenter_->picture(PictureRole::after).empty());
    expect_on_screen(*session, *image, make_spec("he", "simple"), 99);
}

TEST_F(InteropTest, APictureIsClearedWhileItsRunIsOnTheDevice) {
    const auto session = make_cuda_session([] {}, presenter_->result_textures());
    const auto image = std::make_shared<const HostImage>(make_test_image({1000, 800, PixelFormat::rgba8, false}, 2));
    session->set_image(image, 1);
    const RunSpec spec = make_spec("kuwahara", "tuned", {{"radius", 12}});
    for (uint64_t serial = 2; serial < 18; serial += 2) {
        session->submit({.serial = serial, .spec = spec});
        for (int i = 0; i < 20'000'000 && presenter_->picture(PictureRole::after).serial != serial; ++i)
            session->poll();
        presenter_->clear(PictureRole::after);
        EXPECT_TRUE(presenter_->picture(PictureRole::after).empty());
        while (session->busy()) {
            const auto result = session->poll();
            EXPECT_EQ(result ? result->error : "", "");
        }
        expect_on_screen(*session, *image, spec, serial + 1);
    }
}

TEST_F(InteropTest, MipmapsFollowTheResult) {
    const auto session = make_cuda_session([] {}, presenter_->result_textures());
    uint64_t serial = 0;
    for (const int gray : {40, 200}) {
        auto image = std::make_shared<HostImage>(ImageSpec{64, 64, PixelFormat::gray8, false});
        std::fill_n(image->data(), image->size_bytes(), uint8_t(gray));
        session->set_image(image, ++serial);
        for (int round = 0; round < 4; ++round) {  // a constant image stays as it is
            expect_on_screen(*session, *image, make_spec("he", "simple"), ++serial);
            presenter_->prepare_minified(PictureRole::after);
            std::vector<uint8_t> level(32 * 32);
            glBindTexture(GL_TEXTURE_2D, presenter_->picture(PictureRole::after).tiles[0].texture);
            glGetTexImage(GL_TEXTURE_2D, 1, GL_RED, GL_UNSIGNED_BYTE, level.data());
            EXPECT_EQ(level, std::vector<uint8_t>(32 * 32, uint8_t(gray)));
        }
    }
}

/// The cost of a change around the operator's own kernels, on a 4K RGBA image.
TEST_F(InteropTest, AChangeCostsLittleBesideTheKernels) {
    const auto session = make_cuda_session([] {}, presenter_->result_textures());
    const auto image = std::make_shared<const HostImage>(make_test_image({3840, 2160, PixelFormat::rgba8, false}, 3));
    session->set_image(image, 1);
    uint64_t serial = 1;
    const auto ms_since = [](std::chrono::steady_clock::time_point begin) {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    };
    for (const std::string_view op : {"he", "clahe", "kuwahara"}) {
        RunSpec spec = make_spec(op, "tuned");
        std::vector<double> device_ms, host_ms, latency_ms;
        for (int round = 0; round < 60; ++round) {
            spec.params.set(*find_param(spec.op->params, op == "he"      ? "color"
                                                         : op == "clahe" ? "clip_limit"
                                                                         : "radius"),
                            op == "he"      ? 0
                            : op == "clahe" ? 200 + round
                                            : 4);
            session->submit({.serial = ++serial, .spec = spec});
            std::optional<LiveResult> result;
            const auto submitted = std::chrono::steady_clock::now();
            session->poll();  // starts it
            double busy_ms = ms_since(submitted);
            while (!result && ms_since(submitted) < 20000) {
                const auto begin = std::chrono::steady_clock::now();
                result = session->poll();
                if (result) busy_ms += ms_since(begin);
            }
            const double finished_ms = ms_since(submitted);
            draw(PictureRole::after);
            ASSERT_TRUE(result);
            ASSERT_EQ(result->error, "");
            if (round < 10) continue;  // the first ones allocate and register
            EXPECT_FALSE(has_stage(*result, "present"));
            double kernels_ms = 0;
            for (const StageTime& stage : result->stages)
                if (stage.stage != "map" && stage.stage != "unmap" && stage.stage != "upload") kernels_ms += stage.ms;
            device_ms.push_back(result->device_ms - kernels_ms);
            host_ms.push_back(busy_ms);
            latency_ms.push_back(finished_ms);
        }
        const TimeSummary device = summarize(device_ms), host = summarize(host_ms), latency = summarize(latency_ms);
        std::printf(
            "%s: beside the kernels %.1f us of GPU time (p90 %.1f), %.1f us of the UI thread (p90 %.1f); %.1f us "
            "from the change to the end (p90 %.1f)\n",
            std::string(op).c_str(), device.median_ms * 1000, device.p90_ms * 1000, host.median_ms * 1000,
            host.p90_ms * 1000, latency.median_ms * 1000, latency.p90_ms * 1000);
        EXPECT_LT(device.median_ms, 0.15);
        EXPECT_LT(host.median_ms, 0.5);
    }
}

TEST_F(InteropTest, AWrongDeviceIsRefused) {
    std::string reason;
    EXPECT_FALSE(make_interop_presenter(99, &reason));
    EXPECT_NE(reason, "");
}

}  // namespace
}  // namespace tonescope
