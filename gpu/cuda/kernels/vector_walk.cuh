// Images in 16-byte vectors: 16 gray or 4 RGBA pixels that one thread reads at once.
//
// Vectors are numbered along rows, or along bands of rows and down each band's columns. A texture's array keeps 16
// bytes of two rows in one 32-byte sector: a warp that writes along one row writes halves of sectors, which takes three
// times as long as a warp that writes two rows or more. Memory is read fastest along rows.
//
// The pixels that may be left at a row's right end (the tail) belong to no vector. They are read one by one, since what
// lies behind them may never have been written.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/reciprocal.cuh"

namespace tonescope {

inline constexpr int kVector_bytes = 16;

/// Whether a vector is read again soon, so that the caches had better keep it.
enum class Reread { no, soon };

/// How an image divides. Pixel: uint8_t or uchar4. kBandRows_: a power of two, at most a warp's threads.
template <class Pixel_, uint32_t kBandRows_>
struct VectorRows {
    using Pixel = Pixel_;
    static constexpr uint32_t kBandRows = kBandRows_;
    static constexpr int kPixels = kVector_bytes / int(sizeof(Pixel));
    uint32_t rows, per_row;  // whole vectors
    uint32_t tail_pixels;    // of every row: 0 to kPixels - 1
    Reciprocal<uint32_t> by_per_row;

    VectorRows(int width, int height)
        : rows(uint32_t(height)),
          per_row(uint32_t(width / kPixels)),
          tail_pixels(uint32_t(width % kPixels)),
          by_per_row(per_row > 0 ? per_row : 1) {}
    /// Vectors of a thread at most, and blocks of `threads` (a multiple of 32) that share the image out: one on each
    /// multiprocessor at most.
    uint32_t slots(unsigned blocks, unsigned threads) const {
        return divided(divided(rows, kBandRows) * per_row, blocks * threads / kBandRows);
    }
    unsigned blocks(unsigned threads, int multiprocessors) const {
        const uint32_t lanes = divided(rows, kBandRows) * kBandRows * (per_row > 0 ? per_row : 1);
        const uint32_t wanted = divided(lanes, threads);
        return wanted < uint32_t(multiprocessors) ? wanted : unsigned(multiprocessors);
    }
    /// The x of a vector's first pixel.
    __device__ static uint32_t x_of(uint32_t column) { return column * kPixels; }

  private:
    static uint32_t divided(uint32_t dividend, uint32_t divisor) { return (dividend + divisor - 1) / divisor; }
};

/// Pitched memory.
template <class Pixel, uint32_t kBandRows = 1>
struct PitchedVectors : VectorRows<Pixel, kBandRows> {
    const uint8_t* d_data;
    size_t pitch_bytes;

    PitchedVectors(const uint8_t* d_pixels, size_t pitch, int width, int height)
        : VectorRows<Pixel, kBandRows>(width, height), d_data(d_pixels), pitch_bytes(pitch) {}
    template <Reread kReread>
    __device__ uint4 load(uint32_t row, uint32_t column) const {
        const uint4* d_vector = reinterpret_cast<const uint4*>(d_data + row * pitch_bytes) + column;
        return kReread == Reread::soon ? *d_vector : __ldcs(d_vector);
    }
    template <class Word>
    __device__ Word load_word(uint32_t row, uint32_t x_bytes) const {
        return *reinterpret_cast<const Word*>(d_data + row * pitch_bytes + x_bytes);
    }
};

/// Pitched memory without gaps between rows: one long row of whole vectors.
template <class Pixel_>
struct LinearVectors {
    using Pixel = Pixel_;
    static constexpr uint32_t kBandRows = 1, rows = 1;
    uint32_t per_row;
    const uint4* d_vectors;

