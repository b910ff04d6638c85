#include "ui/model/caption.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "gpu/core/text.h"

namespace tonescope::ui {
namespace {

enum CaptionRank : int { kWhat, kParams, kTime, kBeside, kVariant, kDefaults };

}  // namespace

std::string Caption::text() const {
    std::string text;
    for (const Part& part : parts) text.append(text.empty() ? "" : ", ").append(part.text);
    return text;
}

std::string Caption::drop_least() {
    auto least = parts.begin();
    for (auto part = parts.begin(); part != parts.end(); ++part)
        if (part->rank >= least->rank) least = part;
    std::string gone;
    for (Part& part : parts) {
        if (least->rank > kTime) break;
        const size_t value_bytes = part.text.size() - std::exchange(part.unit_bytes, 0);
        gone += part.text.substr(value_bytes);
        part.text.resize(value_bytes);
    }
    if (!gone.empty()) return gone;
    gone = std::move(least->text);
    parts.erase(least);
    return gone;
}

std::string value_text(const ParamInfo& info, int32_t value) {
    std::string text = format_value(info, value);
    if (!info.unit.empty()) text.append(" ").append(info.unit);
    return text;
}

std::string param_text(const ParamInfo& info, int32_t value) {
    return std::string(info.label) + " " + value_text(info, value);
}

const ParamInfo* choice_of(std::span<const ParamInfo> table, const ParamInfo& number) {
    const ParamInfo* const choice = find_param(table, number.active_if);
    if (choice == nullptr || choice->kind != ParamKind::choice) return nullptr;
    const std::string_view value = choice->values[size_t(number.active_value)];
    return lower_case(number.label) == lower_case(value) ? choice : nullptr;
}

std::vector<Caption::Part> changed_params(std::span<const ParamInfo> table, const ParamBlock& block) {
    std::vector<const ParamInfo*> told;  // by a number
    for (const ParamInfo& info : table)
        if (is_active(table, info, block)) told.push_back(choice_of(table, info));
    std::vector<Caption::Part> parts;
    for (const ParamInfo& info : table) {
        const int32_t value = block.get(info);
        const ParamInfo* const choice = choice_of(table, info);
        const bool is_default =
            value == info.default_value && (choice == nullptr || block.get(*choice) == choice->default_value);
        if (!is_active(table, info, block) || is_default || std::ranges::count(told, &info) > 0) continue;
        parts.push_back(
            {choice != nullptr ? std::string(choice->label) + " " + value_text(info, value) : param_text(info, value),
             kParams, info.unit.empty() ? 0 : info.unit.size() + 1});
    }
    return parts;
}

std::string mask_text(const ResultPart& part) {
    std::string_view path = part.mask_path;
    while (path.ends_with('/')) path.remove_suffix(1);  // a folder of masks
    return (part.mask_inverse ? "inverse mask " : "mask ") + std::string(path.substr(path.rfind('/') + 1));
}

std::vector<Caption::Part> changed_params(const RunSpec& run) {
    std::vector<Caption::Part> parts = changed_params(run.op->params, run.params);
    if (run.variant != nullptr)
        for (Caption::Part& part : changed_params(run.variant->params, run.variant_params))
            parts.push_back(std::move(part));
    const ResultPart& where = run.part;
    if (where.has_region())
        parts.push_back({"region " + tonescope::size_text(where.region.width, where.region.height) +
                             (where.feather_px > 0 ? ", feather " + std::to_string(where.feather_px) + " px" : ""),
                         kParams});
    if (where.mask != nullptr) parts.push_back({mask_text(where), kParams});
    return parts;
}

std::string time_text(double ms) {
    char text[32];
    const char* pattern = ms >= 1000 ? "%.2f s" : ms >= 99.95 ? "%.0f ms" : ms >= 9.995 ? "%.1f ms" : "%.2f ms";
    std::snprintf(text, sizeof text, pattern, ms >= 1000 ? ms / 1000 : ms);
    return text;
}

std::string size_text(const ImageSpec& spec) {
    return spec.empty() ? std::string() : tonescope::size_text(spec.width, spec.height);
}

std::string figure_help(const FigureInfo& figure) {
    std::string text(figure.label);
    if (!figure.unit.empty()) text.append(", ").append(figure.unit);
    return text + "\n" + std::string(figure.definition) + "\nSource: " + std::string(figure.source);
}

Caption caption_of(const PictureSubject& subject, std::string beside) {
    Caption caption;
    const auto add = [&](std::string part, CaptionRank rank) {
        if (!part.empty()) caption.parts.push_back({std::move(part), rank});
    };
    if (!subject.run) {
        add(subject.name(), kWhat);
        add(size_text(subject.size), kBeside);
        add(std::move(beside), kBeside);
        return caption;
    }
    const RunSpec& run = *subject.run;
    add((subject.state.empty() ? "" : std::string(subject.state) + " of ") + std::string(run.op->name), kWhat);
    std::vector<Caption::Part> params = changed_params(run);
    const bool is_default = params.empty();
    std::ranges::move(params, std::back_inserter(caption.parts));
    if (is_default && !run.op->params.empty()) add(std::string(kDefaultValues), kDefaults);
    add(std::move(beside), kBeside);
    if (run.variant != nullptr) add(std::string(run.variant->name), kVariant);
    if (subject.ms >= 0) add(time_text(subject.ms), kTime);
    return caption;
}

std::string batch_text(const RunSpec& run, const ResultPart& part) {
    RunSpec wanted{.op = run.op, .params = run.params, .part = part};
    wanted.part.mask.reset();
    Caption caption = caption_of({.run = wanted});
    if (!part.mask_path.empty()) caption.parts.push_back({mask_text(part)});
    return caption.text();
}

}  // namespace tonescope::ui
