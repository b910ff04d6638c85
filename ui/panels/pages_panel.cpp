// The pages of the current image's file.
#include "ui/panels/panels.h"

namespace tonescope::ui {

void draw_pages(Frame& ui, const ImagesModel& images) {
    const ImageEntry* image = images.shown();
    if (image == nullptr || image->pages < 2) return;
    const ParamInfo info{.id = "page",
                         .label = "Page",
                         .help = "The page of the file that is shown; the parameters are the same for all",
                         .min = 1,
                         .max = image->pages,
                         .default_value = 1};
    if (const auto page = param_widget(ui, info, image->page + 1, ImGui::GetContentRegionAvail().x))
        ui.ask(ShowPage{*page - 1});
}

}  // namespace tonescope::ui
