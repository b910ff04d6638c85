// Flipped, overwritten, removed and repeated bytes: a load works or refuses, and never anything else. Run it with the
// sanitizers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "app/image_io/image_io.h"
#include "gpu/core/error.h"
#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

uint32_t seed_from_environment() {
    const char* text = std::getenv("TONESCOPE_TEST_SEED");
    return text ? uint32_t(std::strtoul(text, nullptr, 10)) : 20240611u;
}

int rounds_from_environment() {
    const char* text = std::getenv("TONESCOPE_TEST_ROUNDS");
    return text ? std::atoi(text) : 400;
}

class Mutator {
  public:
    explicit Mutator(uint32_t seed) : random_(seed) {}

    Bytes mutate(Bytes bytes) {
        const size_t count = 1 + below(4);
        for (size_t i = 0; i < count && !bytes.empty(); ++i) change(bytes);
        return bytes;
    }
    size_t below(size_t end) { return size_t(random_() % end); }

  private:
    void change(Bytes& bytes) {
        // Half of the changes go into the first bytes, where the headers are.
        const size_t at = below(below(2) == 0 ? std::min<size_t>(bytes.size(), 64) : bytes.size());
        const size_t length = std::min(bytes.size() - at, 1 + below(16));
        const auto begin = bytes.begin() + long(at), end = begin + long(length);
        static constexpr uint8_t kEdges[] = {0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF};
        switch (below(6)) {
            case 0:
                bytes[at] = uint8_t(bytes[at] ^ 1u << below(8));
                break;
            case 1:
                bytes[at] = uint8_t(random_());
                break;
            case 2:
                bytes[at] = kEdges[below(std::size(kEdges))];
                break;
            case 3:
                bytes.erase(begin, end);
                break;
            case 4: {
                const Bytes copy(begin, end);
                bytes.insert(begin, copy.begin(), copy.end());
                break;
            }
            default:
                bytes.resize(at);
                break;
        }
    }

    std::mt19937 random_;
};

TEST(Mutation, LoadsOrRefuses) {
    const uint32_t seed = seed_from_environment();
    const int rounds = rounds_from_environment();
    RecordProperty("seed", std::to_string(seed));
    printf("seed %u, %d rounds a file (TONESCOPE_TEST_SEED and TONESCOPE_TEST_ROUNDS change them)\n", seed, rounds);
    const TemporaryFolder folder;
    int opened = 0, refused = 0;
    for (const Sample& sample : all_samples()) {
        Mutator mutator(seed);
        for (int round = 0; round < rounds; ++round) {
            SCOPED_TRACE(sample.name + ", seed " + std::to_string(seed) + ", round " + std::to_string(round));
            Bytes bytes = mutator.mutate(sample.bytes);
            // Wrong checksums would keep most changes away from the decoder.
            if (sample.name.ends_with(".png") && bytes.size() > 8 && round % 4 != 0) fix_png_crc(bytes);
            const std::string path = folder.write(sample.name, bytes);
            try {
                const LoadedImage loaded = load_image(path);
                ASSERT_FALSE(loaded.image.empty());
                ASSERT_LE(loaded.image.spec().pixels(), kMaxPixels);
                const HostImage thumbnail = load_thumbnail(path, 5);
                ASSERT_LE(std::max(thumbnail.width(), thumbnail.height()), 5);
                ++opened;
            } catch (const UserError& e) {
                ASSERT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
                ++refused;
            }
        }
    }
    printf("%d opened, %d refused\n", opened, refused);
    EXPECT_GT(opened, 0);
    EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace tonescope::test
