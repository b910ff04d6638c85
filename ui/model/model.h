// What the panels show. The application fills a Model before each frame and carries out the Actions after it; the
// panels hold no algorithm, no file access and no pixels.
#pragma once

#include <vector>

#include "ui/model/actions.h"
#include "ui/model/batch.h"
#include "ui/model/benchmark.h"
#include "ui/model/files.h"
#include "ui/model/run.h"
#include "ui/model/timings.h"
#include "ui/model/views.h"
#include "ui/model/window.h"

namespace tonescope::ui {

/// What a file that is dropped on a part of the window is to be.
enum class DropPlace : uint8_t {
    elsewhere,  // opened
    before,     // where before is shown, or what stands in its place: the reference
    mask,
};

struct Model {
    ImagesModel images;
    DetailsModel details;
    RunModel run;
    ViewsModel views;
    HistogramModel histogram;
    Timings timings;
    WorkModel work;
    std::vector<Notice> notices;
    BenchmarkModel benchmark;
    StartPageModel start_page;
    PresetsModel presets;
    SavingModel saving;
    BrowserModel browser;
    BatchModel batch;
};

}  // namespace tonescope::ui
