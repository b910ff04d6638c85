#include "app/image_io/temporary_name.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <utility>

namespace tonescope::image_io {
namespace {

/// More files than workers write at a time. One that finds no room is removed by its destructor alone.
std::array<std::atomic<const char*>, 128> names;
static_assert(std::atomic<const char*>::is_always_lock_free);

}  // namespace

TemporaryName::TemporaryName(std::string path) : path_(std::move(path)) {
    for (std::atomic<const char*>& name : names) {
        const char* none = nullptr;
        if (!name.compare_exchange_strong(none, path_.c_str())) continue;
        name_ = &name;
        return;
    }
}

TemporaryName::~TemporaryName() {
    if (!path_.empty()) unlink(path_.c_str());
    keep();
}

void TemporaryName::keep() {
    const char* mine = path_.c_str();
    if (name_ != nullptr && !name_->compare_exchange_strong(mine, nullptr))
        while (true) pause();  // the program ends, and who ends it reads the name
    name_ = nullptr;
    path_.clear();
}

void remove_temporary_files() noexcept {
    for (std::atomic<const char*>& name : names)
        if (const char* path = name.exchange(nullptr)) unlink(path);
}

}  // namespace tonescope::image_io
