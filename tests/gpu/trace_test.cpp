// Traced runs: what spans there are, and that they fit together.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "gpu/core/error.h"
#include "tests/gpu/gpu_test.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

using Kind = TraceSpan::Kind;

class TraceTest : public GpuTest {
  protected:
    /// The last of some runs: what is loaded and allocated once is there.
    RunResult trace(const RunSpec& spec) {
        for (int round = 0; round < 2; ++round) gpu_->run(image_.view(), spec, {}, RunKind::traced);
        return gpu_->run(image_.view(), spec, {}, RunKind::traced);
    }
    RunResult trace(std::string_view op, std::string_view variant, MemoryMode memory = MemoryMode::pinned) {
        RunSpec spec = make_spec(op, variant);
        if (!spec.variant->memory) spec.memory = memory;
        return trace(spec);
    }
    /// Spans lie within the run, none of a stream overlaps another of it, and the parts add up.
    static void expect_sane(const RunTrace& trace) {
        ASSERT_FALSE(trace.spans.empty());
        constexpr double kClocks_ms = 0.05;  // that the host's clock and the device's are apart
        std::map<int, double> ends_ms;
        for (const TraceSpan& span : trace.spans) {
            SCOPED_TRACE(span.name + " in " + std::string(span.stage));
            EXPECT_GE(span.begin_ms, -kClocks_ms);
            EXPECT_LE(span.begin_ms, span.end_ms);
            EXPECT_LE(span.end_ms, trace.end_ms + kClocks_ms);
            EXPECT_FALSE(span.name.empty());
            if (span.row == TraceSpan::kHostRow) continue;
            EXPECT_LE(span.called_ms, span.end_ms + kClocks_ms);
            EXPECT_GE(span.begin_ms, ends_ms[span.row] - 1e-6) << "overlaps the one before it in its stream";
            ends_ms[span.row] = span.end_ms;
        }
        const TimeParts parts = parts_of(trace);
        EXPECT_GT(parts.kernels_ms, 0);
        EXPECT_GE(parts.copies_ms, 0);
        EXPECT_GE(parts.host_ms, 0);
        EXPECT_NEAR(parts.kernels_ms + parts.copies_ms + parts.host_ms, trace.end_ms, 1e-9);
    }
    /// "kernel he_histogram_shared_kernel, ...": what was queued, in the order of its begin.
    static std::string queued(const RunTrace& trace) {
        std::string text;
        for (const TraceSpan& span : trace.spans)
            if (span.row != TraceSpan::kHostRow)
                text += std::string(text.empty() ? "" : ", ") +
                        (span.kind == Kind::kernel ? span.name : std::string(to_string(span.kind)));
        return text;
    }
    static int64_t count(const RunTrace& trace, Kind kind, int row) {
        return std::ranges::count_if(trace.spans,
                                     [&](const TraceSpan& span) { return span.kind == kind && span.row == row; });
    }

    const HostImage image_ = make_test_image({1531, 1203, PixelFormat::rgba8, false}, 3);
};

TEST_F(TraceTest, AReportVariantFromEndToEnd) {
    const RunResult result = trace("he", "pinned");
    expect_sane(result.trace);
    EXPECT_EQ(queued(result.trace),
              "copy, he_split_kernel, memory set, he_histogram_shared_kernel, copy, host function, copy, "
              "he_apply_shared_table_kernel, he_join_kernel, copy");
    EXPECT_EQ(count(result.trace, Kind::staging, TraceSpan::kHostRow), 2);
    EXPECT_EQ(count(result.trace, Kind::host_function, TraceSpan::kHostRow), 1);
    EXPECT_GE(count(result.trace, Kind::wait, TraceSpan::kHostRow), 1);
    std::string stages;
    for (const TraceSpan& span : result.trace.spans)
        if (span.row == 1) stages += std::string(span.stage) + " ";
    EXPECT_EQ(stages, "upload split colors histogram histogram table table table apply join colors download ");
    EXPECT_EQ(result.trace.spans.front().stage, "copy in");
    const auto upload = std::ranges::find(result.trace.spans, Kind::copy, &TraceSpan::kind);
    EXPECT_EQ(upload->bytes, image_.spec().size_bytes());
    const auto table = std::ranges::find(result.trace.spans, Kind::host_function, &TraceSpan::kind);
    EXPECT_EQ(table->stage, "table");
    EXPECT_EQ(result.resources.size(), 4u) << "the tracer's own kernels are not the variant's";
    EXPECT_TRUE(same_pixels(result.image.view(), run_reference(image_.view(), make_spec("he", "pinned")).image.view()));
}

