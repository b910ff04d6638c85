// Runs behind each other with nothing between them that would keep a kernel from starting early (launch_pdl): no
// events, no other sizes of scratch memory. Every run finds its own image, parameters and tables, on a stream and in a
// graph.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gpu/cpu/display_histogram.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/session/runner.h"
#include "tests/gpu/gpu_test.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

constexpr uint32_t kSeed = 20261;
constexpr uint8_t kPoison = 0xA5;

class OverlapTest : public GpuTest {
  protected:
    struct Input {
        HostImage host;
        DeviceImage device;
    };
    /// A run, with memory of its own for what it makes.
    struct Step {
        const RunSpec* spec;
        size_t input;
        DeviceImage image;
        DeviceMemory bins, counts;  // counts: of a gray result, made behind it as the window's are
    };
    struct Expected {
        RunResult run;
        DisplayHistogram counts;
    };

    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped()) return;
        device_ = select_device(-1);
        stream_ = std::make_unique<Stream>();
        stages_ = std::make_unique<StageRecorder>(*stream_);
        stages_->set_enabled(false);
    }

    void add_image(const ImageSpec& spec, uint32_t seed) {
        Input& input = inputs_.emplace_back(Input{make_test_image(spec, seed), {}});
        // Images differ in their histograms, not only in where their pixels are: a table of another one shows.
        for (size_t i = 0; i < input.host.size_bytes(); ++i)
            if (spec.format == PixelFormat::gray8 || i % 4 != 3)
                input.host.data()[i] = uint8_t(input.host.data()[i] * (seed % 3 + 1) / 3 + 17 * (seed % 5));
        input.device.reshape(spec);
        TONESCOPE_CUDA(cudaMemcpy2D(input.device.d_data(), input.device.pitch_bytes, input.host.data(),
                                    input.host.pitch_bytes(), spec.row_bytes(), size_t(spec.height),
                                    cudaMemcpyHostToDevice));
    }
    void add_run(std::string_view op, std::initializer_list<std::pair<std::string_view, int32_t>> values,
                 bool in_two_kernels = false) {
        RunSpec& spec = specs_.emplace_back(make_spec(op, "tuned", values));
        if (in_two_kernels) spec.variant_params.set(*find_param(spec.variant->params, "kernels"), 1);
    }

    /// Every run on every image, in an order in which operators, parameters and images change from run to run.
    std::vector<Step> make_steps() {
        std::vector<Step> steps;
        for (const RunSpec& spec : specs_) {
            for (size_t i = 0; i < inputs_.size(); ++i) {
                Step& step = steps.emplace_back(Step{&spec, i, {}, {}, {}});
                if (spec.op->makes_bins) {
                    step.bins.reserve(kFineBins);
                    continue;
                }
                const ImageSpec output = spec.op->output_spec(inputs_[i].host.spec(), spec.params);
                step.image.reshape(output);
                if (output.format == PixelFormat::gray8) step.counts.reserve(256 * sizeof(uint32_t));
            }
        }
        std::ranges::shuffle(steps, random_);
        return steps;
    }
    void queue(const Step& step) {
        const Input& input = inputs_[step.input];
        CudaJob job{.d_input = input.device.d_data(),
                    .input_pitch_bytes = input.device.pitch_bytes,
                    .input_spec = input.device.spec,
                    .output = {step.image.d_data(), step.image.pitch_bytes, 0, step.image.spec},
                    .d_bins = step.bins.as<uint8_t>(),
                    .params = step.spec->params,
                    .variant_params = step.spec->variant_params,
                    .stream = *stream_,
                    .device = device_,
                    .scratch = scratch_,
                    .stages = *stages_};
        step.spec->variant->run_cuda(job);
        if (step.counts.size_bytes() > 0)
            count_gray(step.image.d_data(), step.image.pitch_bytes, step.image.spec.width, step.image.spec.height,
                       step.counts.as<uint32_t>(), counting_, device_, *stream_);
    }
    cudaGraphExec_t capture(const std::vector<Step>& steps) {
        TONESCOPE_CUDA(cudaStreamBeginCapture(*stream_, cudaStreamCaptureModeThreadLocal));
        for (const Step& step : steps) queue(step);
        cudaGraph_t graph = nullptr;
        TONESCOPE_CUDA(cudaStreamEndCapture(*stream_, &graph));
        cudaGraphExec_t executable = nullptr;
        TONESCOPE_CUDA(cudaGraphInstantiate(&executable, graph, 0));
        TONESCOPE_CUDA(cudaGraphDestroy(graph));
        return executable;
    }
    void poison(const std::vector<Step>& steps) {
        for (const Step& step : steps)
            for (const DeviceMemory* memory : {&step.image.memory, &step.bins, &step.counts})
                if (memory->size_bytes() > 0)
                    TONESCOPE_CUDA(cudaMemsetAsync(memory->as<void>(), kPoison, memory->size_bytes(), *stream_));
        stream_->synchronize();
    }

    const Expected& expected(const Step& step) {
        const auto [known, is_new] = expected_.try_emplace({step.spec, step.input});
        if (is_new) {
            known->second.run = run_reference(inputs_[step.input].host.view(), *step.spec);
            if (!step.spec->op->makes_bins)
                known->second.counts = count_display_histogram(known->second.run.image.view(), 1);
        }
        return known->second;
    }
    void check(const std::vector<Step>& steps) {
        for (size_t k = 0; k < steps.size(); ++k) {
            const Step& step = steps[k];
            SCOPED_TRACE(std::string(step.spec->op->id) + " on image " + std::to_string(step.input) + ", run " +
                         std::to_string(k) + " of " + std::to_string(steps.size()) + ", seed " + std::to_string(kSeed));
            const Expected& right = expected(step);
            if (step.spec->op->makes_bins) {
                std::vector<uint8_t> bins(kFineBins);
                TONESCOPE_CUDA(cudaMemcpy(bins.data(), step.bins.as<void>(), bins.size(), cudaMemcpyDeviceToHost));
                EXPECT_EQ(bins, right.run.bins->bins);
                continue;
            }
            HostImage got(step.image.spec);
            TONESCOPE_CUDA(cudaMemcpy2D(got.data(), got.pitch_bytes(), step.image.d_data(), step.image.pitch_bytes,
                                        got.spec().row_bytes(), size_t(got.height()), cudaMemcpyDeviceToHost));
            EXPECT_TRUE(same_pixels(got.view(), right.run.image.view()));
            if (step.counts.size_bytes() == 0) continue;
            std::array<uint32_t, 256> counts{};
            TONESCOPE_CUDA(cudaMemcpy(counts.data(), step.counts.as<void>(), sizeof(counts), cudaMemcpyDeviceToHost));
            EXPECT_EQ(counts, right.counts.luma);
        }
    }

    /// On the stream, then from a graph.
    void check_all_orders() {
        std::vector<Step> steps = make_steps();
        for (const Step& step : steps) queue(step);  // scratch memory gets as large as it will be
        stream_->synchronize();
        for (int round = 0; round < 3; ++round) {
            std::ranges::shuffle(steps, random_);
            poison(steps);
            for (const Step& step : steps) queue(step);
            stream_->synchronize();
            SCOPED_TRACE("stream, round " + std::to_string(round));
            check(steps);
        }
        for (int round = 0; round < 3; ++round) {
            std::ranges::shuffle(steps, random_);
            const cudaGraphExec_t graph = capture(steps);
            SCOPED_TRACE("graph, round " + std::to_string(round));
            for (const int replays : {1, 3}) {
                poison(steps);
                for (int i = 0; i < replays; ++i) TONESCOPE_CUDA(cudaGraphLaunch(graph, *stream_));
                stream_->synchronize();
                check(steps);
            }
            TONESCOPE_CUDA(cudaGraphExecDestroy(graph));
        }
    }

    std::mt19937 random_{kSeed};
    DeviceProperties device_;
    std::unique_ptr<Stream> stream_;
    std::unique_ptr<StageRecorder> stages_;
    ScratchArena scratch_;
    ZeroedWords counting_;
    std::vector<Input> inputs_;
    std::deque<RunSpec> specs_;
    std::map<std::pair<const RunSpec*, size_t>, Expected> expected_;
};

