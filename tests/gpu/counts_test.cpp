// The plain histogram of gray images, against counting on the host. Skipped, with the reason, where there is no GPU.
#include "gpu/cuda/session/runner.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <iostream>
#include <optional>
#include <random>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stream.h"

namespace tonescope {
namespace {

using Counts = std::array<uint32_t, 256>;

class CountGray : public testing::Test {
  protected:
    void SetUp() override {
        try {
            device_ = select_device(-1);
            stream_.emplace();
        } catch (const DeviceError& error) {
            GTEST_SKIP() << error.what();
        }
    }

    /// Counts rows of random values below `values`, padded with a value that must not be counted.
    void check(int width, int height, unsigned values, size_t padding_bytes) {
        const size_t row = size_t(width);
        const size_t pitch =
            (row + kPitchAlignment_bytes - 1) / kPitchAlignment_bytes * kPitchAlignment_bytes + padding_bytes;
        std::vector<uint8_t> pixels(pitch * size_t(height), 0xEE);
        Counts expected{};
        std::uniform_int_distribution<unsigned> value(0, values - 1);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) ++expected[pixels[size_t(y) * pitch + size_t(x)] = uint8_t(value(random_))];

        const DeviceMemory image(pixels.size()), counts(sizeof(Counts));
        TONESCOPE_CUDA(
            cudaMemcpyAsync(image.as<void>(), pixels.data(), pixels.size(), cudaMemcpyHostToDevice, *stream_));
        for (int run = 0; run < 2; ++run) {  // the second one finds what the first one left behind
            TONESCOPE_CUDA(cudaMemsetAsync(counts.as<void>(), 0xA5, sizeof(Counts), *stream_));
            count_gray(image.as<uint8_t>(), pitch, width, height, counts.as<uint32_t>(), scratch_, device_, *stream_);
            Counts result;
            TONESCOPE_CUDA(
                cudaMemcpyAsync(result.data(), counts.as<void>(), sizeof(Counts), cudaMemcpyDeviceToHost, *stream_));
            stream_->synchronize();
            EXPECT_EQ(result, expected) << width << " x " << height << ", " << values << " values, run " << run;
        }
    }

    static constexpr unsigned kSeed = 20260;
    std::mt19937 random_{kSeed};
    DeviceProperties device_;
    std::optional<Stream> stream_;
    ZeroedWords scratch_;
};

TEST_F(CountGray, EverySizeAndContent) {
    std::cout << "seed " << kSeed << '\n';
    const std::array<std::array<int, 2>, 10> sizes{
        {{1, 1}, {15, 3}, {16, 1}, {17, 2}, {1, 999}, {4099, 1}, {255, 257}, {640, 480}, {1001, 997}, {6000, 1500}}};
    for (const auto& [width, height] : sizes)
        for (const unsigned values : {1u, 2u, 256u})
            for (const size_t padding_bytes : {size_t{0}, kPitchAlignment_bytes})
                check(width, height, values, padding_bytes);
}

}  // namespace
}  // namespace tonescope
