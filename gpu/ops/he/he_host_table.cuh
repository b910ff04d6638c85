// Report B makes the table on the host: 256 additions are little work, but the counts travel there and the table back.
// A host function queued in the stream does it, so that the calling thread does not wait.
#pragma once

#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/ops/he/he_formula.cuh"

namespace tonescope {

/// Where the stream and the host hand each other counts and tables: 256 a plane.
struct HeTables {
    uint32_t counts[3 * 256];
    uint8_t tables[3 * 256];
};

/// From the counts to the tables. `user`: the HeTables. Called by the driver's thread, so it may not call CUDA.
template <int kPlanes>
void CUDART_CB he_make_tables(void* user) {
    auto& h = *static_cast<HeTables*>(user);
    for (int plane = 0; plane < kPlanes; ++plane) {
        const uint32_t* counts = h.counts + plane * 256;
        uint32_t pixels = 0, first_count = 0;
        for (int v = 0; v < 256; ++v) {
            if (first_count == 0) first_count = counts[v];
            pixels += counts[v];
        }
        uint32_t cdf = 0;
        for (int v = 0; v < 256; ++v) {
            cdf += counts[v];
            h.tables[plane * 256 + v] = he_equalized(cdf, first_count, pixels, v);
        }
    }
}

/// Queues the counts' way to pinned memory and the host function behind it. The tables stand in the result once the
/// stream has come so far.
template <class Map>
HeTables& he_tables_on_host(CudaJob& job, const uint32_t* d_histograms) {
    auto& memory = job.scratch.keep<PinnedMemory>("he tables on the host");
    memory.reserve(sizeof(HeTables));
    auto& h_tables = *memory.as<HeTables>();
    TONESCOPE_CUDA(cudaMemcpyAsync(h_tables.counts, d_histograms, Map::kPlanes * 256 * sizeof(uint32_t),
                                   cudaMemcpyDeviceToHost, job.stream));
    TONESCOPE_CUDA(cudaLaunchHostFunc(job.stream, he_make_tables<Map::kPlanes>, &h_tables));
    return h_tables;
}

/// Stage "table": counts to the host, table there, table to the device.
template <class Map>
const uint8_t* he_tables_by_host(CudaJob& job, const uint32_t* d_histograms) {
    const auto stage = job.stage("table");
    const HeTables& h_tables = he_tables_on_host<Map>(job, d_histograms);
    auto* d_tables = job.scratch.get<uint8_t>("he tables", Map::kPlanes * 256);
    TONESCOPE_CUDA(cudaMemcpyAsync(d_tables, h_tables.tables, Map::kPlanes * 256, cudaMemcpyHostToDevice, job.stream));
    return d_tables;
}

}  // namespace tonescope
