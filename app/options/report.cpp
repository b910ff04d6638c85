#include "app/options/report.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "app/image_io/formats.h"
#include "gpu/core/text.h"

namespace tonescope {
Json rect_json(const Rect& rect) {
    return {{"x", rect.x}, {"y", rect.y}, {"width", rect.width}, {"height", rect.height}};
}

Json value_json(const ParamInfo& info, int32_t value) {
    if (info.kind == ParamKind::choice) return info.values[size_t(value)];
    if (info.kind == ParamKind::decimal) return double(value) / info.scale;
    return value;
}

Json params_json(std::span<const ParamInfo> table, const ParamBlock& block) {
    Json values = Json::object();
    for (const ParamInfo& info : table) values[std::string(info.id)] = value_json(info, block.get(info));
    return values;
}

Json stages_json(const StageTimes& stages, const std::vector<uint64_t>& bytes) {
    Json list = Json::array();
    for (size_t i = 0; i < stages.size(); ++i)
        list.push_back({{"stage", stages[i].stage}, {"ms", stages[i].ms}, {"bytes", bytes[i]}});
    return list;
}

namespace {

/// null where nothing is known.
Json occupancy_json(const Occupancy& occupancy) {
    if (occupancy.max_warps == 0) return {};
    return {{"limited_by", json_list(occupancy.limiters,
                                     [](OccupancyLimiter limiter) { return kOccupancyLimiters[size_t(limiter)]; })},
            {"max_warps", occupancy.max_warps},
            {"warps_by_block_warps", occupancy.warps}};
}

}  // namespace

Json kernels_json(const std::vector<KernelResources>& kernels) {
    return json_list(kernels, [](const KernelResources& kernel) {
        return Json{{"stage", kernel.stage},
                    {"kernel", kernel.kernel},
                    {"launches", kernel.launches},
                    {"registers", kernel.registers},
                    {"shared_bytes", kernel.shared_bytes},
                    {"spilled_bytes", kernel.spilled_bytes},
                    {"block_threads", kernel.block_threads},
                    {"grid_blocks", kernel.grid_blocks},
                    {"blocks_per_multiprocessor", kernel.blocks_per_multiprocessor},
                    {"occupancy_percent", kernel.occupancy_percent},
                    {"occupancy", occupancy_json(kernel.occupancy)}};
    });
}

double sum_ms(const StageTimes& stages, bool with_copies, double wall_ms) {
    return stages.empty() ? wall_ms : std::min(sum_ms(stages, with_copies), wall_ms);
}

std::string number_text(double value) {
    const int decimals = value == 0 ? 0 : std::clamp(2 - int(std::floor(std::log10(std::abs(value)))), 0, 6);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

Json clipping_json(const Clipping& clipping, const ClipThresholds& thresholds) {
    const auto side = [](const ClippingCounts& counts, bool is_after) {
        const auto end = [&](const ClippedPixels& clipped) {
            // One that becomes an object with its first entry is left invalid where that lacks memory.
            Json json = Json::object();
            constexpr const char* names[] = {"red", "green", "blue"};
            for (size_t c = 0; c < 3; ++c) json[names[c]] = counts.has_color ? Json(clipped.channels[c]) : Json();
            json["any"] = clipped.any;
            if (is_after) json["new"] = clipped.added;
            return json;
        };
        return Json{{"pixels", counts.pixels}, {"low", end(counts.low)}, {"high", end(counts.high)}};
    };
    return {{"thresholds", {{"low", thresholds.low}, {"high", thresholds.high}}},
            {"before", side(clipping.before, false)},
            {"after", clipping.after ? side(*clipping.after, true) : Json()}};
}

Json figures_json(const FigureValues& values) {
    const auto side = [&](const std::vector<std::optional<double>>& of_side) {
        Json json = Json::object();
        for (size_t k = 0; k < values.figures.size(); ++k) {
            const std::optional<double>& value = of_side[k];
            Json& entry = json[std::string(values.figures[k]->id)];
            if (value) entry = std::isfinite(*value) ? Json(*value) : Json("infinite");
        }
        return json;
    };
    return {{"before", side(values.before)}, {"after", side(values.after)}};
}

std::string shell_word(const std::string& text) {
    const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return c >= 0x80 || std::isalnum(c) != 0 ||
               std::string_view("/._-+=:,@%").find(char(c)) != std::string_view::npos;
    });
    if (plain) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

namespace {

std::string settings(std::span<const ParamInfo> table, const ParamBlock& params) {
    std::string text;
    for (const ParamInfo& info : table)
        if (is_active(table, info, params))
            text += " --set " + shell_word(std::string(info.id) + "=" + format_value(info, params.get(info)));
    return text;
}

}  // namespace

Json part_json(const ResultPart& part) {
    const bool has_mask = !part.mask_path.empty();
    return {{"region", part.has_region() ? Json(region_text(part.region)) : Json()},
            {"feather", part.has_region() ? Json(part.feather_px) : Json()},
            {"mask", has_mask ? Json(part.mask_path) : Json()},
            {"mask_inverse", has_mask ? Json(part.mask_inverse) : Json()}};
}

std::string part_options(const ResultPart& part) {
    std::string text;
    if (part.has_region()) text += " --region " + region_text(part.region);
    if (part.has_region() && part.feather_px > 0) text += " --feather " + std::to_string(part.feather_px);
    if (!part.mask_path.empty())
        text += " --mask " + shell_word(part.mask_path) + (part.mask_inverse ? " --mask-inverse" : "");
    return text;
}

std::string reproducing_command(const RunSpec& spec, const std::string& input, const std::string& output,
                                const SaveOptions& save_options, int page) {
    std::string text = "tonescope --headless -i " + shell_word(input) + " -o " + shell_word(output) + " --op " +
                       std::string(spec.op->id);
    if (spec.variant != nullptr) text += " --variant " + shell_word(std::string(spec.variant->id));
    if (page > 0) text += " --page " + std::to_string(page + 1);
    text += settings(spec.op->params, spec.params);
    ResultPart part = spec.part;
    if (part.mask == nullptr) part.mask_path.clear();  // it was not read
    text += part_options(part);
    if (const image_io::Format* format = image_io::find_saved_format(extension_of(output)))
        for (const auto& [id, value] : save_options)
            if (const ParamInfo* info = find_param(format->options, id))
                text += " --" + id + " " + format_value(*info, value);
    if (spec.variant == nullptr) return text;
    text += settings(spec.variant->params, spec.variant_params);
    if (spec.variant->backend == BackendKind::cuda)
        text += " --memory " + std::string(kMemoryModeIds[size_t(spec.memory)]);
    return text;
}

}  // namespace tonescope
