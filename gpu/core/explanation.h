// How an operator comes to its result at one pixel: plain data for people to look at, the same for every operator.
#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/param.h"

namespace tonescope {

struct Pixel {
    int x = 0, y = 0;
    bool operator==(const Pixel&) const = default;
};

struct ExplainJob {
    ImageView input = {};
    ParamBlock params = {};
    Pixel pixel = {};  // inside the image
    /// The user holds on to this one: operators that work in parts go on showing its part, others explain it in place
    /// of `pixel`.
    std::optional<Pixel> kept = {};
    /// What the operator keeps from call to call; may be null. Empty for another image or other parameters.
    std::any* cache = nullptr;
    int threads = 1;
    std::stop_token stop = {};  // once it is set the answer is garbage
};

/// A value that the operator maps: "Luma", 126, 143.
struct ExplainedValue {
    std::string name;
    int before = 0, after = 0;
};

/// Lines over the image: cells of width x height pixels from its corner on, over extent_width x extent_height pixels,
/// which may reach beyond the image.
struct ExplainedCells {
    int width = 0, height = 0, extent_width = 0, extent_height = 0;  // width 0: none
};

/// A part of the image that the result at the pixel depends on.
struct ExplainedArea {
    Rect rect;             // pixels; may reach beyond the image
    std::string label;     // "22.4 %"
    bool strong = false;   // more than the others: the winner, the part whose histogram is shown
    bool is_kept = false;  // shown because the user holds on to it
};

struct ExplainedCurve {
    std::string name;
    std::vector<float> levels;  // one a bin, 0 to 1
};

/// A histogram with what is made of it.
struct ExplainedPlot {
    std::string name;              // what is counted: "Luma", "Red"
    std::vector<uint32_t> counts;  // pixels a bin
    int64_t limit = 0;             // what lies above it is cut off; 0: nothing is
    std::string limit_name;        // "Clip limit"
    std::string cut_name;          // what is cut off: "Above the limit"
    ExplainedCurve transfer;       // value in to value out; no levels: there is none
    ExplainedCurve sums;           // cumulative curve; no levels: not shown
    int bin = 0;                   // of the pixel
    int out = -1;                  // what the pixel's value becomes; -1: nothing is mapped
    int max_out = 255;             // where a level of `transfer` is 1
    std::string note;              // a sentence, or empty
};

struct ExplainedRow {
    std::string name;
    std::vector<std::string> cells;
    bool strong = false;  // the winner
};

struct ExplainedTable {
    std::string heading;  // of the names
    std::vector<std::string> columns;
    std::vector<ExplainedRow> rows;
    bool last_is_total = false;
};

struct Explanation {
    Pixel pixel;                         // the one explained
    std::vector<ExplainedValue> values;  // what becomes of it
    std::array<uint16_t, 4> result{};  // the operator's output there, in the samples of its format; 0: it has no image
    ExplainedCells cells;
    std::vector<ExplainedArea> areas;
    Rect surroundings;                 // worth a close look; empty: not
    std::string plot_of;               // what the histograms count: "Tile 5, 3 of 12 × 8"
    std::vector<ExplainedPlot> plots;  // one, or one a channel
    ExplainedTable table;
    std::string note;  // a sentence, or empty
};

}  // namespace tonescope
