// How often each value occurs in a whole image, of up to 65,536 values.
//
// Every multiprocessor holds one block, which reads its share in 16-byte vectors and counts in shared memory
// (BlockCounters in bin_counts.cuh). What it has counted of up to kMostAdded values, it adds to counters in device
// memory. Of more values it writes its counts down as they are, halves of 16 bits: nearly all of 65,536 counters differ
// from zero, so that adding them takes several times as long. The kernel behind has the sums (SummedValues), and sets
// the counters back to zero.
//
// A half must not overflow: before more than kRoomPixels are counted, the block looks for halves of kFull and more, and
// adds these to the counters in device memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "gpu/cuda/kernels/bin_counts.cuh"
#include "gpu/cuda/kernels/vector_walk.cuh"

namespace tonescope {

struct ValueCountPolicy {
    static constexpr int kThreads = 1024;              // of a block; one block a multiprocessor
    static constexpr int kAhead = 2;                   // vectors of a thread that are on their way
    static constexpr uint32_t kMostAdded = 16 * 1024;  // values
    static constexpr uint32_t kCopyWords = 4 * 1024;   // that copies of counters may take
    static constexpr uint32_t kFull = 8192, kRoomPixels = 65536 - kFull;
    static constexpr size_t kReserved_bytes = 1024;  // of a block's shared memory: what FoundRange takes
};

/// What the two kernels share. Planes stand one behind the other.
struct ValueCounts {
    uint32_t values;         // M + 1
    uint32_t windows;        // in which the values are counted, each by blocks of its own
    uint32_t window_values;  // a multiple of 8
    uint32_t shared_words;
    uint32_t rounds;       // vectors of a thread, at most
    uint32_t begin_mask;   // of the value with which a block begins to add
    uint32_t room;         // counters of a plane
    uint32_t* d_counters;  // zero before the first kernel and after the second one
    uint32_t parts;        // blocks that share the image out
    uint32_t* d_parts;     // room / 2 words of each part; null: there are none
    FoundRange found;      // left by the blocks, where it is looked for

    __device__ size_t part_word(int plane, uint32_t part) const { return (size_t(plane) * parts + part) * (room / 2); }
};

/// Block (part, plane and window). Shared memory: counts.shared_words.
template <class Map, bool kPacked, bool kWindows, class Image>
__global__ void __launch_bounds__(ValueCountPolicy::kThreads, kPacked || kWindows ? 1 : 2)
    value_counts_kernel(const Image image, const PitchedSource<typename Map::In> source, int width, int height,
                        const ValueCounts counts) {
    using Policy = ValueCountPolicy;
    using Pixel = typename Map::In;
    constexpr int kPixels = kVector_bytes / int(sizeof(Pixel)), kThreads = Policy::kThreads;
    pdl_trigger();
    extern __shared__ uint4 s_memory[];
    auto* const s_words = reinterpret_cast<uint32_t*>(s_memory);
    const int plane = kWindows ? int(blockIdx.y / counts.windows) : int(blockIdx.y);
    const uint32_t first_value = kWindows ? blockIdx.y % counts.windows * counts.window_values : 0;
    const uint32_t window_values = kWindows ? min(counts.values - first_value, counts.window_values) : counts.values;
    uint32_t* const d_counters = counts.d_counters + size_t(plane) * counts.room + first_value;

    const VectorShare share(image);
    VectorWalk<Image> ahead(image, share, 0);
    const uint32_t vectors = image.rows * image.per_row;
    uint32_t own = share.first, asked = share.first;  // vectors; without the share's slots there is no division
    uint4 next[Policy::kAhead] = {};
    const auto ask = [&](uint4& vector) {
        if (asked < vectors) {
            vector = image.template load<Reread::soon>(ahead.row, ahead.column);
            ahead.advance();
        }
        asked += share.step;
    };
#pragma unroll
    for (uint4& vector : next) ask(vector);
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < counts.shared_words / 4; i += kThreads) s_memory[i] = make_uint4(0, 0, 0, 0);
    const BlockCounters<kPacked> counters(s_words, window_values, Policy::kCopyWords);
    __syncthreads();

