#include "tests/differential/cases.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tonescope::test {
namespace {

/// Smooth light, texture, an edge and a little noise: what photographs have, in levels of 0 to 255.
double photo_level(int x, int y, int channel, Random& random) {
    const double light = 90 + 60 * std::sin(0.011 * x + channel) * std::cos(0.007 * y - 0.5 * channel);
    const double texture = 14 * std::sin(0.9 * x + 0.3 * y) * std::sin(0.05 * y);
    const double edge = (x / 97 + y / 61) % 3 == 0 ? 45 : 0;
    return light + texture + edge + double(random() % 9) - 4;
}

/// Any sample from 0 to `max_sample`.
int random_sample(int max_sample, Random& random) {
    return int((random() >> 8) % uint32_t(max_sample + 1));
}

int value_of(Content content, int x, int y, int channel, const ImageSpec& spec, uint32_t seed, Random& random) {
    const int max = spec.max_sample;
    switch (content) {
        case Content::photo:
            return int(std::clamp(std::lround(photo_level(x, y, channel, random) * max / 255), 0L, long{max}));
        case Content::noise:
            return random_sample(max, random);
        case Content::ramp:
            return int((int64_t{x} + (channel + 1) * int64_t{y}) * max / std::max(1, spec.width + 3 * spec.height));
        case Content::two_level:
            return (x / 5 + y / 3 + channel) % 2 == 0 ? int(seed % 100) : max - int(seed % 105);
        case Content::constant:
            return int((seed * 7 + uint32_t(channel) * 41) % uint32_t(max + 1));
        case Content::skewed:  // nearly everything in one bin, the rest far above it
            return random() % 1000 < 997 ? 3 : random_sample(max, random);
    }
    return 0;
}

}  // namespace

uint32_t base_seed() {
    const char* text = std::getenv("TONESCOPE_TEST_SEED");
    return text == nullptr ? 20240229u : uint32_t(std::strtoul(text, nullptr, 10));
}

int random_between(Random& random, int64_t low, int64_t high) {
    return int(low + int64_t(random() % uint64_t(high - low + 1)));
}

std::string to_string(Content content) {
    constexpr const char* kNames[] = {"photo", "noise", "ramp", "two-level", "constant", "skewed"};
    return kNames[size_t(content)];
}

std::string to_string(Channels channels) {
    constexpr const char* kNames[] = {"gray", "RGB", "RGBA"};
    return kNames[size_t(channels)];
}

HostImage make_image(Content content, Channels channels, int width, int height, uint32_t seed, int padding_px,
                     int max_sample) {
    const bool gray = channels == Channels::gray, deep = max_sample > 255;
    const PixelFormat format =
        deep ? (gray ? PixelFormat::gray16 : PixelFormat::rgba16) : (gray ? PixelFormat::gray8 : PixelFormat::rgba8);
    const ImageSpec spec{width, height, format, channels == Channels::rgba, uint16_t(max_sample)};
    HostImage image(spec, spec.row_bytes() + size_t(padding_px) * size_t(bytes_per_pixel(format)));
    Random random(seed);
    for (size_t i = 0; i < (padding_px > 0 ? image.size_bytes() : 0); ++i) image.data()[i] = uint8_t(random() >> 8);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            uint8_t* pixel = image.mutable_view().pixel(x, y);
            for (int c = 0; c < (gray ? 1 : 3); ++c)
                set_sample(pixel, format, c, value_of(content, x, y, c, spec, seed, random));
            if (!gray) set_sample(pixel, format, 3, spec.has_alpha ? random_sample(max_sample, random) : max_sample);
        }
    }
    return image;
}

void add_surround(HostImage& image, int value) {
    const ImageSpec& spec = image.spec();
    const double rx = 0.4 * spec.width, ry = 0.35 * spec.height;
    for (int y = 0; y < spec.height; ++y) {
        for (int x = 0; x < spec.width; ++x) {
            const double dx = (x + 0.5 - 0.5 * spec.width) / rx, dy = (y + 0.5 - 0.5 * spec.height) / ry;
            if (dx * dx + dy * dy <= 1) continue;
            for (int c = 0; c < (is_gray(spec.format) ? 1 : 3); ++c)
                set_sample(image.mutable_view().pixel(x, y), spec.format, c, value);
        }
    }
}

ParamBlock defaults_of(const OperatorInfo& op) {
    return default_values(op.params);
}

std::vector<ParamBlock> limits_of(std::span<const ParamInfo> table) {
    std::vector<ParamBlock> all;
    for (const ParamInfo& info : table) {
        ParamBlock block = default_values(table);
        if (const ParamInfo* condition = find_param(table, info.active_if)) block.set(*condition, info.active_value);
        std::vector<int32_t> values{info.min, info.max};
        if (info.kind == ParamKind::choice)
            for (int32_t v = info.min + 1; v < info.max; ++v) values.push_back(v);
        for (int32_t value : values) {
            block.set(info, value);
            all.push_back(block);
        }
    }
    return all;
}

ParamBlock draw_params(std::span<const ParamInfo> table, Random& random) {
    ParamBlock block = default_values(table);
    for (const ParamInfo& info : table) {
        // Where sliders are logarithmic, small values are as likely to be wanted as large ones.
        int64_t high = info.max;
        if (info.common_max < high && random_between(random, 0, 3) > 0) high = info.common_max;
        if (info.logarithmic)
            for (int halvings = random_between(random, 0, 12); halvings > 0 && high / 2 > info.min; --halvings)
                high /= 2;
        block.set(info, clamp_value(info, random_between(random, info.min, high)));
    }
    return block;
}

std::string describe(std::span<const ParamInfo> table, const ParamBlock& params) {
    std::string text;
    for (const ParamInfo& info : table)
        text += (text.empty() ? "" : " ") + std::string(info.id) + "=" + format_value(info, params.get(info));
    return text.empty() ? "no parameters" : text;
}

ParamBlock affordable(const OperatorInfo& op, ParamBlock params, int64_t pixels, double visits) {
    if (const ParamInfo* tables = find_param(op.params, "tables"), *bins = find_param(op.params, "bins");
        tables != nullptr && params.get(*tables) != tables->default_value) {
        // A window's height of pixels, at most the tile's or the padded image's, and all bins.
        const ParamInfo* side = find_param(op.params, "tile_size");
        const double height = std::max(double(params.get(*side)), 2 * std::sqrt(double(pixels)));
        if (double(pixels) * (2 * height + 3 * (256 << params.get(*bins))) > visits)
            params.set(*tables, tables->default_value);
    }
    const ParamInfo* radius = find_param(op.params, "radius");
    if (radius == nullptr) return params;
    const double side = std::sqrt(visits / (4 * double(pixels)));
    params.set(*radius, clamp_value(*radius, std::min<int64_t>(params.get(*radius), int64_t(side) - 1)));
    return params;
}

Answer reference_answer(const Case& c) {
    Answer answer;
    CpuJob job{.input = c.input->view(), .params = c.params};
    if (c.op->makes_bins) {
        job.bins = &answer.bins;
    } else {
        answer.image = HostImage(c.op->output_spec(c.input->spec(), c.params));
        job.output = answer.image.mutable_view();
    }
    reference_of(c.op->id).run_cpu(job);
    return answer;
}

}  // namespace tonescope::test
