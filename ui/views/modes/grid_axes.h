// What a grid varies: a parameter over its columns and perhaps another one over its rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/model/model.h"

namespace tonescope::ui {

/// "Clip limit", with a word about a variant's.
std::string place_name(const ParamPlace& param);

/// "clip_limit=1,2,4"; "variant:" before it where the parameter is a variant's.
std::string axis_text(const GridAxis& axis);
/// The axis that such a text names; without a parameter where the operator or the variant that runs has none of this
/// name. Values that the parameter cannot have are left out.
GridAxis axis_from(std::string_view text, const RunModel& run);

class GridAxes {
  public:
    const GridView& view() const { return view_; }
    bool has_rows() const { return view_.has_rows(); }
    size_t column_count() const { return view_.columns.values.size(); }
    size_t cell_count() const { return view_.cell_count(); }

    std::vector<ParamValue> values_of(size_t cell) const { return view_.values_of(cell); }
    /// "Clip limit 6.00, Tile size 64 px"
    std::string text_of(size_t cell) const;
    bool is_in_use(const RunModel& run, size_t cell) const;
    std::vector<int32_t>& values(bool of_rows) { return (of_rows ? view_.rows : view_.columns).values; }

    /// Values of this parameter in the columns; a parameter of the rows changes places with the columns'.
    void vary_columns(const ParamPlace& param);
    /// Without a parameter there is one row.
    void vary_rows(const std::optional<ParamPlace>& param);
    void renew_values();
    void set(GridView view) { view_ = std::move(view); }
    /// The one changed last by hand is what a grid starts with.
    void param_changed(const ParamPlace& param) { last_changed_ = param; }
    /// Brings parameters and numbers of values in line with what is set.
    void follow(const RunModel& run, int columns, int rows);

  private:
    ParamPlace default_param(const RunModel& run) const;

    GridView view_;
    ParamPlace last_changed_;
};

}  // namespace tonescope::ui
