// Runs CPU variants one at a time.
#include <algorithm>
#include <thread>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

class CpuBackend final : public Backend {
  public:
    CpuBackend(int threads, RunProgress* progress) : threads_(threads), progress_(progress) {}

    BackendKind kind() const override { return BackendKind::cpu; }
    std::string device_name() const override { return cpu_device_name(threads_); }
    int64_t lanes() const override { return threads_; }

    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop) override {
        if (spec.variant->run_cpu == nullptr)
            throw UserError(std::string(spec.op->id) + " " + std::string(spec.variant->id) +
                            " does not run on the CPU backend");
        RunResult result;
        CpuJob job{.input = input,
                   .params = spec.params,
                   .variant_params = spec.variant_params,
                   .threads = threads_,
                   .stop = stop,
                   .stages = &result.stages,
                   .progress = progress_};
        if (spec.op->makes_bins) {
            job.bins = &result.bins.emplace();
        } else {
            result.image = HostImage(spec.op->output_spec(input.spec, spec.params));
            job.output = result.image.mutable_view();
        }
        spec.variant->run_cpu(job);
        if (stop.stop_requested()) throw Cancelled{};
        return result;
    }

  private:
    int threads_;
    RunProgress* progress_;
};

}  // namespace

int default_cpu_threads() {
    return std::max(1, int(std::thread::hardware_concurrency()));
}

std::string cpu_device_name(int threads) {
    return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::unique_ptr<Backend> make_cpu_backend(int threads, RunProgress* progress) {
    return std::make_unique<CpuBackend>(threads > 0 ? threads : default_cpu_threads(), progress);
}

}  // namespace tonescope
