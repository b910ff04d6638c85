// What a picture is of, and how that is said.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/figures/figures.h"
#include "gpu/core/image.h"

namespace tonescope::ui {

/// What a picture shows: an image, or what a run has made of it.
struct PictureSubject {
    std::string path = {};            // of the image's file; empty: nothing is known
    uint64_t image = 0;               // the id of the open image
    int page = -1;                    // from 0, of a file with several; negative: the only one
    ImageSpec size = {};              // of the image
    std::optional<RunSpec> run = {};  // empty: the image itself
    double ms = -1;                   // of the run, without copies to and from a GPU; negative: not known
    std::string_view state = {};      // "preview": set where the picture is not the full result
    /// Counts what the user has opened, so that one can tell a step from a new start.
    uint64_t opening = 0;

    /// "stack.tiff, page 2"
    std::string name() const {
        return path.substr(path.rfind('/') + 1) + (page < 0 ? "" : ", page " + std::to_string(page + 1));
    }
};

/// Pieces of text.
struct Caption {
    struct Part {
        std::string text;
        int rank = 0;           // where there is little room, higher ranks go first, and of one rank the last
        size_t unit_bytes = 0;  // at the end of the text
    };
    std::vector<Part> parts;
    std::string text() const;
    /// Returns what was the least important: a piece, or the units of all, which go before time and parameters do.
    /// There must be a piece.
    std::string drop_least();
};

/// "6.00 × mean bin".
std::string value_text(const ParamInfo& info, int32_t value);
/// "Clip limit 6.00 × mean bin".
std::string param_text(const ParamInfo& info, int32_t value);
/// The choice that a number is a value of, under its own name, so that one tells both: "No data" with the value "value"
/// and the number "Value" are "No data 12". Null: it is of none.
const ParamInfo* choice_of(std::span<const ParamInfo> table, const ParamInfo& number);
/// Parameters that matter and are not at their defaults, as param_text() writes them.
std::vector<Caption::Part> changed_params(std::span<const ParamInfo> table, const ParamBlock& block);
/// Of operator and variant, and where the result takes the place of the image.
std::vector<Caption::Part> changed_params(const RunSpec& run);
/// "inverse mask sky.png"; of a pattern or a folder its last part.
std::string mask_text(const ResultPart& part);
/// "12.3 ms"
std::string time_text(double ms);
/// "768 × 512"
std::string size_text(const ImageSpec& spec);

/// Name, unit, definition and source, for a tooltip.
std::string figure_help(const FigureInfo& figure);

/// In place of parameters where none differs from its default.
inline constexpr std::string_view kDefaultValues = "default values";

/// Of a result: operator, parameters that are not at their defaults, `beside` where there is one, variant and time; of
/// an image its name and size, and `beside`.
Caption caption_of(const PictureSubject& subject, std::string beside = {});
/// What a batch does, with this part of each image, whose masks are not read yet.
std::string batch_text(const RunSpec& run, const ResultPart& part);

}  // namespace tonescope::ui
