// Other libraries on the device, timed as the variants are, and the 256-bin histogram beside theirs.
#include <algorithm>
#include <array>
#include <utility>

#include "bench/cuda/cuda_bench.h"
#include "bench/cuda/peer_kernels.h"
#include "gpu/cuda/kernels/zeroed_words.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/session/counts.h"

namespace tonescope::bench {
namespace {

using Counts = std::array<uint32_t, 256>;
constexpr const char* kNoNpp = "libnppist and libnppicc were not found";

Counts count_on_host(const HostImage& image) {
    Counts counts{};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ++counts[image.view().row(y)[x]];
    return counts;
}

/// Times `count`, which counts the image in buffer `i`.
Rows time_counting(CudaBench& bench, const Subject& subject, size_t buffers,
                   const std::function<void(size_t i, uint32_t* d_counts)>& count) {
    Ring results;
    results.reshape(MemoryMode::pinned, buffers, sizeof(Counts));
    const auto d_counts = [&](size_t i) { return reinterpret_cast<uint32_t*>(results.at(i)); };
    const Counts expected = count_on_host(*bench.image);
    const auto differences = [&](size_t i) {
        Counts got;
        TONESCOPE_CUDA(cudaMemcpy(got.data(), d_counts(i), sizeof(got), cudaMemcpyDefault));
        int64_t different = 0;
        for (size_t v = 0; v < got.size(); ++v) different += got[v] != expected[v];
        return different;
    };
    return bench.time({subject, buffers, double(bench.image->spec().pixels()), [&](size_t i) { count(i, d_counts(i)); },
                       &results, 0xA5, differences, nullptr, true});
}

Rows time_cub(CudaBench& bench, const Subject& subject, size_t buffers) {
    // Without gaps between rows: the form that CUB is fastest on.
    const int64_t pixels = bench.image->spec().pixels();
    const Stream& stream = bench.timer.stream();
    Ring input;
    input.reshape(MemoryMode::pinned, buffers, size_t(pixels));
    load_image(input, bench.image->view(), size_t(bench.image->width()), stream);
    const size_t scratch_bytes = cub_scratch_bytes(pixels);
    const DeviceMemory scratch(std::max(scratch_bytes, size_t{1}));
    return time_counting(bench, subject, buffers, [&](size_t i, uint32_t* d_counts) {
        cub_histogram(input.at(i), pixels, d_counts, scratch.as<void>(), scratch_bytes, stream);
    });
}

/// HE of NPP's histogram, a kernel that makes the table, and NPP's look-up.
Rows time_npp_he(CudaBench& bench, const HostImage& expected, const Subject& subject) {
    const Npp& npp = *bench.npp;
    const size_t pitch_bytes = bench.input_pitch_bytes;
    const NppArea area{expected.width(), expected.height()};
    const size_t buffers = buffers_past_cache(2 * bench.input_bytes(), bench.device.l2_bytes);
    bench.load_input(MemoryMode::pinned, buffers);
    bench.output.reshape(MemoryMode::pinned, buffers, bench.input_bytes());
    const DeviceMemory scratch(std::max(npp.histogram_scratch_bytes(area), size_t{1}));
    const DeviceMemory counts(sizeof(Counts)), table(256);
    const Enqueue enqueue = [&](size_t i) {
        npp.histogram(bench.input.at(i), pitch_bytes, area, counts.as<uint32_t>(), scratch.as<uint8_t>());
        make_he_table(counts.as<uint32_t>(), uint32_t(expected.spec().pixels()), table.as<uint8_t>(),
                      bench.timer.stream());
        npp.look_up(bench.input.at(i), pitch_bytes, bench.output.at(i), pitch_bytes, area, table.as<uint8_t>());
    };
    const double least_bytes = 2.0 * double(expected.size_bytes());
    return bench.time({subject, buffers, least_bytes, enqueue, &bench.output, uint8_t(~expected.data()[0]),
                       [&](size_t i) { return bench.different_pixels(i, pitch_bytes, expected); }});
}

}  // namespace

Rows CudaBench::time_peers(const RunSpec& spec, const RunResult& expected) {
    if (spec.op->id != "he" || image->spec().format != PixelFormat::gray8) return {};
    const Subject subject{"he", "peer", (npp ? npp->name() : "NPP") + " histogram + LUT", "cuda"};
    if (!npp) return {{subject, kNoNpp}};
    return attempt(subject, [&] { return time_npp_he(*this, expected.image, subject); });
}

Rows CudaBench::time_histograms() {
    if (image->spec().format != PixelFormat::gray8) return {};
    const auto subject = [](const char* kind, const std::string& name) {
        return Subject{std::string(kHistogram256), kind, name, "cuda"};
    };
    const int width = image->width(), height = image->height();
    const size_t buffers = buffers_past_cache(input_bytes(), device.l2_bytes);
    load_input(MemoryMode::pinned, buffers);
    ZeroedWords words;
    Rows all = time_counting(*this, subject("variant", "Tonescope"), buffers, [&](size_t i, uint32_t* d_counts) {
        count_gray(input.at(i), input_pitch_bytes, width, height, d_counts, words, device, timer.stream());
    });
    if (!options.peers) return all;
    const auto add = [&](const Subject& peer, const std::function<Rows()>& measure) {
        for (Row& row : attempt(peer, measure)) all.push_back(std::move(row));
    };
    const Subject cub = subject("peer", cub_name()), npp_subject = subject("peer", npp ? npp->name() : "NPP");
    add(cub, [&] { return time_cub(*this, cub, buffers); });
    add(npp_subject, [&] {
        if (!npp) return Rows{{npp_subject, kNoNpp}};
        load_input(MemoryMode::pinned, buffers);
        const NppArea area{width, height};
        const DeviceMemory npp_scratch(std::max(npp->histogram_scratch_bytes(area), size_t{1}));
        return time_counting(*this, npp_subject, buffers, [&](size_t i, uint32_t* d_counts) {
            npp->histogram(input.at(i), input_pitch_bytes, area, d_counts, npp_scratch.as<uint8_t>());
        });
    });
    return all;
}

}  // namespace tonescope::bench
