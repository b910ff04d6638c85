// How CLAHE comes to one pixel: the histogram and the table of its tile, and the four tables that it blends; or those
// of the window around it.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/core/text.h"
#include "gpu/ops/clahe/clahe_cpu_deep.h"
#include "gpu/ops/counted_values.h"
#include "gpu/ops/explain_text.h"

namespace tonescope::clahe {
namespace {

/// One plane of a tile or a window.
struct TilePlane {
    std::vector<uint32_t> counts;  // B bins
    std::vector<uint16_t> table;   // R entries
    uint32_t counted = 0;          // pixels
};
struct CountedTile {
    std::array<TilePlane, 3> planes;
};
using TileKey = std::pair<int, int>;  // row, column; of a window, those of its pixel
struct TileCache {
    std::optional<ValueRange> range;
    std::map<TileKey, CountedTile> tiles;
};

/// Small tiles are many but quickly counted again.
constexpr size_t kMaxTiles = 1024;
constexpr size_t kMaxDeepTiles = 16;

class Explainer {
  public:
    explicit Explainer(const ExplainJob& job)
        : job_(job),
          params_(job.params.as<Params>()),
          left_out_(params_.left_out(job.input.spec)),
          exact_(params_.tables == tables_exact),
          pixel_(exact_ ? job.kept.value_or(job.pixel) : job.pixel),
          g_(make_geometry(job.input.spec, params_)),
          across_(tile_blend(pixel_.x, g_.tile_width, g_.columns)),
          down_(tile_blend(pixel_.y, g_.tile_height, g_.rows)) {
        if (job.cache != nullptr) {
            if (!job.cache->has_value()) *job.cache = TileCache();
            kept_ = std::any_cast<TileCache>(job.cache);
        }
        if (!kept_->range) {
            const ValueRange range =
                find_counted_values(job.input, params_.range_choice(), params_.color, left_out_, job.threads, job.stop);
            if (job.stop.stop_requested()) return;  // there is nothing to keep
            kept_->range = range;
        }
        levels_ = make_levels(job.input.spec, params_, *kept_->range);
        bins_ = bins_of_values(levels_);
        if (kept_->tiles.size() > (is_deep(job.input.spec.format) ? kMaxDeepTiles : kMaxTiles)) kept_->tiles.clear();
    }

    Explanation explain() {
        Explanation e;
        if (job_.stop.stop_requested()) return e;
        e.pixel = pixel_;
        e.values = color_values(job_.input, pixel_, params_.color);
        if (exact_) {
            look_up(e);
            e.areas = {{rect_of(shown_tile()), size_text(g_.tile_width, g_.tile_height) + " px", true}};
        } else {
            e.cells = {g_.tile_width, g_.tile_height, g_.padded_width, g_.padded_height};
            blend(e);
            add_areas(e);
        }
        e.result = color_result(job_.input, pixel_, params_.change(), e.values);
        add_plots(e);
        for (const std::string& more :
             {left_out_note(left_out_, e.values), color_note(job_.input, params_.change(), e.values),
              exact_ ? border_note() : ""})
            if (!more.empty()) e.note += (e.note.empty() ? "" : " ") + more;
        return e;
    }

  private:
    struct Corner {
        const char* name;
        TileKey tile;
        int64_t weight;
    };
    std::array<Corner, 4> corners() const {
        const int64_t right = across_.weight, left = 2 * int64_t{g_.tile_width} - right;
        const int64_t bottom = down_.weight, top = 2 * int64_t{g_.tile_height} - bottom;
        return {{{"top left", {down_.first, across_.first}, left * top},
                 {"top right", {down_.first, across_.second}, right * top},
                 {"bottom left", {down_.second, across_.first}, left * bottom},
                 {"bottom right", {down_.second, across_.second}, right * bottom}}};
    }
    int64_t whole_weight() const { return 4 * g_.tile_pixels(); }

    TileKey shown_tile() const {
        if (exact_) return {pixel_.y, pixel_.x};
        const Pixel at = job_.kept.value_or(job_.pixel);
        return {at.y / g_.tile_height, at.x / g_.tile_width};
    }

