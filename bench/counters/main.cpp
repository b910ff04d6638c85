// Runs each CUDA variant once at 4K, for a profiler that counts what its kernels do, and says what it declares. A
// variant's kernels are those before the kernel that measures the clock. See counters.py.
#include <cstdio>
#include <exception>
#include <random>

#include "gpu/core/backend.h"

namespace tonescope {
namespace {

HostImage noise(const ImageSpec& spec) {
    HostImage image(spec);
    std::mt19937 random(1);
    for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = uint8_t(random() >> 24);
    return image;
}

void run_variants(Backend& backend, const OperatorInfo& op, const HostImage& image) {
    for (const VariantInfo* variant : variants_of(op.id)) {
        // Those that refuse large images run on one thread, which a profiler would repeat for minutes.
        if (variant->backend != BackendKind::cuda || variant->max_pixels > 0) continue;
        const RunSpec spec = default_run(op, variant);
        const Amounts work = total_of(variant->work({image.spec(), spec.params, spec.variant_params}));
        std::printf("%s\t%s\t%lld\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\n", std::string(op.id).c_str(),
                    std::string(variant->id).c_str(), static_cast<long long>(image.spec().pixels()), work.bytes,
                    work.shared_bytes, work.operations, work.shared_atomics, work.global_atomics);
        backend.run(image.view(), spec);
        backend.clock();
    }
}

int run() {
    const auto backend = make_cuda_backend();
    for (const OperatorInfo* op : operators())
        run_variants(*backend, *op,
                     noise({3840, 2160, op->id == "kuwahara" ? PixelFormat::rgba8 : PixelFormat::gray8, false}));
    return 0;
}

}  // namespace
}  // namespace tonescope

int main() {
    try {
        return tonescope::run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
