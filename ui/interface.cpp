#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/commands/commands.h"
#include "ui/ui.h"
#include "ui/window_layout.h"

namespace tonescope::ui {
namespace {

constexpr float kPresentationScale = 1.4F;
/// The least window that shows everything.
constexpr float kLeastWidth = 426, kLeastHeight = 240;

bool shows_start_page(const Model& model) {
    const ViewsModel& views = model.views;
    return !model.benchmark.shown && views.before.empty() && views.after.empty() && model.images.shown() == nullptr &&
           !model.work.is_long();
}

/// A ring around the control that has the keyboard.
void mark_control(Ui& ui) {
    const Area area = between(ui.keyboard.min(), ui.keyboard.max());
    if (area.width <= 0 || ui.model->views.picturing) return;
    ui.keyboard.draw_ring(ui.colors.accent, std::max(2.0F, ui.px(2)), ui.px(kRadius));
    ui.widgets.push_back({"focus", area.x, area.y, area.width, area.height, "", "keyboard", false});
}

/// The comparison of variants, the image, or what stands in its place.
void draw_middle(Ui& ui, const Area& area, bool with_card) {
    const Model& model = *ui.model;
    ui.panel = "views";
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_area(ui, "##views", area, ui.colors.backdrop);
    ui.keyboard.enter_area(WindowArea::middle);
    bool starts = false;
    if (model.benchmark.shown) {
        ui.views.hide(ui);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
        ui.benchmark.draw(ui, model.benchmark, model.run, area);
        ImGui::PopStyleVar();
    } else if (model.views.before.empty() && model.views.after.empty()) {
        ui.views.hide(ui);
        starts = shows_start_page(model);
        if (starts)
            draw_start_page(ui, model.start_page, model.browser.opened_formats, area, ui.start_thumbnails_asked);
        else
            draw_empty_state(ui, model.images, model.work, area);
    } else {
        ui.views.state.clipping.channels = ui.histogram.marked_channels(ui.settings.histogram, model.histogram);
        ui.views.draw(ui, area, with_card);
    }
    ui.start_thumbnails_asked &= starts;
    // The bar and the views below it are two areas.
    const float bar = ui.shows_image() ? ui.views.bar_height() : 0;
    if (!model.views.picturing) {
        mark_area(ui, WindowArea::middle, {area.x, area.y, area.width, bar > 0 ? bar : area.height});
        mark_area(ui, WindowArea::view, {area.x, area.y + bar, area.width, area.height - bar});
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

/// At the bottom of the left column.
void draw_file_buttons(Ui& ui, ImVec2 start, float width) {
    ui.panel = "files";
    const float half = std::floor((width - ui.px(8)) / 2);
    if (button(ui, start, "Open...", half)) ui.commands->run("open");
    tooltip(ui, ui.commands->help("open"));
    if (button(ui, {start.x + width - half, start.y}, "Save result...", half, ButtonStyle::normal,
               ui.commands->available("save")))
        ui.commands->run("save");
    tooltip(ui, "Save the result at full size" + ui.keys("save"));
}

/// Beside the views: the panels of the table, which scroll together.
void draw_column(Ui& ui, Place place, const Area& area) {
    const bool left = place == Place::left;
    begin_area(ui, left ? "##left" : "##right", area, ui.colors.panel);
    ui.keyboard.enter_area(left ? WindowArea::left : WindowArea::right);
    const ImVec2 size = ImGui::GetContentRegionAvail();
    const float bottom = left ? ui.px(kControlHeight + 10) : 0;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    // The scroll bar takes its place from the padding, so that the widgets keep theirs.
    begin_child(left ? "##controls" : "##results", {size.x + ui.px(kScrollMargin), size.y - bottom}, 0, size.x);
    for (const PanelInfo& panel : panels()) {
        if (panel.place != place) continue;
        ui.panel = panel.id;
        panel.draw(ui);
    }
    end_child(ui);
    ImGui::PopStyleVar();
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    if (left)
        draw_file_buttons(ui, {area.x + padding.x, area.bottom() - padding.y - ui.px(kControlHeight)},
                          area.width - 2 * padding.x);
    mark_area(ui, left ? WindowArea::left : WindowArea::right, area);
    ImGui::End();
    draw_column_splitter(ui, left, area);
}

/// The source of the variant, beside or below the views.
void draw_source(Ui& ui, const WindowLayout& l) {
    ui.source_shown = nullptr;
    if (l.source.height <= 0) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_area(ui, "##source", l.source, ui.colors.panel);
    ui.keyboard.enter_area(WindowArea::source);
    ui.source.draw(ui, *ui.model, l.source);
    mark_area(ui, WindowArea::source, l.source);
    ImGui::End();
    ImGui::PopStyleVar();
    draw_source_splitter(ui, l);
}

/// Beside and below the views.
void draw_beside(Ui& ui, const WindowLayout& l) {
    const Model& model = *ui.model;
    if (ui.views.card().height > 0) ui.explanation.draw_card(ui, model.views, ui.views.card());
    if (l.strip.height <= 0) return;
    if (const auto changed = ui.presentation.draw(ui, model.run, model.views, l.strip)) ui.param_changed(*changed);
}

void draw_dialogs(Ui& ui) {
    const Model& model = *ui.model;
    draw_palette(ui);            // before what its commands open
    if (!model.views.picturing)  // waits until the browser is closed
        ui.browser.draw_replace_question(ui, model, !ui.help_open && !ui.palette.open);
    ui.browser.draw(ui, model);
    draw_help(ui);
    draw_settings(ui, ui.settings_requested);
    if (ui.batch.draw(ui, model)) ui.browser.open(ui, model, Browser::Mode::folder);
    if (!ui.browser.is_open()) ui.batch.come_back(ui.browser.take_folder());
    const std::string exported = ui.presets.draw(ui, model.presets, model.run);
    if (!exported.empty()) ui.browser.export_preset(ui, model, exported);
}

/// A ring that can be seen from the last row.
void mark_pointer(const Ui& ui) {
    if (!ImGui::IsMousePosValid()) return;
    const ImVec2 at = ImGui::GetIO().MousePos;
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const float radius = ui.px(18);
    const float line = std::max(2.0F, ui.px(4));
    list.AddCircleFilled(at, radius, IM_COL32(255, 214, 64, 56), 48);
    list.AddCircle(at, radius, IM_COL32(0, 0, 0, 150), 48, line + 2);
    list.AddCircle(at, radius, IM_COL32(255, 214, 64, 240), 48, line);
}

}  // namespace

Interface::Interface() : ui_(std::make_unique<Ui>()) {}
Interface::~Interface() = default;

float Interface::scale(float display_scale, int width, int height) const {
    float scale = ui_->settings.scale > 0 ? ui_->settings.scale : display_scale;
    if (ui_->presenting) scale = std::min(scale * kPresentationScale, kMaxScale + 1);
    const float room = std::min(static_cast<float>(width) / kLeastWidth, static_cast<float>(height) / kLeastHeight);
    return std::min(scale, std::max(std::floor(room * 4) / 4, kMinScale));
}

Settings Interface::settings() const {
    Settings settings = ui_->settings;
    settings.view_mode = ui_->views.chosen_mode() ? view_modes()[*ui_->views.chosen_mode()].id : "";
    return settings;
}

void Interface::set_settings(const Settings& settings) {
    ui_->settings = settings;
    ui_->views.restore_mode(settings.view_mode);
}

Rect Interface::panes_area() const {
    const Area& area = ui_->views_area;
    const int top = static_cast<int>(std::ceil(area.y + ui_->views.bar_height()));
    return {int(area.x), top, int(area.width), int(area.bottom()) - top};
}

DropPlace Interface::drop_place_at(float x, float y) const {
    if (!ui_->shows_image()) return DropPlace::elsewhere;
    if (ui_->part.mask_place.contains({x, y})) return DropPlace::mask;
    return ui_->views.state.before_pane.contains({x, y}) ? DropPlace::before : DropPlace::elsewhere;
}

void Interface::apply_style(float scale) {
    Theme& theme = ui_->theme;
    if (theme.body.font) ImGui::GetIO().Fonts->Clear();
    theme = apply_theme(scale);
}

std::vector<Action> Interface::draw(const Model& model) {
    Ui& ui = *ui_;
    ui.model = &model;
    ui.actions.clear();
    ui.widgets.clear();
    ui.mouse_places.clear();
    ui.part.mask_place = {};
    ui.animating = false;
    ui.source_of = nullptr;
    if (!std::exchange(ui.slider.typed_here, false)) ui.slider.typing = 0;  // its field has gone
    ui.time_s = ImGui::GetTime();
    ui.tooltip.text.clear();
    ui.tooltip.picture = {};
    ui.stages.begin_frame();
    ui.views.begin_frame(model);

    ui.colors = use_theme(ui.settings.theme);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ui.background_fills = {fill_of({0, 0, display.x, display.y}, ui.colors.line)};  // shows between the areas
    ImGui::PushFont(ui.theme.body.font, ui.theme.body.size_px);
    ui.keyboard.begin_frame(!model.benchmark.shown && !shows_start_page(model), ui.time_s);
    handle_shortcuts(ui);
    ui.keyboard_param = {};
    const WindowLayout layout = arrange(ui, display);
    ui.views.state.view.shows_stages = layout.has_right;
    ui.views.state.view.shows_batch = ui.batch.is_shown();
    // The right column has the explanation too.
    draw_middle(ui, layout.views, !layout.has_right && explains(ui, model.run) && !model.views.picturing);
    draw_source(ui, layout);
    if (layout.has_left) draw_column(ui, Place::left, layout.left);
    if (layout.has_right) draw_column(ui, Place::right, layout.right);
    draw_beside(ui, layout);
    ui.views_area = layout.views;
    if (!model.views.picturing)  // the buttons and the first rows of a comparison stay free
        ui.notices.draw(ui, model.notices, model.benchmark.shown ? layout.middle : layout.views, model.benchmark.shown);
    ui.status_bar.draw(ui, model, ui.views.view(), ui.views.state.hovered, ui.views.state.pointed, layout.status);
    draw_dialogs(ui);
    ui.presets.update_preview(ui);
    if (ui.presenting && !model.views.picturing) mark_pointer(ui);
    show_tooltip(ui);
    mark_control(ui);
    ui.keyboard.end_frame();
    ImGui::PopFont();
    return std::move(ui.actions);
}

std::span<const BackgroundFill> Interface::background_fills() const {
    return ui_->background_fills;
}

const View& Interface::view() const {
    return ui_->views.view();
}
KeptView Interface::kept_view() const {
    return ui_->views.kept();
}
void Interface::restore_view(const KeptView& kept, uint64_t image) {
    ui_->views.restore(kept, image);
}
std::span<const Widget> Interface::widgets() const {
    return ui_->widgets;
}
std::span<const Widget> Interface::mouse_places() const {
    return ui_->mouse_places;
}
std::vector<Widget> Interface::keyboard_places() const {
    std::vector<Widget> places;
    for (const auto& [min, max] : ui_->keyboard.places())
        places.push_back({"", min.x, min.y, max.x - min.x, max.y - min.y, "", ""});
    return places;
}
bool Interface::can_run(std::string_view command) const {
    return is_available(command_of(command), *ui_);
}
bool Interface::animating() const {
    return ui_->animating;
}

}  // namespace tonescope::ui
