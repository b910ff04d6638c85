// Times variants of the operators, copies and other libraries side by side. See bench/README.md.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <map>
#include <memory>

#include "app/image_io/image_io.h"
#include "bench/cpu/cpu_bench.h"
#include "bench/cpu/decode.h"
#include "bench/cuda/cuda_bench.h"
#include "bench/images.h"
#include "bench/options.h"
#include "bench/results.h"
#include "gpu/core/error.h"

namespace tonescope::bench {
namespace {

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[16];
    std::strftime(text, sizeof(text), "%Y-%m-%d", std::gmtime(&now));
    return text;
}

Facts facts_of(int argc, char** argv, const Options& options, const CudaBench* cuda) {
    Facts facts{.command = "tonescope_bench",
                .date = today(),
                .version = TONESCOPE_VERSION,
                .cpu = cpu_device_name(options.threads),
                .threads = options.threads};
    for (int i = 1; i < argc; ++i) facts.command += std::string(" ") + argv[i];
    if (const std::string opencv = opencv_name(); !opencv.empty()) facts.cpu += ", " + opencv;
    if (cuda != nullptr) {
        facts.gpu = cuda->device_name();
        facts.cuda = cuda->cuda_version();
        facts.l2_bytes = cuda->l2_bytes();
    }
    return facts;
}

class Bench {
  public:
    Bench(const Options& options, CudaBench* cuda, Results& results)
        : options_(options), cuda_(cuda), results_(results) {}

    void run() {
        for (const std::string& path : options_.decode) run_decoders(path);
        if (!options_.decode.empty()) return;
        for (const std::string& content : options_.contents) {
            const HostImage file = is_file(content) ? load_image(content).image : HostImage();
            for (const std::string& size_name : options_.sizes) {
                if (size_name == "image" && file.empty())
                    throw UsageError("--size image goes with an image file as --content");
                for (const Size& size : sizes_of(size_name, &file))
                    for (const std::string& format : options_.formats) run_scene(content, file, size, format);
            }
        }
    }

  private:
    void run_decoders(const std::string& path) {
        const ImageSpec spec = load_image(path).image.spec();
        const std::string format = spec.format == PixelFormat::gray8 ? "gray" : "rgba";
        results_.begin({std::to_string(spec.width) + "x" + std::to_string(spec.height), format, path, spec});
        for (const Measured& measured : time_decoders(path, spec, options_.seconds)) add(measured);
    }

    void run_scene(const std::string& content, const HostImage& file, const Size& size, const std::string& format) {
        const ImageSpec spec{size.width, size.height, format == "gray" ? PixelFormat::gray8 : PixelFormat::rgba8,
                             false};
        const HostImage image = file.empty() ? make_image(content, spec) : make_image(file, spec);
        results_.begin({size.name, format, content, spec});
        if (cuda_ != nullptr) {
            add(cuda_->begin(image));
            if (options_.transfers)
                for (const Measured& transfer : cuda_->time_transfers()) add(transfer);
        }
        const std::vector<std::string> values =
            options_.sweep.empty() ? std::vector<std::string>{""} : options_.sweep_values;
        for (const std::string& op : options_.ops) {
            if (op == kHistogram256) {
                if (cuda_ != nullptr)
                    for (const Measured& histogram : cuda_->time_histograms()) add(histogram);
                continue;
            }
            for (const std::string& value : values) run_operator(image, *find_operator(op), value);
        }
    }

    void run_operator(const HostImage& image, const OperatorInfo& op, const std::string& value) {
        std::vector<const VariantInfo*> variants = variants_of(op.id);
        std::erase_if(variants, [&](const VariantInfo* variant) {
            const bool wanted = variant->backend == BackendKind::cuda ? cuda_ != nullptr : options_.cpu;
            return !wanted || (!options_.variants.empty() &&
                               std::ranges::find(options_.variants, variant->id) == options_.variants.end());
        });
        if (variants.empty()) return;
        const RunSpec spec = spec_of(options_, op, nullptr, value);
        const Answer expected = make_answer(image, spec, options_.threads);
        run_on_cpu(image, variants, value, expected);
        if (cuda_ == nullptr) return;
        for (const VariantInfo* variant : variants)
            if (variant->backend == BackendKind::cuda) run_on_gpu(spec_of(options_, op, variant, value), expected);
        if (!options_.peers) return;
        for (Measured& peer : cuda_->time_peers(spec, expected)) {
            peer.subject.parameters = describe(options_, op, nullptr, spec);
            add(peer);
        }
    }

    void run_on_cpu(const HostImage& image, const std::vector<const VariantInfo*>& variants, const std::string& value,
                    const Answer& expected) {
        if (!options_.cpu) return;
        const OperatorInfo& op = *find_operator(variants[0]->op);
        std::vector<CpuRun> runs;
        for (const VariantInfo* variant : variants) {
            if (variant->backend != BackendKind::cpu) continue;
            const RunSpec spec = spec_of(options_, op, variant, value);
            runs.push_back(cpu_run_of_variant(image, spec, expected, options_.threads, options_.stages));
            runs.back().subject = subject_of(spec);
        }
        const RunSpec spec = spec_of(options_, op, nullptr, value);
        if (options_.peers) {
            if (auto run = cpu_run_of_opencv(image, spec, expected, options_.threads)) {
                run->subject = {std::string(op.id), "peer", opencv_name(), "cpu",
                                describe(options_, op, nullptr, spec)};
                runs.push_back(std::move(*run));
            }
        }
        for (const Measured& measured : time_in_turn(runs, least_bytes(image, expected), options_.seconds))
            add(measured);
    }

    void run_on_gpu(const RunSpec& spec, const Answer& expected) {
        try {
            add({subject_of(spec), cuda_->time_variant(spec, expected), {}});
        } catch (const UserError& error) {
            results_.add_not_run(subject_of(spec), error.what());
        }
    }

    Subject subject_of(const RunSpec& spec) const {
        return {std::string(spec.op->id), "variant", std::string(spec.variant->id),
                std::string(to_string(spec.variant->backend)), describe(options_, *spec.op, spec.variant, spec)};
    }

    void add(const Measured& measured) {
        if (!measured.not_run.empty()) results_.add_not_run(measured.subject, measured.not_run);
        for (const Timing& timing : measured.timings) results_.add(measured.subject, timing);
    }

    const Options& options_;
    CudaBench* cuda_;
    Results& results_;
};

int run(int argc, char** argv) {
    Options options;
    if (const std::optional<int> status = parse_options(argc, argv, options)) return *status;
    std::unique_ptr<CudaBench> cuda;
    if (options.cuda && options.decode.empty()) {
        try {
            cuda = std::make_unique<CudaBench>(options);
        } catch (const DeviceError& error) {
            if (options.cuda_required) throw;
            std::printf("no GPU: %s\n", error.what());
        }
    }
    Results results(facts_of(argc, argv, options, cuda.get()));
    Bench(options, cuda.get(), results).run();
    if (!options.json.empty()) results.write_json(options.json);
    if (!options.csv.empty()) results.write_csv(options.csv);
    return results.any_wrong() ? 1 : 0;
}

}  // namespace
}  // namespace tonescope::bench

int main(int argc, char** argv) {
    using namespace tonescope;
    try {
        return bench::run(argc, argv);
    } catch (const UsageError& error) {
        std::fprintf(stderr, "tonescope_bench: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tonescope_bench: %s\n", error.what());
        return 1;
    }
}
