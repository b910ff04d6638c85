#include "gpu/core/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace tonescope {
namespace {

/// Tells the kernel about the pages that lie wholly within a block.
void advise(void* block, size_t bytes, int advice) noexcept {
    const auto page = uintptr_t(sysconf(_SC_PAGESIZE));
    const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + page - 1) / page * page;
    const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) / page * page;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

}  // namespace

void prefer_large_pages([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
    if (bytes >= kManyPages_bytes) advise(block, bytes, MADV_HUGEPAGE);
#endif
}

void forget_pages(void* block, size_t bytes) noexcept {
    advise(block, bytes, MADV_DONTNEED);
}

}  // namespace tonescope
