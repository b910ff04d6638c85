// Memory kept back for the moment in which there is no other.
#pragma once

namespace tonescope {

/// While it lives, `new` takes what it holds rather than fail, where a small piece is asked for: a frame can be
/// finished then, and the next one says that memory is short. One at a time.
class MemoryReserve {
  public:
    MemoryReserve();
    ~MemoryReserve();
    MemoryReserve(const MemoryReserve&) = delete;
    MemoryReserve& operator=(const MemoryReserve&) = delete;

    /// Fills it again if it was needed. True where it was, once.
    bool take_needed();
};

}  // namespace tonescope
