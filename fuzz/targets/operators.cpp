// Every operator's variants on the CPU, and what it says of a pixel, against the reference.
#include "fuzz/target.h"
#include "gpu/core/registry.h"
#include "gpu/ops/range_param.h"
#include "tests/image_tools.h"

namespace tonescope::fuzz {
namespace {

constexpr int kLongestSide_px = 40;
constexpr double kMostOperations = 1 << 21;  // of the reference, about
constexpr uint8_t kPoison = 0xA5;

ParamBlock take_params(Take& take, std::span<const ParamInfo> table) {
    ParamBlock params = default_values(table);
    for (const ParamInfo& info : table)
        if (take.byte() % 4 != 0) params.set(info, clamp_value(info, take.between(info.min, info.max)));
    return params;
}

/// Tables of 65,536 bins for each of 4,096 tiles would take seconds: parameters come nearer to their defaults until the
/// reference has little to do.
void limit_work(const OperatorInfo& op, ParamBlock& params, const ImageSpec& image) {
    if (find_param(op.params, kBinsId) == nullptr) return;
    const VariantInfo& reference = reference_of(op.id);
    const auto operations = [&] {
        return total_of(reference.work({image, params, default_values(reference.params)})).operations *
               (image.max_sample + 1) / 256;
    };
    for (int tries = 0; tries < 32 && operations() > kMostOperations; ++tries)
        for (const ParamInfo& info : op.params)
            params.set(info, int32_t((int64_t{params.get(info)} + info.default_value) / 2));
}

/// The bytes that are left, again and again; `step` makes another image out of few bytes.
HostImage take_image(Take& take) {
    ImageSpec spec{take.between(1, kLongestSide_px), take.between(1, kLongestSide_px), PixelFormat::gray8, false};
    const uint8_t kind = take.byte();
    const bool deep = (kind & 0x80) != 0;
    spec.format = (kind & 1) != 0 ? deep ? PixelFormat::rgba16 : PixelFormat::rgba8
                  : deep          ? PixelFormat::gray16
                                  : PixelFormat::gray8;
    spec.has_alpha = (kind & 3) == 3;
    if (deep) spec.max_sample = uint16_t(take.between(256, 65535));
    HostImage image(spec, spec.row_bytes() + size_t((kind >> 2) % 8 * bytes_per_sample(spec.format)));
    const uint8_t step = take.byte();
    const auto bytes = take.rest();
    for (size_t i = 0; i < image.size_bytes(); ++i)
        image.data()[i] =
            uint8_t((bytes.empty() ? 0 : bytes[i % bytes.size()]) + i / std::max<size_t>(bytes.size(), 1) * step);
    for (int y = 0; y < spec.height; ++y)
        for (int x = 0; x < spec.width; ++x) {
            uint8_t* pixel = image.mutable_view().pixel(x, y);
            for (int c = 0; c < (is_gray(spec.format) ? 1 : 4); ++c)
                if (sample_at(pixel, spec.format, c) > spec.max_sample || (c == 3 && !spec.has_alpha))
                    set_sample(pixel, spec.format, c, spec.max_sample);
        }
    return image;
}

struct Answer {
    HostImage image = {};
    BinsResult bins{{1, 2, 3}, {4, 5, 6, 7}};
};

Answer run_variant(const VariantInfo& variant, CpuJob job, const ImageSpec& spec, bool makes_bins,
                   size_t padding_bytes) {
    Answer answer;
    if (makes_bins) {
        job.bins = &answer.bins;
        variant.run_cpu(job);
        return answer;
    }
    answer.image = HostImage(spec, spec.row_bytes() + padding_bytes);
    std::fill_n(answer.image.data(), answer.image.size_bytes(), kPoison);
    job.output = answer.image.mutable_view();
    variant.run_cpu(job);
    for (int y = 0; y < spec.height; ++y)
        for (size_t i = spec.row_bytes(); i < answer.image.pitch_bytes(); ++i)
            if (answer.image.view().row(y)[i] != kPoison) fail(std::string(variant.id) + " writes behind a row");
    return answer;
}

void explain_pixel(const OperatorInfo& op, const CpuJob& job, Pixel at, const Answer& expected) {
    const Explanation says = op.explain({.input = job.input, .params = job.params, .pixel = at});
    if (op.makes_bins) {
        require(says.plots.at(0).counts == expected.bins.counts, "an explanation counts otherwise than the reference");
        return;
    }
    const ImageView image = expected.image.view();
    for (int c = 0; c < (is_gray(image.spec.format) ? 1 : 4); ++c)
        require(says.result[size_t(c)] == sample_at(image.pixel(at.x, at.y), image.spec.format, c),
                "an explanation differs from the reference");
}

/// What the window asks for beside the result: a preview from here to the last pixel, and other values of choices.
void ask_more(const OperatorInfo& op, const CpuJob& job, Pixel from, int step) {
    const ImageSpec& spec = job.input.spec;
    for (const ParamInfo& info : op.params) {
        if (op.conversions != nullptr) op.conversions(info, job.params, spec);
        for (int32_t value = 0; value < int32_t(info.values.size()); ++value) {
            const ParamBlock params = with_value(op, job.params, info, value, spec).params;
            for (const ParamInfo& other : op.params)
                require(clamp_value(other, params.get(other)) == params.get(other), "a value is out of its range");
        }
    }
    if (op.preview == nullptr) return;
    const Rect region{from.x, from.y, spec.width - from.x, spec.height - from.y};
    ImageSpec reduced = op.output_spec(spec, job.params);
    reduced.width = (region.width + step - 1) / step;
    reduced.height = (region.height + step - 1) / step;
    HostImage image(reduced);
    op.preview({job.input, job.params, region, step, image.mutable_view(), job.threads});
}

void run_on(const OperatorInfo& op, Take take) {
    ParamBlock params = take_params(take, op.params);
    const uint8_t how = take.byte();
    const std::vector<const VariantInfo*> variants = variants_of(op.id);
    std::vector<ParamBlock> variant_params;
    for (const VariantInfo* variant : variants) variant_params.push_back(take_params(take, variant->params));
    const uint8_t x = take.byte(), y = take.byte();
    const HostImage image = take_image(take);
    limit_work(op, params, image.spec());
    const ImageSpec spec = op.output_spec(image.spec(), params);
    const VariantInfo& reference = reference_of(op.id);

    CpuJob job{.input = image.view(), .params = params, .variant_params = default_values(reference.params)};
    const Answer expected = run_variant(reference, job, spec, op.makes_bins, 0);
    for (size_t v = 0; v < variants.size(); ++v) {
        if (variants[v]->run_cpu == nullptr || variants[v] == &reference) continue;
        if (!refusal(op, *variants[v], params, image.spec()).empty()) continue;
        job.variant_params = variant_params[v];
        job.threads = 1 + how % 3;
        const Answer answer =
            run_variant(*variants[v], job, spec, op.makes_bins, size_t(how >> 4) * bytes_per_sample(spec.format));
        if (op.makes_bins ? !(answer.bins == expected.bins) : !same_pixels(answer.image.view(), expected.image.view()))
            fail(std::string(op.id) + " " + std::string(variants[v]->id) + " differs from the reference");
    }
    const Pixel at{x % image.width(), y % image.height()};
    if (op.explain != nullptr) explain_pixel(op, job, at, expected);
    ask_more(op, job, at, 1 + how % 4);
}

const Registration operator_targets([](std::vector<Target>& targets) {
    for (const OperatorInfo* const op : operators()) {
        Target target{.name = "operators_" + std::string(op->id),
                      .run = [op](std::span<const uint8_t> data) { run_on(*op, Take(data)); }};
        for (const int seed : {1, 60, 255}) {
            Bytes bytes;
            for (int i = 0; i < 64; ++i) bytes.push_back(uint8_t(seed * (i + 1) >> (i % 3)));
            target.seeds.push_back(std::move(bytes));
        }
        targets.push_back(std::move(target));
    }
});

}  // namespace
}  // namespace tonescope::fuzz
