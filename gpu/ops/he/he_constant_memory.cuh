// Tables in constant memory: a program has one such variable a device, so runs on several streams take turns at it.
#pragma once

#include "gpu/cuda/device_turns.h"

namespace tonescope {
namespace {  // a variable of its own in each file that includes this one

__constant__ uint8_t c_tables[3 * 256];

struct TablesInConstantMemory {
    __device__ int operator()(int plane, int value) const { return c_tables[plane * 256 + value]; }
};

DeviceTurns& turns_at_tables() {
    static auto* const instance = new DeviceTurns;  // never freed: the driver may be gone before it
    return *instance;
}

}  // namespace
}  // namespace tonescope
