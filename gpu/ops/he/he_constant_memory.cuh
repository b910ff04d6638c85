// Tables in constant memory: a program has one such variable a device, so runs on several streams take turns at it.
#pragma once

#include "gpu/cuda/runtime/exclusive_access.h"

namespace tonescope::he {
namespace {  // a variable of its own in each file that includes this one

__constant__ uint8_t c_tables[3 * 256];

struct TablesInConstantMemory {
    __device__ int operator()(int plane, int value) const { return c_tables[plane * 256 + value]; }
};

ExclusiveAccess& access_to_tables() {
    static auto* const instance = new ExclusiveAccess;  // never freed: the driver may be gone before it
    return *instance;
}

}  // namespace
}  // namespace tonescope::he
