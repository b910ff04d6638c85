// Messages between the program and its processes without rights. Nothing that comes in is trusted: whatever does not
// fit ends as BadMessage.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tonescope::sandbox {

/// Closes what it holds.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }

  private:
    int fd_ = -1;
};

class BadMessage : public std::runtime_error {
  public:
    BadMessage() : std::runtime_error("a message that does not fit") {}
};

/// Numbers and texts, one after the other.
class MessageWriter {
  public:
    MessageWriter& number(uint64_t value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    template <class Enum>
    requires std::is_enum_v<Enum> MessageWriter& number(Enum value) { return number(uint64_t(value)); }
    MessageWriter& text(std::string_view value) {
        number(value.size());
        bytes_.append(value);
        return *this;
    }
    std::string_view bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

class MessageReader {
  public:
    explicit MessageReader(std::span<const uint8_t> bytes) : left_(bytes) {}

    uint64_t number(uint64_t max) {
        uint64_t value = 0;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        if (value > max) throw BadMessage();
        return value;
    }
    /// The last value is the enumeration's `count`.
    template <class Enum>
    Enum choice() {
        return Enum(number(uint64_t(Enum::count) - 1));
    }
    std::string text(size_t max_bytes) {
        const auto bytes = take(size_t(number(max_bytes)));
        return {bytes.begin(), bytes.end()};
    }

  private:
    std::span<const uint8_t> take(size_t bytes) {
        if (bytes > left_.size()) throw BadMessage();
        const auto taken = left_.first(bytes);
        left_ = left_.subspan(bytes);
        return taken;
    }
    std::span<const uint8_t> left_;
};

/// One end of a connected pair of sockets.
class Channel {
  public:
    explicit Channel(Descriptor socket) : socket_(std::move(socket)) {}
    /// Empty where there are no more descriptors to be had.
    static std::optional<std::pair<Channel, Descriptor>> make_pair();

    /// Passes a descriptor on with the message, if there is one. False where the other end is closed.
    bool send(const MessageWriter& message, int passed = -1) noexcept;
    /// The same without waiting for room: false also where there is none.
    bool send_at_once(const MessageWriter& message) noexcept;
    /// The next message, which stands until the one after it; empty where the other end is closed. A descriptor that
    /// comes along is dropped where nobody asks for it. Throws BadMessage where the message is too long.
    std::optional<MessageReader> receive(Descriptor* passed = nullptr);
    /// Ends what either side waits for. May be called from another thread.
    void shut_down() noexcept;
    int fd() const { return socket_.get(); }

  private:
    bool send_bytes(std::string_view bytes, int passed, int flags) noexcept;

    static constexpr size_t kMax_bytes = size_t{1} << 16;
    Descriptor socket_;
    std::vector<uint8_t> buffer_;
};

}  // namespace tonescope::sandbox
