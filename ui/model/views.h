// What the views show, and where they stand.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/core/explanation.h"
#include "gpu/core/figures/figures.h"
#include "gpu/core/histogram.h"
#include "gpu/core/image.h"
#include "gpu/core/statistics.h"
#include "gpu/core/window/sample_window.h"
#include "gpu/present/presenter.h"
#include "gpu/present/shader_views.h"
#include "ui/model/caption.h"
#include "ui/model/run.h"

namespace tonescope::ui {

/// Of a pixel, in the image's own units.
using Samples = std::array<uint16_t, 4>;

/// A pixel's values: gray images have one, others three or four.
struct PixelValue {
    int channels = 0;  // 0: not known (yet)
    Samples value{};
};

/// What the samples of a gray image mean where its file says so: slope * sample + intercept, in this unit.
struct SampleMeaning {
    double slope = 1, intercept = 0;
    std::string unit;
};

/// Values under the cursor.
struct PixelInfo {
    int x = 0, y = 0;
    PixelValue before = {}, after = {};
    PixelValue image = {};  // the image's own value, where `before` is something else
};

/// What a pane that shows neither before nor after has under the mouse.
struct PointedPane {
    std::string name;  // "Tile size 64 px"
    PixelValue pixel;
    std::optional<ParamBlock> params = {};  // of the operator, that its picture is made with; empty: it shows no result
};

/// Values of a part of the image, rows one after another.
struct PixelBlock {
    Rect region;       // pixels
    int channels = 0;  // 1, 3 or 4
    int max_sample = 255;
    std::vector<Samples> values;
    /// Null outside the region.
    const Samples* at(int x, int y) const {
        if (x < region.x || y < region.y || x >= region.x + region.width || y >= region.y + region.height)
            return nullptr;
        return &values[static_cast<size_t>(y - region.y) * static_cast<size_t>(region.width) +
                       static_cast<size_t>(x - region.x)];
    }
};

/// A parameter and the values that are tried of it.
struct GridAxis {
    ParamPlace param;  // of the operator or variant in Model
    std::vector<int32_t> values;
    bool operator==(const GridAxis&) const = default;
};

/// Results that are shown beside each other: a column for each value of one parameter and, where there is a second
/// one, a row for each of its values. The other parameters are as they are set.
struct GridView {
    GridAxis columns;                    // without a parameter: no grid is shown
    GridAxis rows;                       // without a parameter: one row
    const FigureInfo* figure = nullptr;  // of each result; null: none
    bool operator==(const GridView&) const = default;
    bool is_shown() const { return columns.param.info != nullptr; }
    bool has_rows() const { return rows.param.info != nullptr; }
    size_t cell_count() const { return columns.values.size() * (has_rows() ? rows.values.size() : 1); }
    /// What makes a cell, counted row by row, in the order in which it is set: a choice comes last, since it converts
    /// what is set.
    std::vector<ParamValue> values_of(size_t cell) const {
        std::vector<ParamValue> values{{columns.param, columns.values[cell % columns.values.size()]}};
        if (has_rows()) values.push_back({rows.param, rows.values[cell / columns.values.size()]});
        const auto is_number = [](const ParamValue& v) { return v.param.info->kind != ParamKind::choice; };
        std::ranges::stable_partition(values, is_number);
        return values;
    }
};

/// A result of the grid.
struct GridCell {
    RunSpec wanted;                // what was asked for
    PictureSubject subject;        // of the picture
    Picture picture;               // empty while there is none
    PixelBlock numbers;            // where View::shows_numbers
    PixelValue pixel;              // under the cursor
    bool busy = false;             // the picture of what is asked for is on its way
    bool is_stale = false;         // the picture is of something asked for before
    std::string error;             // one line, in place of a picture
    bool is_measured = false;      // GridView::figure is known
    std::optional<double> figure;  // empty where it is not defined
};

struct GridModel {
    GridView view;                // as View::grid has asked for it
    std::vector<GridCell> cells;  // row by row
};

/// The one view that before and after share.
struct View {
    bool fit = true;
    double zoom = 1;                    // screen pixels per image pixel
    double center_x = 0, center_y = 0;  // image point in the middle of each view, pixels
    Rect visible;                       // part of the image on screen, pixels
    std::string_view mode;              // that is shown: an id of the table of view modes
    bool shows_difference = false;      // of ViewsModel::figures those of a difference are wanted
    bool shows_figures = false;         // all are
    bool shows_numbers = false;      // the values of the visible pixels: ViewsModel::numbers_before and numbers_after
    bool shows_suggestions = false;  // RunModel::suggestions are wanted
    bool shows_stages = true;        // the times of a run's stages can be seen
    bool minified = false;           // a picture is drawn below 1:1 somewhere
    Rect histogram_region;           // what the histograms are to be of, pixels; empty: the whole image
    bool fine_histogram = false;
    bool shows_histogram = false;
    bool shows_batch = false;                // the files of a batch that are under way can be seen
    std::optional<ClipThresholds> clipping;  // by which clipped pixels are to be counted; empty: they are not
    GridView grid;
};

/// A point of the image, pixels.
struct ImagePoint {
    double x = 0, y = 0;
};

/// The rectangle that the histograms are of.
struct Selection {
    Rect rect;           // image pixels; empty: none
    bool armed = false;  // the next drag over a view draws one
    bool dragging = false;
    ImagePoint from = {};  // where the drag began
};

/// The stripes over clipped pixels.
struct ClippingMarks {
    bool shown = false;
    int channels = 7;  // that are looked at: ClippingView::channels
};

inline bool same_size(const ImageSpec& a, const ImageSpec& b) {
    return a.width == b.width && a.height == b.height;
}

/// What lasts of a view mode in a session, by name.
using KeptOptions = std::map<std::string, std::variant<bool, double, std::string>, std::less<>>;

/// Where the views look and what lies over them: part of a session.
struct KeptView {
    bool fit = true;
    double zoom = 1, center_x = 0, center_y = 0;  // as View's
    Rect selection;                               // image pixels; empty: none
    bool clipping_marked = false;
    std::optional<Pixel> explained;            // the user holds on to it
    std::map<std::string, KeptOptions> modes;  // by their ids
    bool operator==(const KeptView&) const = default;
};

/// What results are compared with: what `before` is.
enum class Basis : uint8_t { image, pinned, reference };
/// Of what stands in the place of before.
inline constexpr std::array<std::string_view, 3> kBasisIds = {"before", "pinned", "reference"};

struct ViewsModel {
    Picture before, after;
    Basis basis = Basis::image;
    Picture original;  // the image, where something else stands in its place as `before`
    PictureSubject before_subject, after_subject, original_subject, preview_subject;
    Picture preview;                 // drawn over `after` at preview_region while the full result is on its way
    Rect preview_region;             // empty: none
    bool after_is_stale = false;     // `after` belongs to older parameters
    std::optional<PixelInfo> pixel;  // under the cursor
    std::optional<SampleMeaning> meaning;
    PixelBlock numbers_before, numbers_after;  // where View::shows_numbers; empty while they are not known
    /// Draws a difference into the window at once; called while the frame is rendered.
    std::function<void(const DifferenceView&)> draw_difference;
    /// Marks clipped pixels, likewise.
    std::function<void(const ClippingView&)> draw_clipping;
    /// What is drawn next goes through a window, likewise; empty: pictures are drawn without.
    std::function<void(const WindowView&)> begin_window;
    SampleWindows windows;
    bool shows_old_result = false;  // the newest request's result is not there, for longer than passes without a flash
    std::span<const FigureInfo> figure_table;  // that there are
    std::optional<FigureValues> figures;       // of View::histogram_region of the pictures on screen; empty: not known
    bool figures_are_old = false;              // of earlier pictures
    GridModel grid;
    std::shared_ptr<const Explanation> explanation;  // what Explain asked for; null while nothing is known
    RunSpec explained;                               // operator and parameters of the result that it explains
    bool picturing = false;  // this frame is for a picture of the views: nothing may lie over them

    /// The result has the image's sides: one pixel stands over the other.
    bool is_linked() const { return after.empty() || before.empty() || same_size(after.spec, before.spec); }
    const ImageSpec& image_spec() const { return before.empty() ? after.spec : before.spec; }
    /// What is drawn as the result where the preview lies over it.
    const PictureSubject& result_subject() const { return preview.empty() ? after_subject : preview_subject; }
    const Picture& original_picture() const { return basis == Basis::image ? before : original; }
    const PictureSubject& image_subject() const { return basis == Basis::image ? before_subject : original_subject; }
    const char* before_title() const {
        return basis == Basis::image ? "Before" : basis == Basis::pinned ? "Pinned" : "Reference";
    }
};

/// Counts of View::histogram_region; empty while they are not known.
struct HistogramModel {
    std::optional<DisplayHistogram> before, after;                   // of images with samples of 8 bits
    std::shared_ptr<const SampleHistogram> deep_before, deep_after;  // of deep ones; null while they are not known
    std::optional<FineHistogram> fine_before, fine_after;            // where View::fine_histogram
    std::optional<Clipping> clipping;                                // where View::clipping
    bool clipping_is_stale = false;                                  // it is of an older result or older thresholds
};

}  // namespace tonescope::ui