    Rect rect_of(const TileKey& tile) const {
        return exact_ ? g_.window(tile.second, tile.first) : g_.tile(tile.first, tile.second);
    }
    static std::string number_of(const TileKey& tile) {
        return std::to_string(tile.second + 1) + ", " + std::to_string(tile.first + 1);
    }

    const CountedTile& tile(const TileKey& key) {
        const auto known = kept_->tiles.find(key);
        if (known != kept_->tiles.end()) return known->second;
        const Rect area = rect_of(key);
        CountedTile tile;
        for (int k = 0; k < plane_count(job_.input.spec, params_.color); ++k) {
            TilePlane& plane = tile.planes[size_t(k)];
            plane.counts.resize(size_t(levels_.bins));
            plane.counted = count_bins(job_.input, {params_.color, left_out_}, k, area, levels_, bins_, job_.stop,
                                       plane.counts.data(), plane.counts.data());
            if (job_.stop.stop_requested()) return stopped_;  // it may be half counted
            std::vector<uint32_t> sums = plane.counts;
            const uint32_t counted = std::max(plane.counted, 1u);
            sum_bins(sums.data(), counted, uint32_t(area.width) * uint32_t(area.height), g_, levels_);
            plane.table.resize(size_t(levels_.range.size()));
            fill_entries(sums.data(), counted, levels_, plane.table.data());
        }
        return kept_->tiles.emplace(key, tile).first->second;
    }

    /// How much of the window is mirrored.
    std::string border_note() const {
        const Rect window = rect_of(shown_tile());
        const auto inside = [](int begin, int size, int image) {
            return int64_t{std::min(begin + size, image) - std::max(begin, 0)};
        };
        const int64_t own = inside(window.x, window.width, job_.input.spec.width) *
                            inside(window.y, window.height, job_.input.spec.height);
        if (own == g_.tile_pixels()) return {};
        return share_text(g_.tile_pixels() - own, g_.tile_pixels()) +
               " of the window lies beyond the border, where the image is mirrored.";
    }

    /// What the window's table gives for the pixel's values.
    void look_up(Explanation& e) {
        const CountedTile& counted = tile(shown_tile());
        for (size_t k = 0; k < e.values.size(); ++k) {
            const auto& table = counted.planes[k].table;
            if (table.empty()) return;  // it was stopped
            e.values[k].after = entry_of(table, e.values[k].before);
        }
    }

    /// What is left out, which may lie beyond the table, stays as it is.
    int entry_of(const std::vector<uint16_t>& table, int value) const {
        return value == left_out_ ? value : table[size_t(value - levels_.range.lo)];
    }

    /// The tile whose table a plane takes for this one's.
    TileKey table_tile(const TileKey& key, size_t plane) {
        const int number = tile_for(g_, key.first * g_.columns + key.second, [&](int t) {
            return tile({t / g_.columns, t % g_.columns}).planes[plane].counted;
        });
        return {number / g_.columns, number % g_.columns};
    }

    /// What the four tables give for the pixel's values, and their blend.
    void blend(Explanation& e) {
        e.table = {"table of tile", {"weight"}, {}, true};
        for (const ExplainedValue& value : e.values) e.table.columns.push_back(value.name);
        std::array<int64_t, 3> sums{};
        for (const Corner& corner : corners()) {
            ExplainedRow row{corner.name + (" " + number_of(corner.tile)), {}};
            row.cells.push_back(share_text(corner.weight, whole_weight()));
            for (size_t k = 0; k < e.values.size(); ++k) {
                const TileKey from = table_tile(corner.tile, k);
                const auto& table = tile(from).planes[k].table;
                if (table.empty()) return;  // it was stopped
                const int out = entry_of(table, e.values[k].before);
                sums[k] += out * corner.weight;
                row.cells.push_back(std::to_string(out) + (from == corner.tile ? "" : " of " + number_of(from)));
            }
            e.table.rows.push_back(std::move(row));
        }
        ExplainedRow total{"blended", {"100 %"}};
        for (size_t k = 0; k < e.values.size(); ++k) {
            e.values[k].after = int((sums[k] + whole_weight() / 2) / whole_weight());
            total.cells.push_back(std::to_string(e.values[k].after));
        }
        e.table.rows.push_back(std::move(total));
    }

