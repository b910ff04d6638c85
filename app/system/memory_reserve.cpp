#include "app/system/memory_reserve.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tonescope {
namespace {

constexpr size_t kReserve_bytes = size_t{2} << 20;
/// What is larger fails, and whoever wants it says so. Dear ImGui's vertices and fonts and the text of `--ui-state` are
/// smaller.
constexpr size_t kSmall_bytes = size_t{1} << 20;

std::atomic<bool> is_kept = false, was_needed = false;
std::atomic<void*> reserve = nullptr;

void fill() {
    if (reserve != nullptr) return;
    void* const block = std::malloc(kReserve_bytes);
    // The kernel gives no memory before it is written to.
    if (block != nullptr) std::memset(block, 1, kReserve_bytes);
    reserve = block;
}

}  // namespace

MemoryReserve::MemoryReserve() {
    fill();
    is_kept = true;
}

MemoryReserve::~MemoryReserve() {
    is_kept = false;
    std::free(reserve.exchange(nullptr));
}

bool MemoryReserve::take_needed() {
    fill();
    return was_needed.exchange(false);
}

}  // namespace tonescope

// A handler for `new` would not know how much is asked for.
void* operator new(std::size_t bytes) {
    using namespace tonescope;
    void* block = std::malloc(std::max<std::size_t>(bytes, 1));
    if (block == nullptr && bytes <= kSmall_bytes && is_kept) {
        std::free(reserve.exchange(nullptr));
        was_needed = true;
        block = std::malloc(std::max<std::size_t>(bytes, 1));
    }
    if (block == nullptr) throw std::bad_alloc();
    return block;
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
    try {
        return operator new(bytes);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
// Not inline: GCC warns where it sees free() and not the malloc() before it.
[[gnu::noinline]] void operator delete(void* block) noexcept {
    std::free(block);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t /*bytes*/) noexcept {
    std::free(block);
}
