// What tests of failing calls of the CUDA runtime share: a session that does all that a window asks for. What comes of
// a request is right or one line, the next one is right, and nothing is left behind.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/cuda/runtime/memory.h"
#include "tests/gpu/faults/cuda_faults.h"
#include "tests/gpu/faults/screens.h"
#include "tests/gpu/gpu_test.h"
#include "tests/image_tools.h"

namespace tonescope {

inline RunSpec spec_of(std::string_view op, std::string_view variant, MemoryMode memory = MemoryMode::pinned) {
    RunSpec spec = make_spec(op, variant);
    spec.memory = memory;
    return spec;
}

/// Keeps what destructors have to say out of the test's output.
struct Silence {
    Silence() { testing::internal::CaptureStderr(); }
    ~Silence() { testing::internal::GetCapturedStderr(); }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;
};

class FaultsTest : public GpuTest {
  protected:
    /// What is asked of every session, and the answer.
    struct Request {
        RunSpec spec;
        size_t image;
        std::shared_ptr<const RunResult> expected = {};
        DisplayHistogram histogram = {};
    };

    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped()) return;
        for (const ImageSpec& image :
             {ImageSpec{320, 240, PixelFormat::rgba8, false}, ImageSpec{333, 200, PixelFormat::gray8, false},
              ImageSpec{200, 150, PixelFormat::gray16, false, 65535}})
            images_.push_back(std::make_shared<const HostImage>(make_test_image(image, 5)));
        requests_ = {{spec_of("he", "tuned"), 0},
                     {spec_of("he", "tuned"), 0},  // straight into the texture
                     {spec_of("clahe", "tuned"), 0},
                     {spec_of("clahe", "tuned"), 0},
                     {spec_of("he", "tuned", MemoryMode::pageable), 0},
                     {spec_of("he", "simple"), 0},  // when the round trip's memory is free
                     {spec_of("kuwahara", "tuned"), 1},
                     {spec_of("he", "simple", MemoryMode::mapped), 1},
                     {spec_of("clahe", "simple", MemoryMode::managed), 1},
                     {spec_of("he", "simple", MemoryMode::overlapped), 1},
                     {spec_of("he", "two-streams"), 1},
                     {spec_of("he", "texture-table"), 1},
                     {spec_of("histogram", "tuned"), 1},
                     {spec_of("he", "tuned"), 2},
                     {spec_of("clahe", "tuned"), 2}};
        RunSpec& in_two_kernels = requests_[1].spec;
        in_two_kernels.variant_params.set(*find_param(in_two_kernels.variant->params, "kernels"), 1);
        for (Request& request : requests_) {
            request.expected =
                std::make_shared<const RunResult>(run_reference(images_[request.image]->view(), request.spec));
            if (!request.spec.op->makes_bins)
                request.histogram = count_display_histogram(request.expected->image.view(), 1);
        }
    }

    /// Null where interop is not to be had: results come as host images then.
    virtual std::unique_ptr<Screen> make_screen() { return std::make_unique<ArrayScreen>(); }

    /// An error is there because a call has failed, and one line.
    void expect_line(const std::string& error) {
        ++errors_;
        EXPECT_NE(faults::failed(), "") << error;
        EXPECT_GT(error.size(), 5u) << faults::failed();
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    }
    static void expect_image(const HostImage& image, const Request& request) {
        EXPECT_TRUE(same_pixels(image.view(), request.expected->image.view())) << "behind " << faults::failed();
    }
    /// False where the device has failed, so that the CPU would take over.
    bool judge(const LiveResult& result, const Request& request, const Screen* screen) {
        if (!result.error.empty()) {
            expect_line(result.error);
            static const std::set<std::string> kAllocate = {"cudaMalloc", "cudaHostAlloc", "cudaMallocManaged"};
            if (kAllocate.contains(faults::failed()) && error_ == cudaErrorMemoryAllocation) {
                EXPECT_FALSE(result.device_failed) << result.error;
            }
            return !result.device_failed;
        }
        if (request.expected->bins) {
            EXPECT_TRUE(result.bins && *result.bins == *request.expected->bins) << "behind " << faults::failed();
            return true;
        }
        EXPECT_TRUE(result.histogram && *result.histogram == request.histogram) << "behind " << faults::failed();
        if (result.image) {
            expect_image(*result.image, request);
        } else if (screen != nullptr && screen->serial() == result.serial) {
            expect_image(screen->picture(), request);
        } else {
            ADD_FAILURE() << "no picture behind " << faults::failed();
        }
        return true;
    }
    /// Polls until done(result) or the session rests. Fails the test after 20 s.
    template <class Done>
    void poll(LiveSession& session, Done&& done) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (session.busy()) {
            const std::optional<LiveResult> result = session.poll();
            if (result && done(*result)) return;
            if (std::chrono::steady_clock::now() > end) {
                ADD_FAILURE() << "no end behind " << faults::failed();
                return;
            }
            std::this_thread::yield();
        }
    }
    /// Saving and the value under the cursor. False as above.
    bool save(LiveSession& session, const Request& request, const Screen* screen) {
        const int errors_before = errors_;
        auto download = session.download();
        session.probe(5, 7);
        bool works = true;
        poll(session, [&](const LiveResult& result) {
            works = judge(result, request, screen);
            return !works;
        });
        if (download.wait_for(std::chrono::seconds(20)) != std::future_status::ready) {
            ADD_FAILURE() << "no download behind " << faults::failed();
            return false;
        }
        try {
            const auto saved = download.get();
            EXPECT_TRUE(saved || errors_ > 0);
            if (saved) expect_image(*saved, request);
        } catch (const DeviceError& error) {
            if (errors_ == errors_before) expect_line(error.what());
        }
        return works;
    }
    /// All requests from `next` on. False as above; `next` is the one behind the last that was tried.
    bool use(LiveSession& session, const Screen* screen, size_t& next) {
        for (size_t shown = images_.size(); next < requests_.size();) {
            const Request& request = requests_[next++];
            if (request.image != shown) session.set_image(images_[shown = request.image], ++image_serial_);
            session.submit({.serial = ++serial_, .spec = request.spec, .wants_stages = next % 3 != 0});
            bool works = true, answered = false;
            poll(session, [&](const LiveResult& result) {
                works = judge(result, request, screen);
                return answered = true;
            });
            EXPECT_TRUE(answered) << "behind " << faults::failed();
            if (!works || (next == 2 && !save(session, request, screen))) return false;
        }
        return true;
    }
    /// What a comparison and a grid of values do beside the session: runs of several operators and parameters on a
    /// backend of their own, another one behind an error (WorkerBackends).
    void run_beside() {
        std::unique_ptr<Backend> backend;
        for (const size_t k : {2, 0, 1, 6, 13, 4}) {
            const Request& request = requests_[k];
            try {
                if (!backend) backend = make_cuda_backend(0);
                expect_image(backend->run(images_[request.image]->view(), request.spec).image, request);
            } catch (const DeviceError& error) {
                expect_line(error.what());
                backend.reset();
            }
        }
    }
    /// A session, another one where its device fails, a run that is open at the end, and runs beside it.
    void whole_session() {
        const Silence silence;
        errors_ = 0;
        for (size_t next = 0, tries = 0; next < requests_.size() && tries < 3; ++tries) {
            try {
                const std::unique_ptr<Screen> screen = make_screen();
                const auto session = make_cuda_session([] {}, screen ? screen->textures() : nullptr, 0);
                if (!use(*session, screen.get(), next)) continue;
                session->submit({.serial = ++serial_, .spec = requests_[6].spec});
                session->poll();
            } catch (const DeviceError& error) {
                expect_line(error.what());
            }
        }
        run_beside();
    }

    /// Every `step`th call, in a session each, unless FAULTS_EVERY says otherwise.
    void fail_every_call(cudaError_t error, bool for_good, int64_t step) {
        error_ = error;
        for (int warm_up = 0; warm_up < 3; ++warm_up) whole_session();
        ASSERT_EQ(errors_, 0);
        faults::arm(std::numeric_limits<int64_t>::max(), error, false);
        whole_session();
        const int64_t calls = faults::disarm();
        ASSERT_GT(calls, 100);
        // What the driver takes once and keeps, as for a kernel that only a fallback launches, is no loss: the same
        // faults take it no second time.
        constexpr size_t kSlackBytes = size_t{4} << 20;
        size_t free_before_bytes = free_device_bytes();
        const size_t lost_bytes = lost_in_sweep(error, for_good, step, calls, free_before_bytes);
        if (HasFailure() || lost_bytes <= kSlackBytes) return;
        std::printf("%zu KiB less of the device's memory are free: the same faults again\n", lost_bytes >> 10);
        free_before_bytes -= lost_bytes;
        EXPECT_LE(lost_in_sweep(error, for_good, step, calls, free_before_bytes), kSlackBytes);
    }

    /// By how much less of the device's memory is free than before.
    size_t lost_in_sweep(cudaError_t error, bool for_good, int64_t step, int64_t calls, size_t free_before_bytes) {
        const int64_t objects = faults::live_objects();
        const auto failures = [] {
            return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
        };
        const int64_t first = number_in("FAULTS_FIRST", 1), every = number_in("FAULTS_EVERY", step);
        int64_t sessions = 0, told = -50, wrong = 0, nth = first;
        const auto tell = [&] {
            std::printf("call %lld of %lld, %lld sessions, %lld wrong\n", static_cast<long long>(nth),
                        static_cast<long long>(calls), static_cast<long long>(sessions), static_cast<long long>(wrong));
            std::fflush(stdout);
            told = sessions;
        };
        for (; nth <= calls && wrong < 5; nth += every) {
            if (sessions >= told + 50) tell();
            SCOPED_TRACE("call " + std::to_string(nth) + " of " + std::to_string(calls) + ": " +
                         cudaGetErrorString(error));
            const int failures_before = failures();
            faults::arm(nth, error, for_good);
            whole_session();
            const int errors = errors_;
            const std::string failed = faults::failed();
            faults::disarm();
            ++sessions;
            EXPECT_TRUE(for_good || errors <= 1) << errors << " errors behind " << failed;
            EXPECT_EQ(faults::live_objects(), objects) << "left behind " << failed;
            if (for_good || nth % 16 == 0) {
                whole_session();
                ++sessions;
                EXPECT_EQ(errors_, 0) << failed;
            }
            wrong += failures() > failures_before;
        }
        tell();
        return free_before_bytes - std::min(free_before_bytes, free_device_bytes());
    }

    static int64_t number_in(const char* variable, int64_t otherwise) {
        const char* text = std::getenv(variable);
        return text != nullptr ? std::max(std::atoll(text), 1LL) : otherwise;
    }

    std::vector<Request> requests_;
    std::vector<std::shared_ptr<const HostImage>> images_;
    cudaError_t error_ = cudaSuccess;
    int errors_ = 0;
    uint64_t serial_ = 0, image_serial_ = 0;
};

}  // namespace tonescope
