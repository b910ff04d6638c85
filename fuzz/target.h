// What is fuzzed. A target is a function that takes any bytes and returns; everything else (a crash, an exception, a
// sanitizer's report, fail()) is a defect.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tonescope::fuzz {

using Bytes = std::vector<uint8_t>;

struct Target {
    std::string name;  // that of its file, and behind an underline what else there is to say
    std::function<void(std::span<const uint8_t>)> run;
    std::vector<Bytes> seeds = {};             // inputs to start from
    std::vector<std::string> dictionary = {};  // words of such inputs
};

/// Those of this program. A file of targets has a file-scope object of this type, made with a function that adds some.
std::vector<Target>& targets();
struct Registration {
    explicit Registration(void (*add)(std::vector<Target>&));
};

/// The target of this name; ends the program where there is none.
const Target& find_target(const std::string& name);
/// Reports a defect that no sanitizer sees.
[[noreturn]] void fail(const std::string& what);
inline void require(bool holds, const char* what) {
    if (!holds) fail(what);
}

/// Numbers out of bytes; zeros once there are no more.
class Take {
  public:
    explicit Take(std::span<const uint8_t> bytes) : left_(bytes) {}

    uint8_t byte() {
        if (left_.empty()) return 0;
        const uint8_t value = left_.front();
        left_ = left_.subspan(1);
        return value;
    }
    /// Both ends included. Takes as many bytes as the range needs.
    int between(int64_t low, int64_t high) {
        uint64_t value = 0;
        for (int64_t range = high - low; range > 0; range >>= 8) value = value << 8 | byte();
        return int(low + int64_t(value % uint64_t(high - low + 1)));
    }
    std::span<const uint8_t> rest() const { return left_; }

  private:
    std::span<const uint8_t> left_;
};

}  // namespace tonescope::fuzz
