// The pages under large blocks of memory. To write a page for the first time takes longer than to copy it; a large page
// takes a fraction of the time of the small ones in its place.
#pragma once

#include <cstddef>

namespace tonescope {

/// Blocks that are smaller hold few large pages or none.
inline constexpr size_t kManyPages_bytes = size_t{1} << 22;
/// Asks for large pages under a block whose bytes are not yet written.
void prefer_large_pages(void* block, size_t bytes) noexcept;
/// Gives the memory of a block back whose bytes nobody reads any more; its addresses stay.
void forget_pages(void* block, size_t bytes) noexcept;

}  // namespace tonescope
