// Histogram equalization of `tuned` for images of any depth and range: as README.md in this folder says, up to 65,536
// values are counted by all blocks, their counts are summed slice by slice, a third kernel makes the table, and a
// fourth one applies it from shared memory.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/counted_range.cuh"
#include "gpu/cuda/kernels/packed_color.cuh"
#include "gpu/cuda/kernels/short_quotient.cuh"
#include "gpu/cuda/kernels/value_counts.cuh"
#include "gpu/ops/he/he.h"

namespace tonescope::he {

struct DeepPolicy {
    static constexpr int kTableThreads = 512, kTableBins = kTableThreads * 8;
    static constexpr int kMostSlices = 256;
    static constexpr int kApplyThreads = 1024;
};
static_assert(65536 / SummedValues<true>::kSlice <= DeepPolicy::kMostSlices &&
              ValueCountPolicy::kMostAdded / SummedValues<false>::kSlice <= DeepPolicy::kMostSlices &&
              DeepPolicy::kMostSlices <= DeepPolicy::kTableThreads);

/// Of a slice of the image's bins: how many pixels it has, and how many its first bin that is not empty.
struct SliceSum {
    uint32_t pixels, first_count;
};

/// What the kernels behind the counting share. Planes stand one behind the other.
struct DeepMemory {
    uint32_t* d_counts;      // 65,536 a plane
    SliceSum* d_slices;      // kMostSlices a plane
    uint16_t* d_tables;      // 65,536 a plane, of every value
    int slices, slice_bins;  // slices of a plane
    int32_t left_out;        // the value that does not count and stays as it is, or kNothingLeftOut
};

/// Block (slice, plane), behind value_counts_kernel.
template <bool kPacked>
__global__ void __launch_bounds__(SummedValues<kPacked>::kThreads)
    he_deep_sum_kernel(const ValueCounts counts, const DeepMemory tables) {
    __shared__ uint32_t s_warp_sums[32];
    __shared__ uint32_t s_first;
    const int slice = int(blockIdx.x), plane = int(blockIdx.y);
    if (threadIdx.x == 0) s_first = ~0u;
    pdl_wait();
    SummedValues<kPacked> values(counts, plane, slice);
    uint32_t sum = 0, first = ~0u, first_count = 0;
#pragma unroll
    for (int i = 7; i >= 0; --i) {
        if (int32_t(values.first) + i == tables.left_out) values.counts[i] = 0;
        sum += values.counts[i];
        if (values.counts[i] == 0) continue;
        first = values.first + uint32_t(i);
        first_count = values.counts[i];
    }
    if (threadIdx.x < SummedValues<kPacked>::kColumns) {
        auto* d_eight = reinterpret_cast<uint4*>(tables.d_counts + size_t(plane) * 65536 + values.first);
        d_eight[0] = make_uint4(values.counts[0], values.counts[1], values.counts[2], values.counts[3]);
        d_eight[1] = make_uint4(values.counts[4], values.counts[5], values.counts[6], values.counts[7]);
    }
    __syncthreads();
    if (first != ~0u) atomicMin(&s_first, first);
    sum = block_sum(sum, s_warp_sums);
    SliceSum& result = tables.d_slices[plane * DeepPolicy::kMostSlices + slice];
    if (threadIdx.x == 0) result.pixels = sum;
    if (first != ~0u ? first == s_first : threadIdx.x == 0 && s_first == ~0u) result.first_count = first_count;
}

/// Block (eight slices, plane) makes their part of the table. `pixels`: that count, unless a value is left out.
static __global__ void __launch_bounds__(DeepPolicy::kTableThreads)
    he_deep_table_kernel(RangeSource source, uint32_t pixels, const DeepMemory tables) {
    __shared__ uint32_t s_warp_sums[32];
    __shared__ uint32_t s_first_count;
    const int plane = int(blockIdx.y);
    const uint32_t first = blockIdx.x * DeepPolicy::kTableBins + threadIdx.x * 8;
    pdl_wait();
    const ValueRange range = source.get();
    // The slices before this block's, and the first one that is not empty.
    const int slice = int(threadIdx.x);
    SliceSum sum = {};
    if (slice < tables.slices) sum = tables.d_slices[plane * DeepPolicy::kMostSlices + slice];
    const uint32_t up_to = block_inclusive_scan(sum.pixels, s_warp_sums);
    if (sum.pixels > 0 && up_to == sum.pixels) s_first_count = sum.first_count;
    uint32_t before =
        block_sum(slice * tables.slice_bins < int(blockIdx.x) * DeepPolicy::kTableBins ? sum.pixels : 0, s_warp_sums);
    const auto* d_eight = reinterpret_cast<const uint4*>(tables.d_counts + size_t(plane) * 65536 + first);
    const uint4 low = __ldcg(d_eight), high = __ldcg(d_eight + 1);
    uint32_t counts[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
    for (int i = 1; i < 8; ++i) counts[i] += counts[i - 1];
    before += block_inclusive_scan(counts[7], s_warp_sums) - counts[7];
    if (tables.left_out != kNothingLeftOut) pixels = block_sum(sum.pixels, s_warp_sums);
    const uint32_t first_count = pixels > 0 ? s_first_count : 0, rest = pixels - first_count;
    const ShortQuotient by_rest(2 * max(rest, 1u));
    const uint64_t twice = 2 * uint64_t(uint32_t(range.hi - range.lo));
    uint32_t words[4] = {};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const uint32_t cdf = before + counts[i];
        uint32_t entry = uint32_t(range.lo);
        if (rest == 0)
            entry = first + uint32_t(i);  // an image of one value stays as it is
        else if (cdf > 0)
            entry += by_rest.divide(twice * (cdf - first_count) + rest);
        if (int32_t(first) + i == tables.left_out) entry = uint32_t(tables.left_out);
        words[i / 2] |= (entry & 0xffffu) << (i % 2 * 16);
    }
    reinterpret_cast<uint4*>(tables.d_tables + size_t(plane) * 65536 + first)[0] =
        make_uint4(words[0], words[1], words[2], words[3]);
}

/// Shared memory, where kShared: `room` entries for every plane. `left_out`: a value that may lie beyond the range, or
/// kNothingLeftOut.
template <class Map, class Sink, bool kShared>
__global__ void __launch_bounds__(DeepPolicy::kApplyThreads, 1)
    he_deep_apply_kernel(PitchedVectors<typename Map::In> image, PitchedSource<typename Map::In> source, Sink sink,
                         int width, ColorMixing mixed, RangeSource range_source, int32_t left_out,
                         const uint16_t* d_tables, uint32_t room) {
    using Image = PitchedVectors<typename Map::In>;
    using In = typename Map::In;
    using Out = typename Map::Out;
    constexpr int kPixels = Image::kPixels;
    extern __shared__ uint4 s_memory[];
    auto* const s_tables = reinterpret_cast<uint16_t*>(s_memory);
    const VectorShare share(image);
    SlotReader<2, Order::backwards, Reread::no, Image> slots(image, share, 0, share.slots);
    slots.start();
    pdl_wait();
    const ValueRange range = range_source.get();
    if constexpr (kShared) {
        const uint32_t first = uint32_t(range.lo) / 8, last = uint32_t(range.hi) / 8, apart = uint32_t(left_out) / 8;
        for (int plane = 0; plane < Map::kPlanes; ++plane) {
            const auto bring = [&](uint32_t i) {
                __pipeline_memcpy_async(s_memory + plane * room / 8 + i,
                                        reinterpret_cast<const uint4*>(d_tables) + plane * 8192 + i, sizeof(uint4));
            };
            for (uint32_t i = first + threadIdx.x; i <= last; i += blockDim.x) bring(i);
            if (left_out != kNothingLeftOut && threadIdx.x == 0 && (apart < first || apart > last)) bring(apart);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    const auto equalized = [&](In pixel) {
        int values[Map::kPlanes];
#pragma unroll
        for (int plane = 0; plane < Map::kPlanes; ++plane) {
            const auto value = uint32_t(Map::value(pixel, plane));
            values[plane] = kShared ? s_tables[plane * room + value] : __ldg(d_tables + plane * 65536 + value);
        }
        return Map::result(pixel, values, mixed);
    };
    slots.for_each([&](uint32_t, uint4 vector, const VectorWalk<Image>& at) {
        const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
        alignas(16) Out out[kPixels];
#pragma unroll
        for (int i = 0; i < kPixels; ++i) out[i] = equalized(pixel_of<In>(words, i));
        if constexpr (sizeof(out) == 16)
            store_result(sink, image.x_of(at.column), at.row, *reinterpret_cast<const uint4*>(out));
        else
            store_result(sink, image.x_of(at.column), at.row, *reinterpret_cast<const uint32_t*>(out));
    });
    for (int y = int(share.thread); y < int(image.rows); y += int(share.threads))
        for (int x = width / kPixels * kPixels; x < width; ++x) sink.store(x, y, equalized(source.load(x, y)));
}

/// Queues the counting and the sum: DeepMemory::d_counts, of the planes of `Map`, and what the table needs beside them.
/// `found`: where the range goes that the image uses.
template <class Map>
void count_values(CudaJob& job, const DeepMemory& memory, const FoundRange& found = {}) {
    const ValueCounts counts = launch_value_counts<Map>(job, found);
    const bool packed = counts_in_halves(job.input_spec);
    const LaunchShape shape{.blocks = unsigned(memory.slices),
                            .blocks_down = Map::kPlanes,
                            .threads = packed ? SummedValues<true>::kThreads : SummedValues<false>::kThreads,
                            .stream = job.stream};
    launch_pdl(job.device, shape, packed ? &he_deep_sum_kernel<true> : &he_deep_sum_kernel<false>, counts, memory);
}

/// `d_counts`: 65,536 words a plane.
inline DeepMemory deep_memory(CudaJob& job, int planes, int32_t left_out, uint32_t* d_counts) {
    const int most_bins = job.input_spec.max_sample + 1;
    const int slice_bins = counts_in_halves(job.input_spec) ? SummedValues<true>::kSlice : SummedValues<false>::kSlice;
    return {.d_counts = d_counts,
            .d_slices = job.scratch.get<SliceSum>("he deep slices", size_t{DeepPolicy::kMostSlices} * size_t(planes)),
            .d_tables = job.scratch.get<uint16_t>("he deep tables", size_t{65536} * size_t(planes)),
            .slices = (most_bins + DeepPolicy::kTableBins - 1) / DeepPolicy::kTableBins *
                      (DeepPolicy::kTableBins / slice_bins),
            .slice_bins = slice_bins,
            .left_out = left_out};
}

/// Stages "histogram", "table" and "apply". The range is found while values are counted, where it is asked for, or
/// before them, as stage "range", where a value is left out.
inline void run_tuned_deep(CudaJob& job) {
    const auto params = job.params.as<Params>();
    const ImageSpec& spec = job.input_spec;
    const int multiprocessors = job.device.multiProcessorCount;
    const int32_t left_out = params.left_out(spec);
    const bool finds_range = takes_used_values(spec, params.range_choice()) && left_out == kNothingLeftOut;
    const FoundRange found = finds_range ? FoundRange::of(job) : FoundRange{};
    const RangeSource range = finds_range ? RangeSource{full_values(spec), found.d_range}
                                          : find_counted_range(job, params.range_choice(), params.color, left_out);
    with_any_color_map(spec, params.color, [&]<class Map>(Map) {
        const int most_bins = spec.max_sample + 1;
        const DeepMemory tables = deep_memory(
            job, Map::kPlanes, left_out, job.scratch.get<uint32_t>("he deep counts", size_t{65536} * Map::kPlanes));
        {
            const auto stage = job.stage("histogram");
            count_values<Map>(job, tables, found);
        }
        {
            const auto stage = job.stage("table");
            const LaunchShape shape{
                .blocks = unsigned((most_bins + DeepPolicy::kTableBins - 1) / DeepPolicy::kTableBins),
                .blocks_down = Map::kPlanes,
                .threads = DeepPolicy::kTableThreads,
                .stream = job.stream};
            launch_pdl(job.device, shape, he_deep_table_kernel, range, uint32_t(spec.pixels()), tables);
        }
        const auto stage = job.stage("apply");
        const uint32_t room = uint32_t(most_bins + 7) / 8 * 8;
        const size_t table_bytes = size_t(room) * Map::kPlanes * sizeof(uint16_t);
        const bool shared = table_bytes <= job.device.sharedMemPerBlockOptin;
        with_sink<typename Map::Out>(job.output, [&]<class Sink>(Sink sink) {
            const PitchedVectors<typename Map::In> image(job.d_input, job.input_pitch_bytes, spec.width, spec.height);
            const LaunchShape shape{.blocks = image.blocks(DeepPolicy::kApplyThreads, multiprocessors),
                                    .threads = DeepPolicy::kApplyThreads,
                                    .shared_bytes = shared ? table_bytes : 0,
                                    .stream = job.stream};
            launch_pdl(job.device, shape,
                       shared ? &he_deep_apply_kernel<Map, Sink, true> : &he_deep_apply_kernel<Map, Sink, false>, image,
                       source_of<typename Map::In>(job), sink, spec.width, ColorMixing(spec, params.change()), range,
                       left_out, tables.d_tables, room);
        });
    });
}

}  // namespace tonescope::he
