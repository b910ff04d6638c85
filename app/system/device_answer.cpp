#include "app/system/device_answer.h"

#include <atomic>
#include <condition_variable>
#include <stop_token>

#include "app/system/ending.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "gpu/present/presenter.h"

namespace tonescope {
namespace {

std::atomic<SilenceGuard*> guard = nullptr;

}  // namespace

std::future<void> ask_device(int device) {
    return run_apart([device] { await_device(device); });
}

std::unique_ptr<Backend> make_answering_backend(int device) {
    const std::future<void> answer = ask_device(device);  // what it throws, make_cuda_backend() throws again
    if (answer.valid() && answer.wait_for(kDevicePatience) != std::future_status::ready) throw DeviceError(kSilent);
    std::unique_ptr<Backend> backend = make_cuda_backend(device);
    if (SilenceGuard* const watching = guard) watching->watch(device);
    return backend;
}

SilenceGuard::SilenceGuard(std::function<std::future<void>(int device)> ask, std::chrono::milliseconds interval,
                           std::chrono::milliseconds patience)
    : ask_(std::move(ask)), interval_(interval), patience_(patience) {
    guard = this;
}

SilenceGuard::~SilenceGuard() {
    guard = nullptr;
}

void SilenceGuard::watch(int device) {
    const std::lock_guard lock(mutex_);
    if (watcher_.joinable()) return;
    const auto look = [this, device](const std::stop_token& done) {
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock_on(mutex);
        const auto is_over = [&] { return done.stop_requested(); };
        while (!stopped.wait_for(lock_on, done, interval_, is_over)) {
            const std::future<void> answer = ask_(device);
            if (!answer.valid()) continue;
            const auto until = std::chrono::steady_clock::now() + patience_;
            constexpr std::chrono::milliseconds kLook{20};
            while (!is_over() && answer.wait_for(kLook) != std::future_status::ready)
                if (std::chrono::steady_clock::now() > until)  // files that are being written may still finish
                    return end_within(kEndPatience, 1, error_line(kSilent));
        }
    };
    try {
        watcher_ = std::jthread(look);
    } catch (const std::system_error&) {  // no thread to be had: whoever waits ends the program by Ctrl+C
    }
}

}  // namespace tonescope
