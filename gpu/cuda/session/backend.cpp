// Runs CUDA variants one at a time and waits for them, in every memory mode.
#include "gpu/core/backend.h"
#include "gpu/cuda/session/round_trip.h"

namespace tonescope {
namespace {

class CudaBackend final : public Backend {
  public:
    explicit CudaBackend(int device) : run_(device) {}

    BackendKind kind() const override { return BackendKind::cuda; }
    std::string device_name() const override { return run_.device().name; }
    int64_t lanes() const override {
        return int64_t{run_.device().multiprocessors} * run_.device().threads_per_multiprocessor;
    }
    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop) override {
        return run_.run(input, spec, stop);
    }

  private:
    RoundTrip run_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device) {
    return std::make_unique<CudaBackend>(device);
}

}  // namespace tonescope
