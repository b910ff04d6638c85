// Runs each CUDA variant once at 4K, for a profiler that counts what its kernels do, and says what it declares. A
// variant's kernels are those before the kernel that measures the clock. See counters.py.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/benchmark/contents.h"

namespace tonescope {
namespace {

std::string text(std::string_view id) {
    return std::string(id);
}

void run_variants(Backend& backend, const OperatorInfo& op, const HostImage& image) {
    for (const VariantInfo* variant : variants_of(op.id)) {
        // Those that refuse large images run on one thread, which a profiler would repeat for minutes.
        if (variant->backend != BackendKind::cuda || variant->max_pixels > 0) continue;
        const RunSpec spec = default_run(op, variant);
        std::printf("variant\t%s\t%s\t%s\t%lld\n", text(op.id).c_str(), text(variant->id).c_str(),
                    variant->source.empty() ? text(variant->name).c_str() : text(variant->source).c_str(),
                    static_cast<long long>(image.spec().pixels()));
        const ValueSpread values = spread_of(image.view());
        for (const StageWork& stage : variant->work({image.spec(), spec.params, spec.variant_params, values}))
            std::printf("work\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\n", text(stage.stage).c_str(), stage.amounts.bytes,
                        stage.amounts.shared_bytes, stage.amounts.operations, stage.amounts.shared_atomics,
                        stage.amounts.global_atomics);
        for (const KernelResources& kernel : backend.run(image.view(), spec).resources)
            std::printf("kernel\t%s\t%s\t%.0f\n", text(kernel.stage).c_str(), kernel.kernel.c_str(),
                        kernel.occupancy_percent);
        backend.clock();
    }
}

/// `arguments`: a content, and ids of operators; all of them where there are none.
void run(const std::vector<std::string>& arguments) {
    const auto backend = make_cuda_backend();
    const std::string content = arguments.empty() ? "noise" : arguments[0];
    for (const OperatorInfo* op : operators()) {
        if (arguments.size() > 1 && std::ranges::count(arguments, op->id) == 0) continue;
        const PixelFormat format = op->id == "kuwahara" ? PixelFormat::rgba8 : PixelFormat::gray8;
        run_variants(*backend, *op, make_image(content, {3840, 2160, format, false}, default_cpu_threads()));
    }
}

}  // namespace
}  // namespace tonescope

int main(int argc, char** argv) {
    try {
        tonescope::run({argv + 1, argv + argc});
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
