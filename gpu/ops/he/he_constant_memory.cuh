// Tables in constant memory: a program has one such variable a device, so runs on several streams take turns at it.
#pragma once

#include "gpu/ops/he/he_stages.cuh"

#ifdef __CUDACC__
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

/// Queues the copy of `bytes` of the tables.
TablesInConstantMemory tables_in_constant_memory(const CudaJob& job, const HostTables& h_tables, size_t bytes) {
    TONESCOPE_CUDA(cudaMemcpyToSymbolAsync(c_tables, h_tables.tables, bytes, 0, cudaMemcpyHostToDevice, job.stream));
    return {};
}

}  // namespace
}  // namespace tonescope::he
#endif