    uint32_t since = 0;  // rounds that the block has counted since halves were looked through
    const auto make_room = [&] {
        if constexpr (kPacked) {
            constexpr uint32_t kRounds = Policy::kRoomPixels / (kThreads * kPixels);
            if (++since <= kRounds) return;
            since = 1;
            pdl_wait();
            __syncthreads();
            for (uint32_t i = threadIdx.x; i < counts.shared_words; i += kThreads) {
                uint32_t word = s_words[i];
                constexpr uint32_t kHighBits = (0x10000u - Policy::kFull) * 0x10001u;
                if ((word & kHighBits) == 0) continue;
                for (uint32_t half = 0; half < 2; ++half) {
                    const uint32_t count = word >> (16 * half) & 0xffffu;
                    if (count < Policy::kFull) continue;
                    atomicAdd(d_counters + 2 * i + half, count);
                    word -= count << (16 * half);
                }
                s_words[i] = word;
            }
            __syncthreads();
        }
    };
    const bool finds_range = counts.found.d_words != nullptr && blockIdx.y == 0;
    SampleExtremes<Pixel> extremes;
    const auto count = [&](Pixel pixel, uint32_t times) {
        uint32_t value = uint32_t(Map::value(pixel, plane));
        if constexpr (kWindows) {
            value -= first_value;
            if (value >= window_values) return;
        }
        if (times == 1)
            counters.count(value);
        else
            counters.add(value, times);
    };
    for (uint32_t round = 0; round < counts.rounds; ++round, own += share.step) {
        make_room();
        const bool valid = own < vectors;
        const uint32_t words[4] = {next[0].x, next[0].y, next[0].z, next[0].w};
#pragma unroll
        for (int i = 0; i + 1 < Policy::kAhead; ++i) next[i] = next[i + 1];
        ask(next[Policy::kAhead - 1]);
        if (finds_range && valid) {
#pragma unroll
            for (int k = 0; k < 4; ++k) extremes.add(words[k], k);
        }
        count_vector<Pixel, kPacked>(words, valid, count);
    }
    const int first_of_tail = width / kPixels * kPixels;
    for (int row = 0; row < height && first_of_tail < width; row += int(share.threads)) {
        make_room();
        const int y = row + int(share.thread);
        for (int x = first_of_tail; x < width && y < height; ++x) {
            const Pixel pixel = source.load(x, y);
            if (finds_range) extremes.add(pixel);
            count(pixel, 1);
        }
    }
    __syncthreads();

    if (finds_range) counts.found.add(extremes, gridDim.x);
    pdl_wait();
    if constexpr (kPacked) {
        auto* const d_part =
            reinterpret_cast<uint4*>(counts.d_parts + counts.part_word(plane, blockIdx.x) + first_value / 2);
        for (uint32_t i = threadIdx.x; i < (window_values + 7) / 8; i += kThreads) d_part[i] = s_memory[i];
    } else {  // blocks begin at different counters
        const uint32_t begin = blockIdx.x * 128 & counts.begin_mask;
        for (uint32_t i = threadIdx.x; i < window_values; i += kThreads) {
            uint32_t value = i + begin;
            if (value >= window_values) value -= window_values;
            const uint32_t sum = counters.copies() == 1 ? s_words[value] : counters.sum(value);
            if (sum > 0) atomicAdd(d_counters + value, sum);
        }
    }
}

/// Eight values of each thread in the kernel behind value_counts_kernel: block (slice, plane) has kSlice of them, and
/// those of its first threads that are kColumns have the sums. The others have zeros, and so do values that the image
/// cannot have.
template <bool kPacked>
class SummedValues {
  public:
    static constexpr uint32_t kThreads = kPacked ? 512 : 64;  // of a block
    static constexpr uint32_t kColumns = kPacked ? 32 : kThreads, kGroups = kThreads / kColumns;
    static constexpr uint32_t kSlice = 8 * kColumns;

    uint32_t first;  // value
    uint32_t counts[8] = {};

