// The run-length coding of BMP, with 8 or 4 bits a pixel.
#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

class Unpacker {
  public:
    Unpacker(FileReader& file, int64_t width, int64_t height, bool four_bits)
        : file_(file), width_(width), height_(height), four_bits_(four_bits), indices_(size_t(width * height), 0) {}

    std::vector<uint8_t> run() {
        while (y_ < height_) {
            const uint8_t count = byte(), value = byte();
            if (count > 0) {
                for (int i = 0; i < count; ++i) put(nibble(value, i));
            } else if (value == 0) {  // end of the row
                x_ = 0;
                ++y_;
                file_.check();
            } else if (value == 1) {  // end of the image
                break;
            } else if (value == 2) {  // a jump; what it leaves out has color 0
                x_ += byte();
                y_ += byte();
            } else {
                literal(value);
            }
        }
        return std::move(indices_);
    }

  private:
    uint8_t byte() {
        const int value = file_.get();
        if (value < 0) {
            file_.check();
            refuse_damaged("it ends too early");
        }
        return uint8_t(value);
    }
    uint8_t nibble(uint8_t value, int i) const { return !four_bits_ ? value : i % 2 == 0 ? value >> 4 : value & 15; }

    /// Some programs code the bytes that fill up a row as well; these pixels are dropped.
    void put(uint8_t index) {
        if (x_ < width_) indices_[size_t(y_ * width_ + x_++)] = index;
    }

    /// `count` pixels as they are, filled up to whole 16-bit words.
    void literal(int count) {
        const int bytes = four_bits_ ? (count + 1) / 2 : count;
        for (int i = 0; i < bytes; ++i) {
            const uint8_t value = byte();
            for (int k = 0; k < (four_bits_ ? 2 : 1); ++k)
                if (i * (four_bits_ ? 2 : 1) + k < count) put(nibble(value, k));
        }
        if (bytes % 2 != 0) byte();
    }

    FileReader& file_;
    const int64_t width_, height_;
    const bool four_bits_;
    std::vector<uint8_t> indices_;
    int64_t x_ = 0, y_ = 0;
};

}  // namespace

std::vector<uint8_t> unpack_bmp_rle(FileReader& file, int64_t width, int64_t height, bool four_bits) {
    return Unpacker(file, width, height, four_bits).run();
}

}  // namespace tonescope::image_io