/// The function runs while its stream waits for it.
TEST_F(TraceTest, AHostFunctionLiesWithinItsStreamsSpan) {
    const RunTrace traced = trace("he", "shared").trace;
    const TraceSpan *in_stream = nullptr, *on_host = nullptr;
    for (const TraceSpan& span : traced.spans)
        if (span.kind == Kind::host_function) (span.row == TraceSpan::kHostRow ? on_host : in_stream) = &span;
    ASSERT_TRUE(in_stream != nullptr && on_host != nullptr);
    constexpr double kClocks_ms = 0.05;
    EXPECT_GE(on_host->begin_ms, in_stream->begin_ms - kClocks_ms);
    EXPECT_LE(on_host->end_ms, in_stream->end_ms + kClocks_ms);
    EXPECT_GT(on_host->end_ms, on_host->begin_ms);
}

TEST_F(TraceTest, RoundTripsInEveryMemoryMode) {
    const auto copies = [&](MemoryMode mode) {
        RunResult result = trace("he", "simple", mode);
        SCOPED_TRACE(kMemoryModeIds[size_t(mode)]);
        expect_sane(result.trace);
        EXPECT_GE(std::ranges::count(result.trace.spans, Kind::kernel, &TraceSpan::kind), 2);
        EXPECT_TRUE(
            same_pixels(result.image.view(), run_reference(image_.view(), make_spec("he", "simple")).image.view()));
        return std::pair{std::ranges::count(result.trace.spans, Kind::copy, &TraceSpan::kind),
                         count(result.trace, Kind::staging, TraceSpan::kHostRow)};
    };
    EXPECT_EQ(copies(MemoryMode::pageable), (std::pair<int64_t, int64_t>{2, 0}));
    EXPECT_EQ(copies(MemoryMode::pinned), (std::pair<int64_t, int64_t>{2, 2}));
    EXPECT_EQ(copies(MemoryMode::mapped), (std::pair<int64_t, int64_t>{0, 2}));
    EXPECT_EQ(copies(MemoryMode::managed), (std::pair<int64_t, int64_t>{0, 2}));
    const auto [bands, staged] = copies(MemoryMode::overlapped);
    EXPECT_GE(bands, 4) << "two bands of 4 MiB each way";
    EXPECT_EQ(bands, staged);
}

