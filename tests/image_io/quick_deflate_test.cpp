// What QuickDeflate writes is a stream that libdeflate reads, whatever bytes it stands for.
#include "app/image_io/deflate/quick_deflate.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <random>

#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

/// Given in pieces of up to `piece` bytes.
Bytes quickly_deflated(const Bytes& bytes, size_t piece) {
    Bytes stream;
    image_io::QuickDeflate deflate(
        [&](std::span<const uint8_t> part) { stream.insert(stream.end(), part.begin(), part.end()); });
    for (size_t at = 0; at < bytes.size(); at += piece) deflate.add({&bytes[at], std::min(piece, bytes.size() - at)});
    deflate.finish();
    return stream;
}

Bytes inflated(const Bytes& stream, size_t bytes) {
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    Bytes result(bytes + 1);  // one more, so that a stream that is too long shows
    size_t got = 0, used = 0;
    const auto code = libdeflate_zlib_decompress_ex(inflater.get(), stream.data(), stream.size(), result.data(),
                                                    result.size(), &used, &got);
    EXPECT_EQ(code, LIBDEFLATE_SUCCESS);
    EXPECT_EQ(used, stream.size());
    result.resize(got);
    return result;
}

/// `kind` 0: noise; 1: one value; 2: values near zero, as filters leave them; 3: repetitions of any length from any
/// distance; 4: counts so far apart that codes would be longer than allowed; 5: few different values.
Bytes contents(int kind, size_t bytes, std::minstd_rand& random) {
    Bytes made;
    while (made.size() < bytes) {
        const auto any = unsigned(random() >> 7);
        if (kind == 1) {
            made.push_back(7);
        } else if (kind == 2) {
            made.push_back(uint8_t(int(any % 5) + int(any / 8 % 5) - 4));
        } else if (kind == 3 && made.size() > 1 && any % 2 == 0) {
            const size_t distance = 1 + random() % std::min<size_t>(made.size(), 40000), length = random() % 700;
            for (size_t i = 0; i < length; ++i) made.push_back(made[made.size() - distance]);
        } else if (kind == 4) {
            uint8_t value = 0;
            while (value < 200 && random() % 2 == 0) ++value;
            made.push_back(value);
        } else if (kind == 5) {
            made.push_back(any % 64 == 0 ? 255 : 3);
        } else {
            made.push_back(uint8_t(any));
        }
    }
    made.resize(bytes);
    return made;
}

TEST(QuickDeflate, IsReadByLibdeflate) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::minstd_rand random(seed);
    for (int kind = 0; kind <= 5; ++kind) {
        for (const size_t bytes : {0, 1, 2, 7, 8, 9, 300, 65535, 65536, 98304, 98305, 400000}) {
            SCOPED_TRACE(std::to_string(bytes) + " bytes of kind " + std::to_string(kind));
            const Bytes made = contents(kind, bytes, random);
            const size_t piece = 1 + random() % 100000;
            EXPECT_EQ(inflated(quickly_deflated(made, piece), bytes), made) << "pieces of " << piece;
        }
    }
}

TEST(QuickDeflate, PacksWhatCanBePacked) {
    std::minstd_rand random(1);
    constexpr size_t kBytes = 400000;
    const auto size = [&](int kind) { return quickly_deflated(contents(kind, kBytes, random), 4096).size(); };
    EXPECT_LT(size(0), kBytes + kBytes / 1000);  // what cannot be packed is stored
    EXPECT_LT(size(1), kBytes / 200);
    EXPECT_LT(size(2), kBytes * 4 / 10);  // 2.9 bits a byte
    EXPECT_LT(size(3), kBytes / 10);
}

}  // namespace
}  // namespace tonescope::test
