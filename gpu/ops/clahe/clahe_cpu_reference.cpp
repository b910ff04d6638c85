// CLAHE in plain loops: the definition, step by step. Slow on purpose.
#include <algorithm>
#include <vector>

#include "gpu/core/luma.h"
#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/color_param.h"

namespace tonescope::clahe {
namespace {

/// What is equalized at a pixel. `plane` is the channel where each channel is equalized alone, else 0.
int value_at(const ImageView& image, int x, int y, int plane, bool channels) {
    const uint8_t* pixel = image.pixel(x, y);
    if (image.spec.format == PixelFormat::gray8) return pixel[0];
    if (channels) return pixel[plane];
    return luma(pixel[0], pixel[1], pixel[2]);
}

/// The table of one tile: 256 entries.
void make_table(const ImageView& image, const Geometry& g, const Rect& tile, int plane, bool channels, uint8_t* table) {
    int64_t h[256] = {};
    for (int y = tile.y; y < tile.y + tile.height; ++y) {
        for (int x = tile.x; x < tile.x + tile.width; ++x) {
            const int source_x = mirror_index(x, image.spec.width);
            const int source_y = mirror_index(y, image.spec.height);
            ++h[value_at(image, source_x, source_y, plane, channels)];
        }
    }
    const int64_t pixels = int64_t{tile.width} * tile.height;  // A

    if (g.clips) {
        int64_t excess = 0;
        for (int v = 0; v < 256; ++v) excess += std::max<int64_t>(0, h[v] - g.clip);
        for (int v = 0; v < 256; ++v) h[v] = std::min(h[v], g.clip) + excess / 256;
        const int64_t rest = excess % 256;
        if (g.spreads && rest > 0) {
            const int64_t stride = std::max<int64_t>(256 / rest, 1);
            for (int64_t k = 0; k < rest; ++k) h[k * stride] += 1;
        }
    }

    int64_t cdf = 0;
    for (int v = 0; v < 256; ++v) {
        cdf += h[v];
        table[v] = uint8_t(std::min<int64_t>(255, (2 * 255 * cdf + pixels) / (2 * pixels)));
    }
}

void run_reference(const CpuJob& job) {
    const auto params = job.params.as<Params>();
    const ImageView& in = job.input;
    const MutableImageView& out = job.output;
    const Geometry g = make_geometry(in.spec, params);
    const bool gray = in.spec.format == PixelFormat::gray8;
    const bool channels = !gray && params.color == color_channels;
    const int planes = channels ? 3 : 1;
    std::vector<uint8_t> tables(size_t(planes) * size_t(g.rows) * size_t(g.columns) * 256);
    const auto table = [&](int plane, int tile_y, int tile_x) {
        return &tables[((size_t(plane) * size_t(g.rows) + size_t(tile_y)) * size_t(g.columns) + size_t(tile_x)) * 256];
    };

    {
        const ScopedStage stage(job.stages, "tables", in.spec.size_bytes());
        for (int tile_y = 0; tile_y < g.rows; ++tile_y) {
            for (int tile_x = 0; tile_x < g.columns; ++tile_x) {
                if (job.stop.stop_requested()) return;
                for (int plane = 0; plane < planes; ++plane)
                    make_table(in, g, g.tile(tile_y, tile_x), plane, channels, table(plane, tile_y, tile_x));
            }
        }
    }

    const ScopedStage stage(job.stages, "blend", in.spec.size_bytes() + out.spec.size_bytes());
    const int64_t width2 = 2 * int64_t{g.tile_width}, height2 = 2 * int64_t{g.tile_height};
    for (int y = 0; y < in.spec.height; ++y) {
        if (job.stop.stop_requested()) return;
        const TileBlend by = tile_blend(y, g.tile_height, g.rows);
        const int64_t bottom = by.weight, top = height2 - bottom;
        for (int x = 0; x < in.spec.width; ++x) {
            const TileBlend bx = tile_blend(x, g.tile_width, g.columns);
            const int64_t right = bx.weight, left = width2 - right;
            int changed[3];
            for (int plane = 0; plane < planes; ++plane) {
                const int v = value_at(in, x, y, plane, channels);
                const int64_t sum = table(plane, by.first, bx.first)[v] * left * top +
                                    table(plane, by.first, bx.second)[v] * right * top +
                                    table(plane, by.second, bx.first)[v] * left * bottom +
                                    table(plane, by.second, bx.second)[v] * right * bottom;
                changed[plane] = int((sum + width2 * height2 / 2) / (width2 * height2));
            }
            const uint8_t* from = in.pixel(x, y);
            uint8_t* to = out.pixel(x, y);
            if (out.spec.format == PixelFormat::gray8) {
                to[0] = uint8_t(changed[0]);
                continue;
            }
            for (int c = 0; c < 3; ++c) {
                if (channels)
                    to[c] = uint8_t(changed[c]);
                else if (params.color == color_gray)
                    to[c] = uint8_t(changed[0]);
                else
                    to[c] = uint8_t(shift_channel(from[c], changed[0] - luma(from[0], from[1], from[2])));
            }
            to[3] = from[3];
        }
    }
}

const VariantRegistration cpu_reference_variant({
    .op = "clahe",
    .id = "cpu",
    .name = "Reference",
    .source = "A CPU",
    .reference = true,
    .idea = "Loops over the tiles for their tables, then over the pixels to blend four of them: the definition, step "
            "by step.",
    .cost = "One thread; every pixel is read twice and costs eight multiplications and a 64-bit division.",
    .flaw = "Uses one core, and works out again at every pixel which tiles it lies between.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double planes = plane_count(c.image, color), in = bytes_per_pixel(c.image.format);
            return tile_work(
                c, 1,
                {{.bytes = in, .operations = by_color(c, color, 16, 22, 48)},
                 {.bytes = 256 * (planes - 1), .operations = 256 * 12 * planes}},
                {{.bytes = in + color_output_bytes<Params>(c), .operations = by_color(c, color, 45, 66, 100)},
                 {.bytes = 256 * (planes - 1)}});
        },
    .run_cpu = run_reference,
});

}  // namespace
}  // namespace tonescope::clahe
