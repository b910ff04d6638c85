// Runs each CUDA variant once, for a profiler that counts what its kernels do, and says what it declares. A variant's
// kernels are those before the kernel that measures the clock. See counters.py.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/benchmark/cases.h"
#include "gpu/core/benchmark/contents.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

std::string text(std::string_view id) {
    return std::string(id);
}

struct Choice {
    std::string content = "noise";
    NamedSize size{"4k", 3840, 2160};
    std::string variant;                                           // empty: all of them
    std::vector<std::string> ops = {};                             // empty: all of them
    std::vector<std::pair<std::string, std::string>> values = {};  // of parameters
};

void run_variants(Backend& backend, const OperatorInfo& op, const Choice& choice, const HostImage& image) {
    for (const VariantInfo* variant : variants_of(op.id)) {
        // Those that refuse large images run on one thread, which a profiler would repeat for minutes.
        if (variant->backend != BackendKind::cuda || variant->max_pixels > 0) continue;
        if (!choice.variant.empty() && variant->id != choice.variant) continue;
        RunSpec spec = default_run(op, variant);
        for (const auto& [id, value] : choice.values) set_param(spec, id, value);
        std::printf("variant\t%s\t%s\t%s\t%lld\n", text(op.id).c_str(), text(variant->id).c_str(),
                    variant->source.empty() ? text(variant->name).c_str() : text(variant->source).c_str(),
                    static_cast<long long>(image.spec().pixels()));
        const ValueSpread values = spread_of(image.view());
        for (const StageWork& stage : variant->work({image.spec(), spec.params, spec.variant_params, values}))
            std::printf("work\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\n", text(stage.stage).c_str(),
                        stage.amounts.bytes, stage.amounts.shared_bytes, stage.amounts.l1_bytes,
                        stage.amounts.operations, stage.amounts.shared_atomics, stage.amounts.global_atomics);
        for (const KernelResources& kernel : backend.run(image.view(), spec).resources)
            std::printf("kernel\t%s\t%s\t%.0f\n", text(kernel.stage).c_str(), kernel.kernel.c_str(),
                        kernel.occupancy_percent);
        backend.clock();
    }
}

/// [--size SIZE] [--variant ID] [--set NAME=VALUE]... [CONTENT [OPERATOR...]]
Choice choice_of(const std::vector<std::string>& arguments) {
    Choice choice;
    bool has_content = false;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (word.starts_with("--")) {
            const std::string value = i + 1 < arguments.size() ? arguments[++i] : "";
            if (word == "--size")
                choice.size = sizes_of(value, word).at(0);
            else if (word == "--variant")
                choice.variant = value;
            else if (word == "--set" && value.find('=') != std::string::npos)
                choice.values.emplace_back(value.substr(0, value.find('=')), value.substr(value.find('=') + 1));
            else
                throw UsageError(word + " " + value + ": expected --size SIZE, --variant ID or --set NAME=VALUE");
        } else if (has_content) {
            choice.ops.push_back(word);
        } else {
            choice.content = word;
            has_content = true;
        }
    }
    return choice;
}

void run(const Choice& choice) {
    const auto backend = make_cuda_backend();
    for (const OperatorInfo* op : operators()) {
        if (!choice.ops.empty() && std::ranges::count(choice.ops, op->id) == 0) continue;
        const PixelFormat format = op->id == "kuwahara" ? PixelFormat::rgba8 : PixelFormat::gray8;
        const ImageSpec size{choice.size.width, choice.size.height, format, false};
        run_variants(*backend, *op, choice, make_image(choice.content, size, default_cpu_threads()));
    }
}

}  // namespace
}  // namespace tonescope

int main(int argc, char** argv) {
    try {
        tonescope::run(tonescope::choice_of({argv + 1, argv + argc}));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
