// Images in 16-byte vectors: 16 gray or 4 RGBA pixels that one thread reads at once.
//
// A row's whole vectors are numbered on from the row before. The pixels that may be left at its right end (the tail)
// are not among them: they are read one by one, since what lies behind them may never have been written.
#pragma once

#include <cstdint>

namespace tonescope {

inline constexpr int kVector_bytes = 16;

/// Whether a vector is read again soon, so that the caches had better keep it.
enum class Reread { no, soon };

/// How the rows of an image divide. Pixel: uint8_t or uchar4.
template <class Pixel_>
struct VectorRows {
    using Pixel = Pixel_;
    static constexpr int kPixels = kVector_bytes / int(sizeof(Pixel));
    uint32_t rows, per_row;  // whole vectors
    uint32_t tail_pixels;    // of every row: 0 to kPixels - 1

    VectorRows(int width, int height)
        : rows(uint32_t(height)), per_row(uint32_t(width / kPixels)), tail_pixels(uint32_t(width % kPixels)) {}
    __host__ __device__ uint32_t count() const { return rows * per_row; }
    /// The x of a vector's first pixel.
    __device__ static uint32_t x_of(uint32_t column) { return column * kPixels; }
};

/// Pitched memory.
template <class Pixel>
struct PitchedVectors : VectorRows<Pixel> {
    const uint8_t* d_data;
    size_t pitch_bytes;

    PitchedVectors(const uint8_t* d_pixels, size_t pitch, int width, int height)
        : VectorRows<Pixel>(width, height), d_data(d_pixels), pitch_bytes(pitch) {}
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

/// A surface: the texture of a window.
template <class Pixel>
struct SurfaceVectors : VectorRows<Pixel> {
    cudaSurfaceObject_t surface;

    SurfaceVectors(cudaSurfaceObject_t surface_object, int width, int height)
        : VectorRows<Pixel>(width, height), surface(surface_object) {}
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

/// Every `step`-th vector, forwards or backwards, without a division at each.
class VectorWalk {
  public:
    __device__ VectorWalk(uint32_t index, uint32_t step, uint32_t per_row)
        : per_row_(max(per_row, 1u)),  // rows that are all tail have no vectors
          step_rows_(step / per_row_),
          step_columns_(step % per_row_) {
        row = index / per_row_;
        column = index % per_row_;
    }
    __device__ void advance() {
        row += step_rows_;
        column += step_columns_;
        if (column >= per_row_) {
            column -= per_row_;
            ++row;
        }
    }
    __device__ void retreat() {
        row -= step_rows_;
        if (column < step_columns_) {
            column += per_row_;
            --row;
        }
        column -= step_columns_;
    }

    uint32_t row, column;

  private:
    uint32_t per_row_, step_rows_, step_columns_;
};

/// Which vectors one thread takes: number `first`, and every `step`-th after it, `slots` in all. Warps of all blocks
/// take turns, so that an incomplete last round falls on all multiprocessors alike. Blocks and grids are
/// one-dimensional.
struct VectorShare {
    uint32_t first, step, slots;

    __device__ explicit VectorShare(uint32_t count)
        : first((threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32 + threadIdx.x % 32),
          step(gridDim.x * blockDim.x),
          slots(first < count ? (count - first + step - 1) / step : 0) {}
};

/// Reads the slots `begin` to `end` - 1, at most kCount, into `vectors`. They are not read again.
template <int kCount, class Image>
__device__ void load_slots(const Image& image, const VectorShare& share, uint32_t begin, uint32_t end,
                           uint4 (&vectors)[kCount]) {
    if (begin >= end) return;
    VectorWalk at(share.first + begin * share.step, share.step, image.per_row);
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
    /// Asks for the first kBatch vectors.
    __device__ SlotReader(const Image& image, const VectorShare& share, uint32_t begin, uint32_t end)
        : image_(image),
          count_(end - begin),
          at_(share.first + (kBackwards ? end - 1 : begin) * share.step, share.step, image.per_row),
          ahead_(at_) {
        ask(0);
    }
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
    __device__ static void go_on(VectorWalk& walk) {
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
    VectorWalk at_, ahead_;
    uint4 next_[kBatch];
};

/// Calls use(row, vector) for the rows whose tails are the thread's.
template <class Image, class Use>
__device__ void for_each_tail(const Image& image, const VectorShare& share, Use&& use) {
    if (image.tail_pixels == 0) return;
    for (uint32_t row = share.first; row < image.rows; row += share.step) use(row, load_tail(image, row));
}

/// Blocks of `threads`, one on each multiprocessor at most, that share an image out.
template <class Image>
unsigned sharing_blocks(const Image& image, unsigned threads, int multiprocessors) {
    const uint32_t items = image.count() > image.rows ? image.count() : image.rows;
    const uint32_t wanted = items / threads + (items % threads != 0);
    return wanted < uint32_t(multiprocessors) ? wanted : unsigned(multiprocessors);
}

}  // namespace tonescope
