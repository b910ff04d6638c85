// The pages under large blocks of memory. To write a page for the first time takes longer than to copy it; a large page
// takes a fraction of the time of the small ones in its place.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace tonescope {

/// Blocks that are smaller hold few large pages or none.
inline constexpr size_t kManyPages_bytes = size_t{1} << 22;

/// Tells the kernel about the pages that lie wholly within a block (madvise).
inline void advise_pages(void* block, size_t bytes, int advice) noexcept {
    const auto page = uintptr_t(sysconf(_SC_PAGESIZE));
    const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + page - 1) / page * page;
    const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) / page * page;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

/// Asks for large pages under a block whose bytes are not yet written.
inline void prefer_large_pages([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
    if (bytes >= kManyPages_bytes) advise_pages(block, bytes, MADV_HUGEPAGE);
#endif
}
/// Gives the memory of a block back whose bytes nobody reads any more; its addresses stay.
inline void forget_pages(void* block, size_t bytes) noexcept {
    advise_pages(block, bytes, MADV_DONTNEED);
}

}  // namespace tonescope
