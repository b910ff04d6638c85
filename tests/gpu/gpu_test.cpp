#include "tests/gpu/gpu_test.h"

#include <chrono>
#include <thread>

#include "gpu/core/error.h"

namespace tonescope {

void GpuTest::SetUp() {
    try {
        gpu_ = make_cuda_backend();
    } catch (const DeviceError& error) {
        GTEST_SKIP() << error.what();
    }
}

HostImage make_test_image(const ImageSpec& spec, uint32_t seed, size_t pitch_bytes) {
    HostImage image(spec, pitch_bytes);
    uint32_t state = seed;
    for (int y = 0; y < spec.height; ++y) {
        uint8_t* row = image.mutable_view().row(y);
        for (int x = 0; x < spec.width; ++x) {
            for (int c = 0; c < bytes_per_pixel(spec.format); ++c, ++row) {
                state = state * 1664525 + 1013904223;
                *row = c == 3 && !spec.has_alpha ? 255 : uint8_t((x + 2 * y) / 5 + int(state >> 27));
            }
        }
    }
    return image;
}

RunSpec make_spec(std::string_view op, std::string_view variant,
                  std::initializer_list<std::pair<std::string_view, int32_t>> values) {
    RunSpec spec{.op = find_operator(op), .variant = find_variant(op, variant)};
    spec.params = default_values(spec.op->params);
    spec.variant_params = default_values(spec.variant->params);
    for (const auto& [id, value] : values) spec.params.set(*find_param(spec.op->params, id), value);
    return spec;
}

RunResult run_reference(const ImageView& image, const RunSpec& spec) {
    return make_cpu_backend()->run(
        image, {.op = spec.op, .variant = &reference_of(spec.op->id), .params = spec.params, .part = spec.part});
}

LiveResult wait_for_result(LiveSession& session, uint64_t serial) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
        std::optional<LiveResult> result = session.poll();
        if (result && result->serial == serial && !result->preview) return std::move(*result);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "no result of request " << serial;
    return {};
}

}  // namespace tonescope
