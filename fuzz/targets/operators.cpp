// Every operator's variants on the CPU against the reference, byte by byte.
#include "fuzz/target.h"
#include "gpu/core/registry.h"
#include "tests/image_tools.h"

namespace tonescope::fuzz {
namespace {

constexpr int kMaxSide = 40;
constexpr uint8_t kPoison = 0xA5;

ParamBlock take_params(Take& take, std::span<const ParamInfo> table) {
    ParamBlock params = default_values(table);
    for (const ParamInfo& info : table)
        if (take.byte() % 4 != 0) params.set(info, clamp_value(info, take.between(info.min, info.max)));
    return params;
}

/// The bytes that are left, again and again; `step` makes another image out of few bytes.
HostImage take_image(Take& take) {
    ImageSpec spec{take.between(1, kMaxSide), take.between(1, kMaxSide), PixelFormat::gray8, false};
    const uint8_t kind = take.byte();
    if (kind & 1) spec.format = PixelFormat::rgba8;
    spec.has_alpha = (kind & 3) == 3;
    HostImage image(spec, spec.row_bytes() + (kind >> 2) % 8);
    const uint8_t step = take.byte();
    const auto bytes = take.rest();
    for (size_t i = 0; i < image.size_bytes(); ++i)
        image.data()[i] =
            uint8_t((bytes.empty() ? 0 : bytes[i % bytes.size()]) + i / std::max<size_t>(bytes.size(), 1) * step);
    if (spec.format == PixelFormat::rgba8 && !spec.has_alpha)
        for (int y = 0; y < spec.height; ++y)
            for (int x = 0; x < spec.width; ++x) image.mutable_view().pixel(x, y)[3] = 255;
    return image;
}

void run_on(const OperatorInfo& op, Take take) {
    const ParamBlock params = take_params(take, op.params);
    const uint8_t threads = take.byte();
    const std::vector<const VariantInfo*> variants = variants_of(op.id);
    std::vector<ParamBlock> variant_params;
    for (const VariantInfo* variant : variants) variant_params.push_back(take_params(take, variant->params));
    const HostImage image = take_image(take);
    const ImageSpec spec = op.output_spec(image.spec(), params);
    const VariantInfo& reference = reference_of(op.id);

    BinsResult expected_bins;
    HostImage expected;
    CpuJob job{.input = image.view(), .params = params, .variant_params = default_values(reference.params)};
    if (op.makes_bins) {
        job.bins = &expected_bins;
    } else {
        expected = HostImage(spec);
        job.output = expected.mutable_view();
    }
    reference.run_cpu(job);

    for (size_t v = 0; v < variants.size(); ++v) {
        if (variants[v]->run_cpu == nullptr || variants[v] == &reference) continue;
        job.variant_params = variant_params[v];
        job.threads = 1 + threads % 3;
        const std::string who = std::string(op.id) + " " + std::string(variants[v]->id);
        if (op.makes_bins) {
            BinsResult bins{{1, 2, 3}, {4, 5, 6, 7}};
            job.bins = &bins;
            variants[v]->run_cpu(job);
            if (!(bins == expected_bins)) fail(who + " counts otherwise than the reference");
            continue;
        }
        HostImage output(spec, spec.row_bytes() + size_t(threads >> 4));
        std::fill_n(output.data(), output.size_bytes(), kPoison);
        job.output = output.mutable_view();
        variants[v]->run_cpu(job);
        if (!same_pixels(output.view(), expected.view())) fail(who + " differs from the reference");
        for (int y = 0; y < spec.height; ++y)
            for (size_t i = spec.row_bytes(); i < output.pitch_bytes(); ++i)
                if (output.view().row(y)[i] != kPoison) fail(who + " writes behind a row");
    }
}

const Registration registration([](std::vector<Target>& targets) {
    for (const OperatorInfo* const op : operators()) {
        Target target{.name = "operators_" + std::string(op->id),
                      .run = [op](std::span<const uint8_t> data) { run_on(*op, Take(data)); }};
        for (const uint8_t seed : {1, 60, 255}) {
            Bytes bytes;
            for (int i = 0; i < 64; ++i) bytes.push_back(uint8_t(seed * (i + 1) >> (i % 3)));
            target.seeds.push_back(std::move(bytes));
        }
        targets.push_back(std::move(target));
    }
});

}  // namespace
}  // namespace tonescope::fuzz
