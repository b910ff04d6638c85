// Errors that end as one line for the user.
#pragma once

#include <stdexcept>
#include <string>

namespace tonescope {

/// Something the user can act on; what() is one line without a full stop: what, which file, what to do. Exit status 1.
class UserError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Wrong usage, unknown name or value out of range. Exit status 2.
class UsageError : public UserError {
  public:
    using UserError::UserError;
};

/// Something needs more memory than it may take.
class MemoryError : public UserError {
  public:
    using UserError::UserError;
};

/// The device failed (out of memory, lost, no driver): the caller may go on with the CPU backend.
class DeviceError : public UserError {
  public:
    using UserError::UserError;
};

/// The device works, but has no room for this run or not this kind of memory.
class DeviceMemoryError : public DeviceError {
  public:
    using DeviceError::DeviceError;
};

}  // namespace tonescope
