// Times variants of the operators, copies and other libraries side by side. See bench/README.md.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>

#include "app/image_io/image_io.h"
#include "bench/cpu/cpu_bench.h"
#include "bench/gpu_bench.h"
#include "gpu/core/benchmark/contents.h"
#include "gpu/core/error.h"

namespace tonescope::bench {
namespace {

Json facts_of(int argc, char** argv, const Options& options, const GpuBench* gpu) {
    const std::time_t now = std::time(nullptr);
    char date[16];
    std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
    std::string command = "tonescope_bench";
    for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
    const std::string opencv = opencv_name();
    Json facts{{"command", command},
               {"date", date},
               {"version", TONESCOPE_VERSION},
               {"gpu", ""},
               {"cuda", ""},
               {"l2_bytes", 0},
               {"cpu", cpu_device_name(options.threads) + (opencv.empty() ? "" : ", " + opencv)}};
    if (gpu != nullptr) facts.update(gpu->facts());
    return facts;
}

void print(const Json& facts) {
    if (const std::string gpu = facts["gpu"]; !gpu.empty())
        std::printf("GPU: %s, L2 %.0f MiB, CUDA %s\n", gpu.c_str(), facts["l2_bytes"].get<double>() / (1 << 20),
                    facts["cuda"].get<std::string>().c_str());
    std::printf("CPU: %s\n", facts["cpu"].get<std::string>().c_str());
    std::printf("Microseconds a run: median, 10th and 90th percentile; bytes: those a run moves at least\n");
}

class Bench {
  public:
    Bench(const Options& options, GpuBench* gpu, Results& results) : options_(options), gpu_(gpu), results_(results) {}

    void run() {
        for (const std::string& path : options_.decode) run_decoders(path);
        if (!options_.decode.empty()) return;
        for (const std::string& content : options_.contents) {
            const HostImage file = is_file(content) ? load_image(content).image : HostImage();
            for (const std::string& size_name : options_.sizes) {
                const bool own_size = size_name == kImageSize;
                if (own_size && file.empty()) throw UsageError("--size image goes with an image file as --content");
                const std::string name =
                    own_size ? std::to_string(file.width()) + "x" + std::to_string(file.height()) : size_name;
                for (const NamedSize& size : sizes_of(name, "--size"))
                    for (const std::string& format : options_.formats) run_scene(content, file, size, format);
            }
        }
    }

  private:
    void run_decoders(const std::string& path) {
        const ImageSpec spec = load_image(path, {}, nullptr, {.keeps_depth = true}).image.spec();
        const std::string format =
            std::string(is_gray(spec.format) ? "gray" : "rgba") + (is_deep(spec.format) ? "16" : "");
        results_.begin({std::to_string(spec.width) + "x" + std::to_string(spec.height), format, path, spec});
        add(time_decoders(path, spec, options_.seconds));
    }

    void run_scene(const std::string& content, const HostImage& file, const NamedSize& size,
                   const std::string& format) {
        const NamedFormat& known = *std::ranges::find(kFormats, format, &NamedFormat::name);
        const ImageSpec spec{size.width, size.height, known.format, false, known.max_sample};
        const HostImage image = file.empty() ? make_image(content, spec, options_.threads)
                                             : mirrored_image(file.view(), spec, options_.threads);
        results_.begin({size.name, format, content, spec});
        if (gpu_ != nullptr) add(gpu_->begin(image));
        if (gpu_ != nullptr && options_.transfers) add(gpu_->time_transfers());
        for (const std::string& op : options_.ops) {
            if (op != kHistogram256) {
                for (const std::string& value : options_.sweep_values) run_operator(image, *find_operator(op), value);
            } else if (gpu_ != nullptr) {
                add(gpu_->time_histograms());
            }
        }
    }

    void run_operator(const HostImage& image, const OperatorInfo& op, const std::string& value) {
        std::vector<RunSpec> on_cpu, on_gpu;
        for (const VariantInfo* variant : variants_of(op.id)) {
            const auto& wanted = options_.variants;
            if (!wanted.empty() && std::ranges::find(wanted, variant->id) == wanted.end()) continue;
            const bool is_cuda = variant->backend == BackendKind::cuda;
            const RunSpec run = spec_of(options_, op, variant, value);
            if (!refusal(op, *variant, run.params, image.spec()).empty()) continue;
            if (is_cuda ? gpu_ != nullptr : options_.backend != "cuda") (is_cuda ? on_gpu : on_cpu).push_back(run);
        }
        if (on_cpu.empty() && on_gpu.empty()) return;
        const RunSpec spec = spec_of(options_, op, nullptr, value);
        const RunResult expected = make_answer(image, spec, options_.threads);
        if (options_.backend != "cuda") run_on_cpu(image, on_cpu, spec, expected);
        for (const RunSpec& run : on_gpu) {
            const Subject subject = subject_of(run);
            add(attempt(subject, [&] { return gpu_->time_variant(run, expected, subject); }));
        }
        if (gpu_ == nullptr || !options_.peers || is_deep(image.spec().format)) return;
        Rows peers = gpu_->time_peers(spec, expected);
        for (Row& peer : peers) peer.subject.parameters = describe(options_, spec);
        add(peers);
    }

    void run_on_cpu(const HostImage& image, const std::vector<RunSpec>& specs, const RunSpec& spec,
                    const RunResult& expected) {
        std::vector<CpuRun> runs;
        for (const RunSpec& variant : specs) {
            runs.push_back(cpu_run_of_variant(image, variant, expected, options_.threads, options_.stages));
            runs.back().subject = subject_of(variant);
        }
        if (options_.peers) {
            if (auto run = cpu_run_of_opencv(image, spec, expected, options_.threads)) {
                run->subject = {std::string(spec.op->id), "peer", opencv_name(), "cpu", describe(options_, spec)};
                runs.push_back(std::move(*run));
            }
        }
        add(time_in_turn(runs, least_bytes(image, expected), options_.seconds));
    }

    Subject subject_of(const RunSpec& spec) const {
        return {std::string(spec.op->id), "variant", std::string(spec.variant->id),
                std::string(to_string(spec.variant->backend)), describe(options_, spec)};
    }

    void add(const Rows& rows) {
        for (const Row& row : rows) results_.add(row);
    }

    const Options& options_;
    GpuBench* gpu_;
    Results& results_;
};

int run(int argc, char** argv) {
    Options options;
    if (const std::optional<int> status = parse_options(argc, argv, options)) return *status;
    std::unique_ptr<GpuBench> gpu;
    if (options.backend != "cpu" && options.decode.empty()) {
        try {
            gpu = make_gpu_bench(options);
        } catch (const DeviceError& error) {
            if (options.backend == "cuda") throw;
            std::printf("no GPU: %s\n", error.what());
        }
    }
    const Json facts = facts_of(argc, argv, options, gpu.get());
    print(facts);
    Results results;
    Bench(options, gpu.get(), results).run();
    if (!options.json.empty()) results.write_json(options.json, facts);
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
