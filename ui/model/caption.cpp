#include "ui/model/caption.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "gpu/core/text.h"

namespace tonescope::ui {
namespace {

enum CaptionRank : int { kWhat, kParams, kTime, kBeside, kVariant, kDefaults };

/// The parameter that a choice's value names, so that it says all by itself: "No data" with the value "value" and the
/// parameter "Value" are "No data 12". Null: there is none.
const ParamInfo* named_by(std::span<const ParamInfo> table, const ParamInfo& choice, int32_t value) {
    if (choice.kind != ParamKind::choice) return nullptr;
    for (const ParamInfo& info : table)
        if (info.active_if == choice.id && info.active_value == value &&
            lower_case(info.label) == lower_case(choice.values[size_t(value)]))
            return &info;
    return nullptr;
}

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
    std::string text = std::move(least->text);
    parts.erase(least);
    return text;
}

std::string value_text(const ParamInfo& info, int32_t value) {
    std::string text = format_value(info, value);
    if (!info.unit.empty()) text.append(" ").append(info.unit);
    return text;
}

std::string param_text(const ParamInfo& info, int32_t value) {
    return std::string(info.label) + " " + value_text(info, value);
}

std::vector<std::string> changed_params(std::span<const ParamInfo> table, const ParamBlock& block) {
    std::vector<std::string> texts;
    std::vector<const ParamInfo*> told;
    for (const ParamInfo& info : table) {
        const int32_t value = block.get(info);
        if (!is_active(table, info, block) || value == info.default_value || std::ranges::count(told, &info) > 0)
            continue;
        if (const ParamInfo* const named = named_by(table, info, value)) {
            texts.push_back(std::string(info.label) + " " + value_text(*named, block.get(*named)));
            told.push_back(named);
        } else {
            texts.push_back(param_text(info, value));
        }
    }
    return texts;
}

std::vector<std::string> changed_params(const RunSpec& run) {
    std::vector<std::string> texts = changed_params(run.op->params, run.params);
    if (run.variant != nullptr)
        for (std::string& text : changed_params(run.variant->params, run.variant_params))
            texts.push_back(std::move(text));
    const ResultPart& part = run.part;
    if (part.has_region())
        texts.push_back("region " + tonescope::size_text(part.region.width, part.region.height) +
                        (part.feather_px > 0 ? ", feather " + std::to_string(part.feather_px) + " px" : ""));
    std::string_view mask = part.mask_path;
    while (mask.ends_with('/')) mask.remove_suffix(1);  // a folder of masks
    if (!mask.empty())
        texts.push_back((part.mask_inverse ? "inverse mask " : "mask ") +
                        std::string(mask.substr(mask.rfind('/') + 1)));
    return texts;
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
    const std::vector<std::string> params = changed_params(run);
    for (const std::string& param : params) add(param, kParams);
    if (params.empty() && !run.op->params.empty()) add(std::string(kDefaultValues), kDefaults);
    add(std::move(beside), kBeside);
    if (run.variant != nullptr) add(std::string(run.variant->name), kVariant);
    if (subject.ms >= 0) add(time_text(subject.ms), kTime);
    return caption;
}

}  // namespace tonescope::ui