/// In the image's own managed memory: pages of the image and of the result move while kernels touch them, and come back
/// when the host reads the result. With all of them on the device the kernels take as long as those that copy.
TEST_F(TraceTest, PagesThatMoveAreToldFromARunWithAllPagesOnTheDevice) {
    const RunSpec spec = make_spec("he", "managed");
    const ImageSpec size{3840, 2160, PixelFormat::gray8, false};
    const HostImage image = make_test_image(size, 5);
    HostImage managed = gpu_->make_image(size, MemoryMode::managed);
    for (int y = 0; y < size.height; ++y)
        std::memcpy(managed.mutable_view().row(y), image.view().row(y), size.row_bytes());
    const auto run = [&](RunKind kind) {
        const RunResult result = gpu_->run(managed.view(), spec, {}, kind);
        expect_sane(result.trace);
        EXPECT_TRUE(same_pixels(result.image.view(), run_reference(image.view(), spec).image.view()));
        return result.trace;
    };
    run(RunKind::traced);
    const RunTrace resident = run(RunKind::resident);
    RunTrace moving = run(RunKind::traced);
    EXPECT_EQ(count(moving, Kind::migration, TraceSpan::kHostRow), 1) << "the host reads the result's pages back";
    EXPECT_EQ(queued(resident), queued(moving));
    add_migrations(moving, resident);
    EXPECT_GE(count(moving, Kind::migration, 1), 2) << "the image's pages, and the result's";
    const TimeParts parts = parts_of(moving);
    EXPECT_GT(parts.migration_ms, parts.kernels_ms / 2);
    EXPECT_LT(parts.migration_ms, parts.kernels_ms);
    const RunTrace pinned = gpu_->run(image.view(), make_spec("he", "pinned"), {}, RunKind::traced).trace;
    EXPECT_LT(parts_of(resident).kernels_ms, 2 * parts_of(pinned).kernels_ms);
}

TEST_F(TraceTest, TwoStreamsHaveARowEach) {
    const RunTrace traced = trace("he", "two-streams").trace;
    expect_sane(traced);
    std::set<int> rows;
    for (const TraceSpan& span : traced.spans) {
        if (span.kind == Kind::kernel) {
            EXPECT_TRUE(span.stage == "histogram" || span.stage == "apply") << span.stage;
            rows.insert(span.row);
        }
    }
    EXPECT_EQ(rows.size(), 2u);
}

/// Every variant can be traced, with the kernels that its resources name, and gives the same bytes.
TEST_F(TraceTest, EveryVariantsKernelsAreTraced) {
    for (const OperatorInfo* op : operators()) {
        for (const VariantInfo* variant : variants_of(op->id)) {
            if (variant->backend != BackendKind::cuda || variant->max_pixels > 0) continue;
            SCOPED_TRACE(std::string(op->id) + " " + std::string(variant->id));
            const RunSpec spec = make_spec(op->id, variant->id);
            const RunResult plain = gpu_->run(image_.view(), spec), traced = trace(spec);
            expect_sane(traced.trace);
            std::map<std::string, int> launches;
            for (const TraceSpan& span : traced.trace.spans)
                if (span.kind == Kind::kernel) ++launches[span.name];
            for (const KernelResources& kernel : traced.resources) launches[kernel.kernel] -= kernel.launches;
            for (const auto& [kernel, rest] : launches) EXPECT_EQ(rest, 0) << kernel;
            if (op->makes_bins) {
                EXPECT_EQ(*traced.bins, *plain.bins);
            } else if (!variant->wrong_by_design) {
                EXPECT_TRUE(same_pixels(traced.image.view(), plain.image.view()));
            }
        }
    }
}

TEST_F(TraceTest, OtherRunsAreNotTraced) {
    EXPECT_TRUE(gpu_->run(image_.view(), make_spec("he", "simple")).trace.spans.empty());
    trace("he", "simple");
    EXPECT_TRUE(gpu_->run(image_.view(), make_spec("he", "simple")).trace.spans.empty());
}

TEST_F(TraceTest, ARunThatIsRefusedLeavesTheNextOneAlone) {
    const HostImage large = make_test_image({2560, 1708, PixelFormat::gray8, false}, 1);
    EXPECT_THROW(gpu_->run(large.view(), make_spec("he", "one-thread"), {}, RunKind::traced), UserError);
    expect_sane(trace("he", "simple").trace);
}

TEST_F(TraceTest, TheClockIsThatOfTheMultiprocessors) {
    const ClockRate clock = gpu_->clock();
    EXPECT_GT(clock.mhz, 100);
    EXPECT_GT(clock.nominal_mhz, 100);
    EXPECT_LT(clock.mhz, clock.nominal_mhz * 1.1);
}

}  // namespace
}  // namespace tonescope
