// The Kuwahara filter of `tuned` for images of 16 bits: which sums and which ring boxes get, and how the image is
// shared out among blocks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/core/error.h"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/scratch.h"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/tuned/deep_strips.cuh"

namespace tonescope::kuwahara::tuned {

/// Numbers that were measured on an H100, on 4K noise with radius 4 and 15.
struct DeepPlanPolicy {
    static constexpr float kEvaluatedRow = 0.8F;  // a row that is not written, in units of one that is
    static constexpr float kOuterRow = 1.25F;     // a row of the first and the last strip
    static constexpr int kMinRows = DeepStripPolicy::kRows;
};

/// Rows of segments for which `slots` blocks suffice, all of them ending at about the same time: a segment first
/// evaluates `radius` rows. Segments end with a batch.
inline void divide_rows(DeepStripPlan& plan, int slots) {
    using Policy = DeepPlanPolicy;
    const auto rows_for = [&](float cost, float row_cost) {
        const int rows = int(cost / row_cost - Policy::kEvaluatedRow * float(plan.radius));
        const int whole = std::max(rows + plan.radius, plan.radius + Policy::kMinRows) / DeepStripPolicy::kRows *
                              DeepStripPolicy::kRows -
                          plan.radius;
        return whole > 0 ? whole : whole + DeepStripPolicy::kRows;
    };
    float cost = float(plan.radius + Policy::kMinRows);
    do {
        plan.outer_rows = rows_for(cost, Policy::kOuterRow);
        plan.inner_rows = rows_for(cost, 1);
        plan.outer_segments = (plan.height + plan.outer_rows - 1) / plan.outer_rows;
        plan.inner_segments = (plan.height + plan.inner_rows - 1) / plan.inner_rows;
        cost += 1 + cost / 64;
    } while (plan.blocks() > slots && plan.outer_segments > 1);
}

template <class Pixel, bool kWide, bool kSharedRing>
void launch_deep_filter(CudaJob& job, DeepStripPlan plan, LaunchShape shape) {
    with_sink<Pixel>(job.output, [&]<class Sink>(Sink sink) {
        const auto kernel = &kuwahara_deep_kernel<Pixel, kWide, kSharedRing, Sink>;
        const int resident = resident_blocks(job.device, shape, kernel);
        if (resident == 0)
            throw DeviceError("Kuwahara, tuned: this GPU has too little shared memory; choose another variant");
        divide_rows(plan, resident * job.device.multiProcessorCount);
        shape.blocks = unsigned(plan.blocks());
        if (!kSharedRing)
            plan.d_kept = job.scratch.get<uint8_t>(
                "kuwahara deep boxes", size_t(shape.blocks) * size_t(plan.radius) * deep_slot_bytes<Pixel, kWide>());
        launch_pdl(job.device, shape, kernel, sink, plan);
    });
}

template <class Pixel>
void filter_deep_pixels(CudaJob& job) {
    const ImageSpec& spec = job.input_spec;
    const int radius = job.params.as<Params>().radius;
    const uint32_t n = uint32_t((radius + 1) * (radius + 1));
    const int pixel_columns = DeepStripPlan::pixel_columns(radius);
    DeepStripPlan plan{.d_input = job.d_input,
                       .pitch_bytes = uint32_t(job.input_pitch_bytes),
                       .width = spec.width,
                       .height = spec.height,
                       .radius = radius,
                       .strips = (spec.width + pixel_columns - 1) / pixel_columns,
                       .outer_strips = 0,
                       .outer_segments = 0,
                       .outer_rows = 0,
                       .inner_segments = 0,
                       .inner_rows = 0,
                       .whole = BoxMean(n),
                       .d_kept = nullptr};
    plan.outer_strips = std::min(plan.strips, 2);
    const auto shape = [&]<bool kWide>(std::bool_constant<kWide>, bool with_ring) {
        const size_t ring_bytes = with_ring ? size_t(radius) * deep_slot_bytes<Pixel, kWide>() : 0;
        return LaunchShape{.threads = DeepStripPolicy::kThreads,
                           .shared_bytes = deep_rows_bytes<Pixel, kWide>() + ring_bytes,
                           .stream = job.stream};
    };
    // Rings had better lie in shared memory, unless that leaves room for hardly any block.
    const auto fits = [&](const LaunchShape& with_ring) {
        return with_ring.shared_bytes <= job.device.sharedMemPerBlockOptin &&
               2 * (with_ring.shared_bytes + 2048) <= job.device.sharedMemPerMultiprocessor;
    };
    const LaunchShape narrow = shape(std::false_type(), true), wide = shape(std::true_type(), true);
    if (is_narrow(n, spec.max_sample) && fits(narrow)) return launch_deep_filter<Pixel, false, true>(job, plan, narrow);
    if (fits(wide)) return launch_deep_filter<Pixel, true, true>(job, plan, wide);
    launch_deep_filter<Pixel, true, false>(job, plan, shape(std::true_type(), false));
}

/// Stage "filter".
inline void run_tuned_deep(CudaJob& job) {
    const auto stage = job.stage("filter", job.input_bytes() + job.output_bytes());
    if (is_gray(job.input_spec.format))
        filter_deep_pixels<uint16_t>(job);
    else
        filter_deep_pixels<ushort4>(job);
}

}  // namespace tonescope::kuwahara::tuned
