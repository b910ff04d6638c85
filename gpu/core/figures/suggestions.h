// Suggestions: values of a parameter at which a figure of the result says something, and the curves that say it. They
// are marks for a person to look at; nothing in the program takes one by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/figures/figures.h"
#include "gpu/core/registry.h"

namespace tonescope {

/// What the curve of a figure over a parameter is searched for, from its mild end to its strong one.
struct SuggestionRule {
    enum class Kind : uint8_t {
        passes,      // the figure passes `level`
        levels_off,  // what is left to gain falls below the share `level` of the figure
    };
    std::string_view figure;  // FigureInfo::id, of the result
    Kind kind = Kind::passes;
    double level = 0;
};

/// A numeric parameter of an operator that takes suggestions. `mild` and `strong`, both above 0, are the ends of its
/// curves: where the operator does little, and where it does much. Points lie as the slider spreads values. `for_part`
/// makes of the parameters for an image those that treat a part of it as they treat the whole; null where they are the
/// same.
struct SuggestedParam {
    std::string_view op, param;  // OperatorInfo::id, ParamInfo::id
    int32_t mild = 0, strong = 0;
    std::span<const SuggestionRule> rules = {};
    ParamBlock (*for_part)(const ParamBlock& params, const ImageSpec& image, const Rect& part) = nullptr;
};
/// A file-scope object of this type, beside the parameter's table, registers it at start.
struct SuggestionRegistration {
    explicit SuggestionRegistration(const SuggestedParam& param);
};
/// Null: it takes no suggestions.
const SuggestedParam* find_suggested(std::string_view op, std::string_view param);

/// A figure of the results of several values, from the mildest to the strongest. Empty where it is not defined.
struct SuggestionCurve {
    const FigureInfo* figure = nullptr;
    std::vector<int32_t> values;
    std::vector<std::optional<double>> figures;

    /// The least and the greatest figure differ by less than 3 % of the greatest, or fewer than three are defined: the
    /// parameter hardly matters for the figure.
    bool is_flat() const;
};

struct SuggestionMark {
    int32_t value = 0;
    size_t curve = 0;  // into ParamSuggestions::curves
    std::string reason = {};
    bool is_flat = false;  // its curve is
};

struct ParamSuggestions {
    const ParamInfo* param = nullptr;
    Rect part = {};  // of the image, that the curves are of
    std::vector<SuggestionCurve> curves;
    std::vector<SuggestionMark> marks;
};

/// The values that curves have points at.
std::vector<int32_t> suggestion_values(const SuggestedParam& suggested, const ParamInfo& info);
/// The mark that a rule finds on the curve of its figure, between whose points it goes straight. Nothing where the
/// curve is beyond the level at its mild end, or nowhere.
std::optional<SuggestionMark> find_mark(const SuggestionRule& rule, const ParamInfo& info,
                                        const SuggestionCurve& curve);
/// What of an image of these sides is looked at: `region`, of which empty means all, and of more than 2^20 pixels its
/// middle.
Rect suggestion_part(const ImageSpec& image, const Rect& region);

/// On the CPU (gpu/cpu), with `threads` threads: curves of the operator's preferred variant there, all other parameters
/// as they are, and the marks on them, by value. Of a part with one level alone there are none. Throws UserError where
/// no variant takes the image, Canceled.
ParamSuggestions suggest(const OperatorInfo& op, const ParamInfo& info, const ParamBlock& params,
                         const ImageView& image, const Rect& region, int threads, std::stop_token stop = {});

}  // namespace tonescope
