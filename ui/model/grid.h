// What the grid shows: the results of several values of one parameter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/param.h"
#include "gpu/present/presenter.h"
#include "ui/model/pixels.h"

namespace tonescope::ui {

/// Values of one parameter whose results are shown beside each other; the other parameters are as they are set.
struct GridView {
    const ParamInfo* info = nullptr;  // of the operator or variant in Model; null: no grid is shown
    bool of_variant = false;
    std::vector<int32_t> values;
};

/// A result among several values of one parameter.
struct GridCell {
    int32_t value = 0;      // that is asked for
    Picture picture;        // empty while there is none
    PixelBlock numbers;     // where View::shows_numbers
    double ms = -1;         // of the run that made the picture, without copies to and from a GPU; negative: no picture
    bool busy = false;      // the picture of `value` is on its way
    bool is_stale = false;  // the picture is of something asked for before
    std::string error;      // one line, in place of a picture
};

struct GridModel {
    const ParamInfo* info = nullptr;
    std::vector<GridCell> cells;  // as View::grid has asked for them
};

}  // namespace tonescope::ui
