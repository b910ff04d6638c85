#include "app/sandbox/channel.h"

#include <sys/socket.h>

#include <cerrno>

namespace tonescope::sandbox {

std::optional<std::pair<Channel, Descriptor>> Channel::make_pair() {
    int ends[2];
    // Keeps messages apart, and says when the other end is closed.
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return {};
    return std::pair{Channel(Descriptor(ends[0])), Descriptor(ends[1])};
}

bool Channel::send(const MessageWriter& message, int passed) noexcept {
    return send_bytes(message.bytes(), passed, 0);
}

bool Channel::send_at_once(const MessageWriter& message) noexcept {
    return send_bytes(message.bytes(), -1, MSG_DONTWAIT);
}

bool Channel::send_bytes(std::string_view bytes, int passed, int flags) noexcept {
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof passed)] = {};
    if (passed >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof passed);
        std::memcpy(CMSG_DATA(header), &passed, sizeof passed);
    }
    while (true) {
        if (sendmsg(fd(), &message, MSG_NOSIGNAL | flags) >= 0) return true;
        if (errno != EINTR) return false;
    }
}

std::optional<MessageReader> Channel::receive(Descriptor* passed) {
    buffer_.resize(kMax_bytes);
    iovec part{buffer_.data(), buffer_.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (passed != nullptr) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
    }
    ssize_t bytes = 0;
    // What the other end has left unread when it closed is told once, before the messages that it has sent.
    do {
        bytes = recvmsg(fd(), &message, MSG_CMSG_CLOEXEC);
    } while (bytes < 0 && (errno == EINTR || errno == ECONNRESET));
    if (bytes <= 0) return {};
    const cmsghdr* const header = passed == nullptr ? nullptr : CMSG_FIRSTHDR(&message);
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
        *passed = Descriptor(fd);
    }
    if ((message.msg_flags & MSG_TRUNC) != 0) throw BadMessage();
    return MessageReader({buffer_.data(), size_t(bytes)});
}

void Channel::shut_down() noexcept {
    shutdown(fd(), SHUT_RDWR);
}

}  // namespace tonescope::sandbox
