#include "tests/decoding/misdeeds.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace tonescope::test {
namespace {

using sandbox::MessageWriter;

constexpr const char* kNoRight = "tried what it has no right to";
constexpr const char* kLie = "its decoder gave no image";

sandbox::Channel& own_channel() {
    static auto* const channel = new sandbox::Channel(sandbox::Descriptor(sandbox::kChannel));
    return *channel;
}

MessageWriter begin(uint64_t width, uint64_t height, uint64_t format = 1, uint64_t max_sample = 255) {
    return MessageWriter()
        .number(image_io::kBegin)
        .number(width)
        .number(height)
        .number(format)
        .number(0)
        .number(max_sample);
}

MessageWriter done(uint64_t exif_lines = 0, uint64_t channels = 3) {
    return MessageWriter()
        .number(image_io::kDone)
        .text("PNG")
        .number(channels)
        .number(8)
        .number(0)
        .number(1)
        .number(1)
        .number(0)
        .number(exif_lines);
}

void say(const MessageWriter& message) {
    own_channel().send(message);
}

void rows(int times) {
    for (int i = 0; i < times; ++i) say(MessageWriter().number(image_io::kRows));
}

void lack_memory() {
    throw std::bad_alloc();
}

}  // namespace

const std::vector<Misdeed>& misdeeds() {
    static const std::vector<Misdeed> all = {
        {"crash", "its decoder crashed (signal ", [] { __builtin_trap(); }},
        {"starve", "too little memory for it", []() noexcept { lack_memory(); }},
        {"exit", "its decoder ended too early", [] { _exit(0); }},
        {"open", kNoRight, [] { (void)::open("/etc/passwd", O_RDONLY); }},
        {"create", kNoRight, [] { (void)::open("/tmp/tonescope-created", O_WRONLY | O_CREAT, 0600); }},
        {"remove", kNoRight, [] { ::unlink("/tmp/tonescope-created"); }},
        {"socket", kNoRight, [] { ::socket(AF_INET, SOCK_STREAM, 0); }},
        {"kill", kNoRight, [] { ::kill(getppid(), SIGKILL); }},
        {"fork", kNoRight, [] { (void)!::fork(); }},
        {"exec", kNoRight, [] { ::execl("/bin/true", "true", nullptr); }},
        {"system", kNoRight, [] { (void)!std::system("true"); }},
        {"ptrace", kNoRight, [] { syscall(SYS_ptrace, 16, getppid(), 0, 0); }},
        {"wait", "its decoder waited for too long",
         [] {
             int never = 0;
             while (true) syscall(SYS_futex, &never, FUTEX_WAIT, 0, nullptr, nullptr, 0);
         }},
        // What is only refused: it decodes all the same.
        {"stat", "",
         [] {
             struct stat info {};
             if (::stat("/etc/passwd", &info) == 0) _exit(0);
         }},
        {"code", "",
         [] {
             if (mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) _exit(0);
         }},
#ifndef TONESCOPE_SANITIZED
        {"write", "",
         [] {
             for (int fd = 4; fd < 64; ++fd)
                 if (::write(fd, "x", 1) == 1) _exit(0);
         }},
#endif
        // Messages that lie.
        {"empty", "its decoder ended too early", [] { say(MessageWriter()); }},
        {"unknown", kLie, [] { say(MessageWriter().number(1000)); }},
        {"cut", kLie, [] { say(MessageWriter().number(image_io::kBegin).number(10)); }},
        {"long", kLie, [] { say(MessageWriter().text(std::string(100'000, 'x'))); }},
        {"large", "sides may be 1 to 65535", [] { say(begin(65535, 65535)); }},
        {"wide", kLie, [] { say(begin(uint64_t{1} << 40, 1)); }},
        {"none", "sides may be 1 to 65535", [] { say(begin(0, 10)); }},
        {"format", kLie, [] { say(begin(10, 10, 7)); }},
        {"deep", kLie, [] { say(begin(10, 10, 3, 65535)); }},
        {"sample", kLie, [] { say(begin(10, 10, 1, 1000)); }},
        {"norows", kLie, [] { say(begin(10, 10)), say(done()); }},
        {"noimage", kLie, [] { say(done()); }},
        {"nobegin", kLie, [] { rows(1); }},
        {"many", kLie, [] { say(begin(10, 10)), rows(2); }},
        {"exif", kLie, [] { say(begin(10, 10)), rows(1), say(done(uint64_t{1} << 60)); }},
        {"channels", kLie, [] { say(begin(10, 10)), rows(1), say(done(0, 100)); }},
        {"progress", kLie, [] { say(MessageWriter().number(image_io::kProgress).number(5000)); }},
        {"flood", "", [] { rows(0), say(begin(65535, 100)), say(begin(3, 3)); }},
        {"text", "its line\\nand another\\x1b[2J",
         [] { say(MessageWriter().number(image_io::kFailed).number(0).text("its line\nand another\x1b[2J")); }},
        {"end", "its decoder ended too early",
         [] { say(MessageWriter().number(sandbox::kEnded).number(0).number(0)); }},
    };
    return all;
}

LoadedImage decode_or_misbehave(image_io::FileReader& file, const std::string& extension, const LoadRequest& request) {
    const auto found = std::ranges::find(misdeeds(), extension, &Misdeed::name);
    if (found != misdeeds().end()) found->act();
    while (extension == "spin") {
        static volatile int turns = 0;
        turns = turns + 1;
    }
    if (extension == "vast") say(begin(23000, 23000));
    if (extension == "hoard") {
        std::vector<uint8_t> much(size_t{1} << 30);
        file.read_at(0, much);
    }
    return image_io::decode(file, extension, request);
}

}  // namespace tonescope::test
