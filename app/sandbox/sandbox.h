// Processes without rights: the program starts itself once more, without a window or a GPU, as the supervisor. That one
// has a single thread and sees nothing from outside, so that it can fork a process for each file within a fraction of a
// millisecond, confine it, and end it when its time is up or nobody waits for it any more.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "app/sandbox/channel.h"
#include "app/sandbox/confinement.h"

namespace tonescope::sandbox {

/// Whether this is what main() was called for. Then it has to call supervise() before anything else.
bool is_supervisor(int argc, char** argv);
/// Serves until the program ends. `work` does what a confined process is for. One that has not computed for as long as
/// `patience` is ended.
[[noreturn]] void supervise(void (*work)(Channel& channel),
                            std::chrono::milliseconds patience = std::chrono::minutes(1));

/// What the program and a confined process may share of memory.
inline constexpr uint64_t kShared_bytes = uint64_t{1} << 25;

/// Starts the supervisor. Until then, and where that fails, there are no confined processes.
void start();

/// The channel to a new confined process; empty where there is none on this machine. The process ends once the channel
/// is closed. Throws UserError where one cannot be started now, Canceled once `stop` is set.
std::optional<Channel> open(const Limits& limits, const std::stop_token& stop = {});

/// The first number of a message. The last one of all is the supervisor's, and open() takes the greeting; those of
/// `work` begin with kOfWork or more.
enum : uint64_t { kEnded, kGreeting, kOfWork };
enum class Ending : uint8_t { by_itself, idle, not_started, count };
/// The status of a confined process that ends since it lacks memory even to say so.
inline constexpr int kLacksMemory = 3;
/// What a person is told of that.
inline constexpr const char* kTooLittleMemory = "too little memory for it";
/// What the rest of it says, for a person: "its decoder crashed (segmentation fault)".
std::string end_text(MessageReader& rest, const std::string& process);

/// For --info: "in a process without rights (seccomp, Landlock 3)", or "in this process: " and why.
std::string describe();

}  // namespace tonescope::sandbox
