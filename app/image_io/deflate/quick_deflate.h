// A zlib stream (RFC 1950, 1951) made quickly, for what PNG's filters leave of photographs: bytes with few repetitions,
// whose Huffman codes gain nearly everything. It looks for long repetitions only, and for fewer of them where it finds
// none, so that drawings and screenshots pack well, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tonescope::image_io {

class QuickDeflate {
  public:
    /// `write` takes the stream in pieces, in order.
    explicit QuickDeflate(std::function<void(std::span<const uint8_t>)> write);

    /// The next bytes that the stream stands for.
    void add(std::span<const uint8_t> bytes);
    /// After the last ones.
    void finish();

  private:
    /// Bytes as they are, and then a repetition of what stood `distance` before (none: the block ends).
    struct Sequence {
        uint32_t literals, length, distance;
    };

    void compress(bool is_last);
    void find_sequences(size_t end);
    void write_block(bool is_last, size_t end);
    void write_stored(bool is_last, size_t end);
    void put(uint64_t bits, int count);
    void write_out();

    static constexpr size_t kWindow_bytes = size_t{1} << 15;
    static constexpr size_t kBlock_bytes = size_t{1} << 16;
    static constexpr int kHashBits = 13;

    std::function<void(std::span<const uint8_t>)> write_;
    std::vector<uint8_t> input_;  // a window that repetitions reach back to, and the block at hand
    size_t filled_ = 0, begin_ = 0;
    std::vector<uint32_t> last_seen_;  // by hash: one more than the index in input_; 0: nowhere
    std::vector<Sequence> sequences_;
    std::vector<uint8_t> output_;
    uint8_t* out_ = nullptr;
    uint64_t bits_ = 0;
    int bit_count_ = 0;
    uint32_t checksum_ = 1;
};

}  // namespace tonescope::image_io