    /// At the border two or four of the corners are one tile.
    void add_areas(Explanation& e) const {
        std::map<TileKey, int64_t> weights;
        for (const Corner& corner : corners())
            if (corner.weight > 0) weights[corner.tile] += corner.weight;
        const TileKey shown = shown_tile();
        weights.try_emplace(shown, 0);
        for (const auto& [key, weight] : weights) {
            std::string label = weight > 0 ? share_text(weight, whole_weight()) : std::string();
            e.areas.push_back({rect_of(key), std::move(label), key == shown, key == shown && job_.kept.has_value()});
        }
    }

    void add_plots(Explanation& e) {
        const TileKey key = shown_tile();
        const CountedTile& counted = tile(key);
        e.plot_of = (exact_ ? "window around " + std::to_string(pixel_.x) + ", " + std::to_string(pixel_.y)
                            : "tile " + number_of(key) + " of " + size_text(g_.columns, g_.rows)) +
                    (job_.kept ? ", kept" : "");
        for (size_t k = 0; k < e.values.size(); ++k) {
            const TilePlane& plane = counted.planes[k];
            if (plane.table.empty()) return;  // it was stopped
            ExplainedPlot& plot = e.plots.emplace_back(tile_plot(e.values[k], plane));
            if (!g_.clips) continue;
            const Rect area = rect_of(key);
            const int64_t clip = g_.clip_at(levels_.bins, plane.counted, int64_t{area.width} * area.height);
            plot.limit = clip;
            plot.limit_name = "Clip limit " + count_text(clip);
            int64_t excess = 0;
            for (const uint32_t count : plane.counts) excess += std::max<int64_t>(0, count - clip);
            plot.cut_name = "Above the limit " + share_text(excess, plane.counted);
            plot.note = excess_sentence(excess);
        }
    }

    /// Bins are as wide as the values that they hold, among all that the image can have.
    ExplainedPlot tile_plot(const ExplainedValue& value, const TilePlane& plane) const {
        const size_t values = size_t(job_.input.spec.max_sample) + 1;
        std::vector<uint32_t> counts(values);
        std::vector<uint16_t> table(values, uint16_t(levels_.range.lo));
        std::fill(table.begin() + levels_.range.hi, table.end(), uint16_t(levels_.range.hi));
        std::ranges::copy(plane.table, table.begin() + levels_.range.lo);
        for (size_t v = 0; v < bins_.size(); ++v) counts[v + size_t(levels_.range.lo)] = plane.counts[bins_[v]];
        return value_plot(value, counts, "Table", table);
    }

    /// Where the pixels above the limit go.
    std::string excess_sentence(int64_t excess) const {
        if (excess == 0) return "No bin passes the clip limit.";
        const int64_t share = excess / levels_.bins, rest = excess % levels_.bins;
        std::string text = count_text(excess) + " pixels above the limit: " + count_text(share) + " more for each bin";
        if (rest == 0) return text + ".";
        const std::string left = count_text(rest);
        if (g_.excess == excess_drop) return text + "; " + left + " are dropped.";
        if (g_.excess == excess_evenly) return text + ", and " + left + " spread evenly over the bins.";
        return text + ", and " + left + " spread over the bins.";
    }

    const ExplainJob& job_;
    const Params params_;
    const int32_t left_out_;
    const bool exact_;
    const Pixel pixel_;
    const Geometry g_;
    const TileBlend across_, down_;
    Levels levels_ = {};
    std::vector<uint16_t> bins_;  // bins_of_values()
    TileCache own_;
    TileCache* kept_ = &own_;
    const CountedTile stopped_;
};

}  // namespace

Explanation explain(const ExplainJob& job) {
    return Explainer(job).explain();
}

}  // namespace tonescope::clahe