/// Kernels that are over before the next one is launched, or nearly so.
TEST_F(OverlapTest, SmallImages) {
    for (const PixelFormat format : {PixelFormat::gray8, PixelFormat::rgba8})
        for (const uint32_t seed : {7u, 11u}) add_image({643, 479, format, format == PixelFormat::rgba8}, seed);
    add_run("he", {});
    add_run("he", {{"color", 1}});
    add_run("he", {}, true);
    add_run("clahe", {{"tile_size", 16}});
    add_run("clahe", {{"tile_size", 200}, {"clip_limit", 150}});
    add_run("clahe", {{"tiles", 1}, {"grid_columns", 3}, {"grid_rows", 2}, {"color", 1}});
    add_run("kuwahara", {{"radius", 2}});
    add_run("kuwahara", {{"radius", 5}});
    add_run("histogram", {});
    check_all_orders();
}

/// Kernels of several blocks a multiprocessor and vectors a thread; two sizes share the scratch memory.
TEST_F(OverlapTest, ImagesOfTwoSizes) {
    for (const ImageSpec& spec :
         {ImageSpec{2048, 1533, PixelFormat::gray8, false}, ImageSpec{1201, 903, PixelFormat::gray8, false},
          ImageSpec{1600, 1200, PixelFormat::rgba8, false}})
        for (const uint32_t seed : {4u, 8u}) add_image(spec, seed);
    add_run("he", {});
    add_run("he", {{"color", 1}}, true);
    add_run("clahe", {});
    add_run("clahe", {{"tiles", 1}, {"clip_limit", 800}});
    add_run("kuwahara", {{"radius", 1}});
    add_run("histogram", {});
    check_all_orders();
}

/// Tiles that large blocks share, and pixels that HE keeps.
TEST_F(OverlapTest, LargeImages) {
    for (const uint32_t seed : {5u, 9u}) add_image({4096, 3072, PixelFormat::gray8, false}, seed);
    add_run("he", {});
    add_run("he", {}, true);
    add_run("clahe", {{"tiles", 1}, {"grid_columns", 4}, {"grid_rows", 4}});
    add_run("clahe", {{"tiles", 1}, {"grid_columns", 2}, {"grid_rows", 3}, {"clip_limit", 0}});
    add_run("histogram", {});
    check_all_orders();
}

}  // namespace
}  // namespace tonescope
