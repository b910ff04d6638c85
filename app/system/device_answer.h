// Whether a CUDA device still answers. One that does not keeps whoever calls CUDA waiting for ever.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "gpu/core/backend.h"

namespace tonescope {

/// Who waits for the device so long asks it whether it answers.
inline constexpr std::chrono::seconds kDevicePatience{10};
inline constexpr const char* kSilent = "the GPU does not answer";

/// On a thread that nobody waits for. Empty where none can be started.
template <class Job>
std::future<void> run_apart(Job job) {
    std::packaged_task<void()> task(std::move(job));
    std::future<void> end = task.get_future();
    try {
        std::thread(std::move(task)).detach();
    } catch (const std::system_error&) {
        return {};
    }
    return end;
}

/// Asks the device for something small. Ready once it has answered, or with DeviceError. Empty where no thread can be
/// started. `device`: -1: the first one.
std::future<void> ask_device(int device);

/// As make_cuda_backend(), and throws DeviceError as well where the device has not answered within kDevicePatience.
std::unique_ptr<Backend> make_answering_backend(int device = -1);

/// For a run without a window, which nobody watches: while the object lives, the program ends with status 1 and a line
/// where a device that has a backend ceases to answer.
class SilenceGuard {
  public:
    /// `ask`: as ask_device(), every `interval`; its answer may take as long as `patience`.
    explicit SilenceGuard(std::function<std::future<void>(int device)> ask = ask_device,
                          std::chrono::milliseconds interval = std::chrono::seconds(10),
                          std::chrono::milliseconds patience = std::chrono::seconds(30));
    ~SilenceGuard();
    SilenceGuard(const SilenceGuard&) = delete;
    SilenceGuard& operator=(const SilenceGuard&) = delete;

    /// From now on, once. Any thread may call it.
    void watch(int device);

  private:
    std::function<std::future<void>(int device)> ask_;
    std::chrono::milliseconds interval_, patience_;
    std::mutex mutex_;
    std::jthread watcher_;
};

}  // namespace tonescope
