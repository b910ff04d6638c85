// Bottom: the pixel under the mouse, zoom, image, backend.
#pragma once

#include <optional>

#include "ui/model/files.h"
#include "ui/model/run.h"
#include "ui/model/views.h"
#include "ui/panels/zoom_menu.h"

namespace tonescope::ui {

struct StatusModel {
    const ImagesModel& images;
    const DetailsModel& details;
    const RunModel& run;
    const ViewsModel& views;
    const View& view;
    ImageSpec spec;                // of the image that the view was fitted to
    std::optional<Pixel> hovered;  // pixel of the image under the mouse
};

class StatusBar {
  public:
    void draw(Frame& ui, const StatusModel& model, const Area& area);

    ZoomMenu zoom_menu;
};

}  // namespace tonescope::ui