    /// Pitches are multiples of kPitchAlignment_bytes, and thereby of vectors.
    static bool fits(size_t pitch, int width) { return pitch == size_t(width) * sizeof(Pixel); }
    LinearVectors(const uint8_t* d_pixels, int width, int height)
        : per_row(uint32_t(size_t(width) * sizeof(Pixel) / kVector_bytes) * uint32_t(height)),
          d_vectors(reinterpret_cast<const uint4*>(d_pixels)) {}
    uint32_t slots(unsigned blocks, unsigned threads) const {
        return (per_row + blocks * threads - 1) / (blocks * threads);
    }
    unsigned blocks(unsigned threads, int multiprocessors) const {
        const uint32_t wanted = (per_row + threads - 1) / threads;
        return wanted < uint32_t(multiprocessors) ? wanted : unsigned(multiprocessors);
    }
    template <Reread kReread>
    __device__ uint4 load(uint32_t, uint32_t column) const {
        return kReread == Reread::soon ? d_vectors[column] : __ldcs(d_vectors + column);
    }
};

/// A surface: the texture of a window.
template <class Pixel>
struct SurfaceVectors : VectorRows<Pixel, 8> {
    cudaSurfaceObject_t surface;

    SurfaceVectors(cudaSurfaceObject_t surface_object, int width, int height)
        : VectorRows<Pixel, 8>(width, height), surface(surface_object) {}
    template <Reread>
    __device__ uint4 load(uint32_t row, uint32_t column) const {
        return surf2Dread<uint4>(surface, int(column * kVector_bytes), int(row));
    }
    template <class Word>
    __device__ Word load_word(uint32_t row, uint32_t x_bytes) const {
        return surf2Dread<Word>(surface, int(x_bytes), int(row));
    }
};

/// A row's tail as the beginning of a vector; zeros follow.
template <class Image>
__device__ uint4 load_tail(const Image& image, uint32_t row) {
    constexpr uint32_t kInWord = 4 / sizeof(typename Image::Pixel);
    uint32_t words[4] = {};
#pragma unroll
    for (uint32_t i = 0; i < 4 * kInWord; ++i) {
        if (i >= image.tail_pixels) break;
        const uint32_t x_bytes = image.per_row * kVector_bytes + i * uint32_t(sizeof(typename Image::Pixel));
        if constexpr (kInWord == 1)
            words[i] = image.template load_word<uint32_t>(row, x_bytes);
        else
            words[i / kInWord] |= uint32_t(image.template load_word<uint8_t>(row, x_bytes)) << (i % kInWord * 8);
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/// Which vectors one thread takes. Its row in each band is always the same one; it takes the vector number `first`
/// among those, and every `step`-th after it, `slots` in all. Warps of all blocks take turns, so that an
/// incomplete last round falls on all multiprocessors alike. Blocks and grids are one-dimensional.
struct VectorShare {
    uint32_t thread, threads;  // the thread's number in the grid, and how many there are
    uint32_t row_in_band, first, step, slots;

    template <class Image>
    __device__ explicit VectorShare(const Image& image)
        : thread((threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32 + threadIdx.x % 32),
          threads(gridDim.x * blockDim.x),
          row_in_band(thread % Image::kBandRows),
          first(thread / Image::kBandRows),
          step(threads / Image::kBandRows) {
        constexpr uint32_t kBandRows = Image::kBandRows;
        const uint32_t bands = (image.rows + kBandRows - 1 - row_in_band) / kBandRows;  // that have the thread's row
        const uint32_t count = bands * image.per_row;
        slots = first < count ? (count - first + step - 1) / step : 0;
    }
};

/// From slot to slot of a share without a division at each.
template <class Image>
class VectorWalk {
  public:
    __device__ VectorWalk(const Image& image, const VectorShare& share, uint32_t slot) : per_row_(image.per_row) {
        const uint32_t index = share.first + slot * share.step, band = image.by_per_row.divide(index);
        const uint32_t step_bands = image.by_per_row.divide(share.step);
        row = band * Image::kBandRows + share.row_in_band;
        column = index - band * per_row_;
        step_rows_ = step_bands * Image::kBandRows;
        step_columns_ = share.step - step_bands * per_row_;
    }
    __device__ void advance() {
        const uint32_t next = column + step_columns_;
        const bool wraps = next >= per_row_;
        column = wraps ? next - per_row_ : next;
        row += wraps ? step_rows_ + Image::kBandRows : step_rows_;
    }
    __device__ void retreat() {
        const bool wraps = column < step_columns_;
        column -= wraps ? step_columns_ - per_row_ : step_columns_;
        row -= wraps ? step_rows_ + Image::kBandRows : step_rows_;
    }

    uint32_t row, column;

  private:
    uint32_t per_row_, step_rows_, step_columns_;
};

template <class Pixel>
class VectorWalk<LinearVectors<Pixel>> {
  public:
    __device__ VectorWalk(const LinearVectors<Pixel>&, const VectorShare& share, uint32_t slot)
        : column(share.first + slot * share.step), step_(share.step) {}
    __device__ void advance() { column += step_; }
    __device__ void retreat() { column -= step_; }

    static constexpr uint32_t row = 0;
    uint32_t column;

  private:
    uint32_t step_;
};

/// Reads the slots `begin` to `end` - 1, at most kCount, into `vectors`. They are not read again.
template <int kCount, class Image>
__device__ void load_slots(const Image& image, const VectorShare& share, uint32_t begin, uint32_t end,
                           uint4 (&vectors)[kCount]) {
    if (begin >= end) return;
    VectorWalk<Image> at(image, share, begin);
#pragma unroll
    for (uint32_t j = 0; j < kCount; ++j)
        if (begin + j < end) {
            vectors[j] = image.template load<Reread::no>(at.row, at.column);
            at.advance();
        }
}

/// In which order a share is walked.
enum class Order { forwards, backwards };

/// A walk over the slots `begin` to `end` - 1 of a thread's share, with loads ahead of their use. No barriers: threads
/// of a block may have different numbers of slots.
template <int kBatch, Order kOrder, Reread kReread, class Image>
class SlotReader {
  public:
    /// Reads nothing yet.
    __device__ SlotReader(const Image& image, const VectorShare& share, uint32_t begin, uint32_t end)
        : image_(image),
          count_(end - begin),
          at_(image, share, kOrder == Order::backwards ? end - 1 : begin),
          ahead_(at_) {}
    /// Asks for the first kBatch vectors. To be called before for_each.
    __device__ void start() { ask(0); }
    /// Calls use(index, vector, walk) for every slot; index counts them from 0. The next kBatch loads are under way
    /// before a batch is used.
    template <class Use>
    __device__ void for_each(Use&& use) {
        for (uint32_t i = 0; i < count_; i += kBatch) {
            uint4 batch[kBatch];
#pragma unroll
            for (uint32_t j = 0; j < kBatch; ++j) batch[j] = next_[j];
            ask(i + kBatch);
#pragma unroll
            for (uint32_t j = 0; j < kBatch; ++j)
                if (i + j < count_) {
                    use(i + j, batch[j], at_);
                    go_on(at_);
                }
        }
    }

  private:
    static constexpr bool kBackwards = kOrder == Order::backwards;
    __device__ static void go_on(VectorWalk<Image>& walk) {
        kBackwards ? walk.retreat() : walk.advance();
    }
    __device__ void ask(uint32_t from) {
#pragma unroll
        for (uint32_t j = 0; j < kBatch; ++j)
            if (from + j < count_) {
                next_[j] = image_.template load<kReread>(ahead_.row, ahead_.column);
                go_on(ahead_);
            }
    }

    const Image& image_;
    uint32_t count_;
    VectorWalk<Image> at_, ahead_;
    uint4 next_[kBatch];
};

/// Calls use(row, vector, pixels) for the rows whose tails are the thread's.
template <class Image, class Use>
__device__ void for_each_tail(const Image& image, const VectorShare& share, Use&& use) {
    if (image.tail_pixels == 0) return;
    for (uint32_t row = share.thread; row < image.rows; row += share.threads)
        use(row, load_tail(image, row), image.tail_pixels);
}
template <class Pixel, class Use>
__device__ void for_each_tail(const LinearVectors<Pixel>&, const VectorShare&, Use&&) {}

}  // namespace tonescope
