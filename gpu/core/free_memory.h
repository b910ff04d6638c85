// How much memory may be taken, so that an image that is too large for the machine costs a line of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace tonescope {

/// What may be taken now: the least of what the machine has available, what the process's control groups (versions 1
/// and 2) leave, and what its own limit (RLIMIT_AS) leaves, less a reserve of 64 MB, or a sixteenth where that is more,
/// for everything else. What is being given back counts as there: it is waited for. Where nothing says so, there is no
/// limit (UINT64_MAX). `root` stands in front of /proc and /sys/fs/cgroup, for tests; with another one the process's
/// own limit is not looked at.
uint64_t free_memory_bytes(const std::string& root = "");

/// From now on free_memory_bytes() says this: for a process that may not look, or has a limit of its own.
void set_free_memory(uint64_t bytes);

/// What the thread may take while this lives, where free_memory_bytes() is more: its share beside other threads.
class MemoryShare {
  public:
    explicit MemoryShare(uint64_t bytes);
    ~MemoryShare();
    MemoryShare(const MemoryShare&) = delete;
    MemoryShare& operator=(const MemoryShare&) = delete;
};

/// Images that take no more may always be tried: looking costs a tenth of a millisecond, as much as filling a megabyte.
inline constexpr uint64_t kAlwaysTried_bytes = uint64_t{32} << 20;
/// Throws MemoryError, which holds both figures, where an image needs more than may be taken.
void check_memory(uint64_t needed_bytes);
/// The same for something that may take `limit_bytes` at most.
void check_memory(uint64_t needed_bytes, uint64_t limit_bytes);

/// "850 MB", "4.3 GB": rounded to the nearest tenth of a GB, up to the next MB below one.
std::string memory_text(uint64_t bytes);

/// From now on give_back() leaves large blocks to a thread of its own, if one can start: the kernel takes 5 to 7 ms for
/// 96 MB, a good part of what a frame may take.
void give_back_aside();
/// Frees what ::operator new[](bytes, alignment) has made.
void give_back(void* block, size_t bytes, std::align_val_t alignment) noexcept;

/// Frees the memory that images which have gone left for the next ones of their size: two blocks of at most 64 MB.
void free_kept_pixels() noexcept;

}  // namespace tonescope
