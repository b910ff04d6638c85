// The multi-threaded CLAHE of deep images, and of any image whose values do not spread over 0 to 255: its pieces, which
// the preview and the explanation use too.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/clahe/clahe_cpu.h"

namespace tonescope::clahe {

/// Whether the tables of 256 bytes serve (clahe_cpu.h): 8 bits, from 0 to 255.
bool has_byte_tables(const ImageSpec& image, const Params& params);

/// The bin of each value of the range, at value - lo.
std::vector<uint16_t> bins_of_values(const Levels& levels);
/// What a run counts: a value that is left out, or kNothingLeftOut, lies in no bin.
struct Counting {
    int32_t color, left_out;
};
/// Counts what a plane has in `area` of the image, which is mirrored beyond its borders, every other pixel in another
/// histogram of B bins, which may be the same: both together hold the counts, modulo 2^32 where they are two. Returns
/// how many pixels count. Incomplete once `stop` is set.
uint32_t count_bins(const ImageView& image, const Counting& counting, int plane, const Rect& area, const Levels& levels,
                    std::span<const uint16_t> bins, const std::stop_token& stop, uint32_t* counts,
                    uint32_t* odd_counts);
/// Clips B counts of a tile of `pixels` pixels, whose sum is `counted`, and sums them up in place.
void sum_bins(uint32_t* counts, uint32_t counted, uint32_t pixels, const Geometry& geometry, const Levels& levels);
/// The table of a tile with these sums of `pixels` pixels that count: R entries, of value lo first.
void fill_entries(const uint32_t* sums, uint32_t pixels, const Levels& levels, uint16_t* entries);

/// What the tables of the four nearest tiles have for a pixel's value, 16 bits each: top left, top right, bottom left,
/// bottom right; less 32,768, so that they are signed.
using FourEntries = uint64_t;
inline constexpr FourEntries kEntriesBias = 0x8000'8000'8000'8000;
constexpr FourEntries pack_four(uint16_t a, uint16_t b, uint16_t c, uint16_t d) {
    return (FourEntries{a} | FourEntries{b} << 16 | FourEntries{c} << 32 | FourEntries{d} << 48) ^ kEntriesBias;
}

/// What the processor blends with, each exactly: numbers of 64 bits one by one, or vectors.
enum class BlendWith { doubles, avx2, avx512 };
/// The fastest one that this processor has.
BlendWith fastest_blend();

/// Blends pixels of a row: floor((sum of entry * weight + 2 Tx Ty) / (4 Tx Ty)).
class DeepBlend {
  public:
    /// `segments` of a whole row; 2 Tx and 2 Ty. Weights that are too large for `with` are blended in double.
    DeepBlend(const std::vector<Segment>& segments, int32_t width2, int32_t height2, BlendWith with = fastest_blend());
    /// `count` pixels from column x on; `y_weight`: of the lower tables.
    void run(const FourEntries* four, int x, int count, int32_t y_weight, uint16_t* out) const;
    /// The same of pixels whose values `packed` has entries for, where it can look them up by itself. Returns `count`
    /// or 0.
    int run(const FourEntries* packed, const uint16_t* values, int x, int count, int32_t y_weight, uint16_t* out) const;

  private:
    int32_t width2_, height2_;
    BlendWith with_;
    std::vector<int32_t> x_weights_;  // of the right tables
    std::vector<uint64_t> x_pairs_;   // left, right, left and right, 16 bits each; empty where these are too few
};

/// The whole run on such an image.
void run_deep(const CpuJob& job);

}  // namespace tonescope::clahe
