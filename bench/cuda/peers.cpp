// Other libraries on the device, timed as the variants are, and the 256-bin histogram beside theirs.
#include <algorithm>
#include <array>
#include <utility>

#include "bench/cuda/peer_kernels.h"
#include "bench/cuda/state.h"
#include "gpu/core/error.h"
#include "gpu/cuda/kernels/zeroed_words.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/session/counts.h"

namespace tonescope::bench {
namespace {

using Counts = std::array<uint32_t, 256>;

Counts count_on_host(const HostImage& image) {
    Counts counts{};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ++counts[image.view().row(y)[x]];
    return counts;
}

NppArea area_of(const HostImage& image) {
    return {image.width(), image.height()};
}

/// Histograms, one for each buffer.
class HistogramRun {
  public:
    HistogramRun(CudaBench::State& state, Subject subject) : state_(state) {
        measured_.subject = std::move(subject);
        buffers_ = buffers_past_cache(state.input_bytes(), state.device.l2_bytes);
        counts_.reshape(MemoryMode::pinned, buffers_, sizeof(Counts));
    }

    size_t buffers() const { return buffers_; }
    uint32_t* d_counts(size_t i) const { return reinterpret_cast<uint32_t*>(counts_.at(i)); }

    Measured time(const Enqueue& enqueue) {
        const HostImage& image = *state_.image;
        const Counts expected = count_on_host(image);
        measured_.timings = state_.time(
            buffers_, double(image.spec().pixels()), enqueue, [&] { counts_.fill(0xA5, state_.timer.stream()); },
            [&](Timing& timing, size_t used) {
                int64_t most = 0;
                for (size_t i = 0; i < used; ++i) {
                    Counts counts;
                    TONESCOPE_CUDA(cudaMemcpy(counts.data(), d_counts(i), sizeof(counts), cudaMemcpyDefault));
                    int64_t differences = 0;
                    for (size_t v = 0; v < counts.size(); ++v) differences += counts[v] != expected[v];
                    most = std::max(most, differences);
                }
                judge(timing, most, nullptr, true);
            });
        return measured_;
    }

  private:
    CudaBench::State& state_;
    Measured measured_;
    Ring counts_;
    size_t buffers_ = 0;
};

Subject histogram_subject(std::string kind, std::string name) {
    return {std::string(kHistogram256), std::move(kind), std::move(name), "cuda"};
}

Measured time_ours(CudaBench::State& state) {
    HistogramRun run(state, histogram_subject("variant", "Tonescope"));
    const HostImage& image = *state.image;
    state.load_input(MemoryMode::pinned, run.buffers());
    ZeroedWords scratch;
    return run.time([&](size_t i) {
        count_gray(state.input.at(i), state.input_pitch_bytes, image.width(), image.height(), run.d_counts(i), scratch,
                   state.device, state.timer.stream());
    });
}

Measured time_cub(CudaBench::State& state) {
    HistogramRun run(state, histogram_subject("peer", cub_name()));
    // Without gaps between rows: the form that CUB is fastest on.
    const HostImage& image = *state.image;
    const int64_t pixels = image.spec().pixels();
    Ring input;
    input.reshape(MemoryMode::pinned, run.buffers(), size_t(pixels));
    load_image(input, image.view(), size_t(image.width()), state.timer.stream());
    const size_t scratch_bytes = cub_scratch_bytes(pixels);
    const DeviceMemory scratch(std::max(scratch_bytes, size_t{1}));
    return run.time([&](size_t i) {
        cub_histogram(input.at(i), pixels, run.d_counts(i), scratch.as<void>(), scratch_bytes, state.timer.stream());
    });
}

Measured time_npp_histogram(CudaBench::State& state) {
    const Npp& npp = *state.npp;
    HistogramRun run(state, histogram_subject("peer", npp.name()));
    state.load_input(MemoryMode::pinned, run.buffers());
    const NppArea area = area_of(*state.image);
    const DeviceMemory scratch(std::max(npp.histogram_scratch_bytes(area), size_t{1}));
    return run.time([&](size_t i) {
        npp.histogram(state.input.at(i), state.input_pitch_bytes, area, run.d_counts(i), scratch.as<uint8_t>());
    });
}

/// HE of NPP's histogram, a kernel that makes the table, and NPP's look-up.
Measured time_npp_he(CudaBench::State& state, const Answer& expected) {
    const Npp& npp = *state.npp;
    const NppArea area = area_of(*state.image);
    const size_t pitch_bytes = state.input_pitch_bytes;
    const size_t buffers = buffers_past_cache(2 * state.input_bytes(), state.device.l2_bytes);
    state.load_input(MemoryMode::pinned, buffers);
    state.output.reshape(MemoryMode::pinned, buffers, state.input_bytes());
    const DeviceMemory scratch(std::max(npp.histogram_scratch_bytes(area), size_t{1}));
    const DeviceMemory counts(sizeof(Counts)), table(256);
    const Stream& stream = state.timer.stream();
    Measured measured{{"he", "peer", npp.name() + " histogram + LUT", "cuda"}, {}, {}};
    measured.timings = state.time(
        buffers, least_bytes(*state.image, expected),
        [&](size_t i) {
            npp.histogram(state.input.at(i), pitch_bytes, area, counts.as<uint32_t>(), scratch.as<uint8_t>());
            make_he_table(counts.as<uint32_t>(), uint32_t(state.image->spec().pixels()), table.as<uint8_t>(), stream);
            npp.look_up(state.input.at(i), pitch_bytes, state.output.at(i), pitch_bytes, area, table.as<uint8_t>());
        },
        [&] { state.output.fill(poison_for(expected), stream); },
        [&](Timing& timing, size_t used) {
            int64_t most = 0;
            HostImage got(expected.image.spec());
            for (size_t i = 0; i < used; ++i) {
                TONESCOPE_CUDA(cudaMemcpy2D(got.data(), got.pitch_bytes(), state.output.at(i), pitch_bytes,
                                            got.spec().row_bytes(), size_t(got.height()), cudaMemcpyDefault));
                most = std::max(most, count_different_pixels(got.view(), expected.image.view()));
            }
            judge(timing, most, nullptr, false);
        });
    return measured;
}

/// The library's errors end its own measurement, not the program's.
template <class Time>
Measured attempt(Subject subject, Time&& time) {
    try {
        return time();
    } catch (const UserError& error) {
        return {std::move(subject), {}, error.what()};
    }
}

}  // namespace

std::vector<Measured> CudaBench::time_peers(const RunSpec& spec, const Answer& expected) {
    State& s = *state_;
    const bool gray_he = spec.op->id == "he" && s.image->spec().format == PixelFormat::gray8;
    if (!gray_he) return {};
    Subject subject{"he", "peer", "NPP histogram + LUT", "cuda"};
    if (!s.npp) return {{std::move(subject), {}, "libnppist and libnppicc were not found"}};
    return {attempt(std::move(subject), [&] { return time_npp_he(s, expected); })};
}

std::vector<Measured> CudaBench::time_histograms() {
    State& s = *state_;
    if (s.image->spec().format != PixelFormat::gray8) return {};
    std::vector<Measured> all{time_ours(s)};
    if (!s.options.peers) return all;
    all.push_back(attempt(histogram_subject("peer", cub_name()), [&] { return time_cub(s); }));
    all.push_back(s.npp ? attempt(histogram_subject("peer", s.npp->name()), [&] { return time_npp_histogram(s); })
                        : Measured{histogram_subject("peer", "NPP"), {}, "libnppist and libnppicc were not found"});
    return all;
}

}  // namespace tonescope::bench