    /// Every thread of the block calls, after pdl_wait().
    __device__ SummedValues(const ValueCounts& from, int plane, int slice)
        : first((uint32_t(slice) * kColumns + threadIdx.x % kColumns) * 8) {
        const uint32_t group = threadIdx.x / kColumns;
        if constexpr (kPacked) {
            __shared__ uint4 s_sums[2][kThreads];
            if (first < from.values) add_parts(from, plane, group);
            s_sums[0][threadIdx.x] = make_uint4(counts[0], counts[1], counts[2], counts[3]);
            s_sums[1][threadIdx.x] = make_uint4(counts[4], counts[5], counts[6], counts[7]);
            __syncthreads();
            for (uint32_t other = 1; other < kGroups && group == 0; ++other) {
                add(s_sums[0][other * kColumns + threadIdx.x], 0);
                add(s_sums[1][other * kColumns + threadIdx.x], 4);
            }
        }
        if (group != 0) {
#pragma unroll
            for (uint32_t& count : counts) count = 0;
        } else if (first < from.values) {
            auto* const d_eight = reinterpret_cast<uint4*>(from.d_counters + size_t(plane) * from.room + first);
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const uint4 four = __ldcg(d_eight + i);
                add(four, 4 * i);
                if ((four.x | four.y | four.z | four.w) != 0) d_eight[i] = make_uint4(0, 0, 0, 0);
            }
        }
    }

  private:
    __device__ void add(uint4 four, int to) {
        counts[to] += four.x;
        counts[to + 1] += four.y;
        counts[to + 2] += four.z;
        counts[to + 3] += four.w;
    }
    __device__ void add_parts(const ValueCounts& from, int plane, uint32_t group) {
#pragma unroll 4
        for (uint32_t part = group; part < from.parts; part += kGroups) {
            const uint4 halves =
                __ldcg(reinterpret_cast<const uint4*>(from.d_parts + from.part_word(plane, part)) + first / 8);
            const uint32_t words[4] = {halves.x, halves.y, halves.z, halves.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                counts[2 * i] += words[i] & 0xffffu;
                counts[2 * i + 1] += words[i] >> 16;
            }
        }
    }
};

/// Whether an image's values are counted in halves.
inline bool counts_in_halves(const ImageSpec& spec) {
    return spec.max_sample + 1u > ValueCountPolicy::kMostAdded;
}

/// Queues value_counts_kernel. `found`: where the range goes that the image uses.
template <class GivenMap>
ValueCounts launch_value_counts(CudaJob& job, const FoundRange& found) {
    using Map = typename CountedMapOf<GivenMap>::Type;
    using Policy = ValueCountPolicy;
    const ImageSpec& spec = job.input_spec;
    const bool packed = counts_in_halves(spec);
    const uint32_t values = spec.max_sample + 1u, room = (values + 7) / 8 * 8;
    const auto words_of = [&](uint32_t of_values) {
        return packed ? of_values / 2 : std::max(of_values, Policy::kCopyWords);
    };
    uint32_t window_values = room;
    while (words_of(window_values) * sizeof(uint32_t) > job.device.sharedMemPerBlockOptin - Policy::kReserved_bytes)
        window_values = (window_values / 2 + 7) / 8 * 8;
    const uint32_t windows = (room + window_values - 1) / window_values;
    ValueCounts counts{
        .values = values,
        .windows = windows,
        .window_values = window_values,
        .shared_words = words_of(window_values),
        .rounds = 0,
        .begin_mask = std::bit_floor(values - (windows - 1) * window_values) - 1,  // within the last window
        .room = room,
        .d_counters = job.scratch.keep<ZeroedWords>("value counters").get(size_t{room} * Map::kPlanes, job.stream),
        .parts = 0,
        .d_parts = nullptr,
        .found = found};
    const auto launch_on = [&](const auto& image) {
        using Image = std::decay_t<decltype(image)>;
        counts.parts = image.blocks(Policy::kThreads, job.device.multiProcessorCount);
        counts.rounds = image.slots(counts.parts, Policy::kThreads);
        if (packed)
            counts.d_parts = job.scratch.get<uint32_t>("value parts", size_t{room} / 2 * counts.parts * Map::kPlanes);
        const LaunchShape shape{.blocks = counts.parts,
                                .blocks_down = Map::kPlanes * counts.windows,
                                .threads = Policy::kThreads,
                                .shared_bytes = counts.shared_words * sizeof(uint32_t),
                                .stream = job.stream};
        const auto launch = [&](auto kernel) {
            launch_pdl(job.device, shape, kernel, image, source_of<typename Map::In>(job), spec.width, spec.height,
                       counts);
        };
        if constexpr (sizeof(typename Map::In) % 4 == 2 || sizeof(typename Map::In) == 8) {  // samples of 16 bits
            if (counts.windows > 1)
                return launch(packed ? &value_counts_kernel<Map, true, true, Image>
                                     : &value_counts_kernel<Map, false, true, Image>);
            if (packed) return launch(&value_counts_kernel<Map, true, false, Image>);
        }
        launch(&value_counts_kernel<Map, false, false, Image>);
    };
    using Pixel = typename Map::In;
    if (LinearVectors<Pixel>::fits(job.input_pitch_bytes, spec.width))
        launch_on(LinearVectors<Pixel>(job.d_input, spec.width, spec.height));
    else
        launch_on(PitchedVectors<Pixel>(job.d_input, job.input_pitch_bytes, spec.width, spec.height));
    return counts;
}

}  // namespace tonescope
