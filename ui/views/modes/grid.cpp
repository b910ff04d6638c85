// The results of several values of one parameter or of two, in panes that share the view.
#include <algorithm>
#include <cmath>

#include "ui/views/modes/grid_parts.h"
#include "ui/views/view_mode.h"

namespace tonescope::ui {
namespace {

constexpr float kHeadInset = 4, kMaxSlider = 260, kMaxRowHead = 170;  // at 96 dpi
constexpr float kValueInset = 8, kNarrowInset = 2;                    // beside a value, and where it has little room
constexpr float kLeastHead = 110;                                     // narrower panes of a table have none
constexpr float kCurve = 120, kBesideCurve = 260;
constexpr int kMinPanes = 2;
constexpr int kMaxUsed = 9;  // panes with a key of their own

class Grid : public ViewMode {
  public:
    void draw_icon(const Frame& ui, const Area& box, ImU32 ink) const override {
        const ImVec2 c = box.center();
        const float gap = ui.px(1);
        for (const ImVec2& from : {box.min(), {c.x + gap, box.y}, {box.x, c.y + gap}, {c.x + gap, c.y + gap}})
            fill({from.x, from.y, box.width / 2 - gap, box.height / 2 - gap}, ink, gap);
    }

    std::vector<Pane> lay_out(Frame& ui, ViewState& state, const Area& area) override {
        static const Picture no_picture;
        follow(ui, state.model->run);
        const float strip = state.head_px;
        draw_result_head(ui, state, {area.x, area.y, area.width, strip}, "Try values", caption(state));
        Area rest{area.x, area.y + strip + 1, area.width, std::max(area.height - strip - 1, 1.0F)};
        const float gap = std::max(1.0F, ui.px(2));
        const bool rows = axes_.has_rows();
        figure_ = chosen_figure(ui, state.model->views);
        if (figure_ != nullptr && !rows && ui.settings.grid_map && rest.height > ui.px(kCurve + kBesideCurve)) {
            rest.height -= ui.px(kCurve);
            draw_figure_curve(ui, *figure_, axes_, cells_of(state.model->views.grid), value_in_use(state.model->run),
                              {rest.x, rest.bottom(), rest.width, ui.px(kCurve)});
        }
        const float slider = head_height(ui, *axes_.view().columns.param.info);
        float head = rows || state.model->views.picturing ? strip : slider;
        const int count = static_cast<int>(axes_.cell_count()) + image_panes(ui);
        GridLayout layout;
        Area panes_area = rest;
        if (rows) {
            const float left = std::min(ui.px(kMaxRowHead), std::floor(rest.width * 0.22F));
            panes_area = between({rest.x + left + gap, rest.y + slider + gap}, rest.max());
            panes_room_ = kMaxPanes;
            rows_room_ = rows_with_room(panes_area, ui.px(kControlHeight + kHeadInset), gap);
            layout.columns = static_cast<int>(axes_.column_count());
            layout.width = share_of(panes_area.width, gap, layout.columns);
            layout.height = share_of(panes_area.height, gap, count / layout.columns);
            if (layout.width < ui.px(kLeastHead)) head = 0;
            draw_axes(ui, *state.model, rest, panes_area, layout, gap);
        } else {
            panes_room_ = panes_with_room(ui, rest, head, gap);
            layout = arrange_grid(ui, state.spec, rest, count, head, gap);
        }
        std::vector<Pane> panes;
        for (int k = 0; k < count; ++k) {
            const float x = panes_area.x + static_cast<float>(k % layout.columns) * (layout.width + gap);
            const float y = panes_area.y + static_cast<float>(k / layout.columns) * (layout.height + gap);
            Pane pane = original_pane(state.model->views, format("pane %d", k + 1), {x, y, layout.width, head},
                                      {x, y + head, layout.width, std::max(layout.height - head, 1.0F)});
            pane.index = k;
            const GridCell* cell = cell_of(ui, state.model->views.grid, k);
            if (cell != nullptr) pane.params = cell->wanted.params;
            if (shows_value(ui, k) && !state.show_original) {
                pane.picture = cell != nullptr ? &cell->picture : &no_picture;
                pane.numbers = cell != nullptr ? &cell->numbers : nullptr;
            }
            panes.push_back(std::move(pane));
        }
        if (keyed_ && *keyed_ >= count) keyed_.reset();
        pointed_ = keyed_;
        columns_ = layout.columns;
        count_ = count;
        return panes;
    }

    std::optional<PointedPane> pointed(const Frame& ui, const ViewState& state, const Pane& pane) const override {
        const ImVec2 moved = ImGui::GetIO().MouseDelta;
        if (moved.x != 0 || moved.y != 0) keyed_.reset();
        if (!keyed_) pointed_ = pane.index;
        if (!shows_value(ui, pane.index)) return PointedPane{"Original", {}, {}};
        const GridCell* cell = cell_of(ui, state.model->views.grid, pane.index);
        return PointedPane{axes_.text_of(cell_index(ui, pane.index)), cell != nullptr ? cell->pixel : PixelValue{},
                           pane.params};
    }

    /// A click takes the pane's values over; with Shift, what was in use is pinned and they are compared with it.
    bool takes_mouse(Frame& ui, const ViewState& state, const Pane& pane, const PaneMouse& mouse) override {
        const RunModel& run = state.model->run;
        if (!mouse.clicked || !has_cell(ui, pane.index) || explains(ui, run) || state.selection.armed) return false;
        if (axes_.is_in_use(run, cell_index(ui, pane.index))) return false;
        if (!ImGui::GetIO().KeyShift)
            use(ui, pane.index);
        else if (ui.commands->available("pin"))
            compare(ui, pane.index);
        else
            return false;
        return true;
    }

    void draw(Frame& ui, ViewState& state, const Pane& pane, bool marked) override {
        ViewMode::draw(ui, state, pane, marked);
        if (!has_cell(ui, pane.index)) return;
        const GridModel& grid = state.model->views.grid;
        const GridCell* const cell = cell_of(ui, grid, pane.index);
        ui.prefix = pane.name + ":";
        if (keyed_ == pane.index && !state.model->views.picturing) {
            const Area inner = pane.area.inset(ui.px(4));
            ImGui::GetWindowDrawList()->AddRect(inner.min(), inner.max(), ui.colors.text, 0, 0, ui.line(2));
            record(ui, "pointed at", inner, {}, false);
        }
        if (figure_ != nullptr && cell != nullptr && grid.view.figure == figure_)
            draw_cell_figure(ui, *figure_, *cell, figure_range(grid.cells), axes_.has_rows() && ui.settings.grid_map,
                             pane.area);
        if (pane.head.height <= 0 && axes_.is_in_use(state.model->run, cell_index(ui, pane.index))) {
            const float line = std::max(2.0F, ui.px(2));
            ImGui::GetWindowDrawList()->AddRect(pane.area.inset(line / 2).min(), pane.area.inset(line / 2).max(),
                                                ui.colors.accent, 0, 0, line);
            record(ui, "in use", pane.area, {}, false);
        }
        ui.prefix.clear();
    }

    void draw_head(Frame& ui, ViewState& state, const Pane& pane) override {
        if (pane.head.height <= 0) {
            // The values stand beside the rows and above the columns.
        } else if (!shows_value(ui, pane.index)) {
            draw_head_of_image(ui, state, pane);
        } else {
            fill(pane.head, ui.colors.raised);
            ImGui::PushID(pane.index);
            ui.prefix = pane.name + ":";
            if (state.model->views.picturing)
                draw_pictured_head(ui, state, pane);
            else
                draw_pane_head(ui, *state.model, pane);
            ui.prefix.clear();
            ImGui::PopID();
        }
        state.view.grid = axes_.view();
        state.view.grid.figure = figure_;
    }

    void add_options(Frame& ui, const ViewState& state, BarRow& row) override {
        follow(ui, state.model->run);
        const RunModel& run = state.model->run;
        constexpr float kPanesWidth = 56, kChoiceWidth = 140;
        const float panes = ui.px(kPanesWidth);
        const float choice = ui.px(kChoiceWidth);
        row.add(choice, [this, &ui, &run, choice](ImVec2 at) {
            if (const auto param = choose_param(ui, "Grid parameter", run, axes_.view().columns.param, nullptr, at,
                                                choice, "The parameter whose values are shown beside each other"))
                axes_.vary_columns(*param);
        });
        const auto add_count = [&](const char* label, int& setting, const char* help) {
            row.add(panes, [&ui, &setting, label, help, panes](ImVec2 at) {
                if (const auto chosen = choose_count(ui, label, setting, at, panes, help)) setting = *chosen;
            });
        };
        add_count("Panes", ui.settings.grid_panes,
                  "How many panes there are side by side, as far as they have room ([ and ])");
        row.add(choice, [this, &ui, &run, choice](ImVec2 at) {
            const auto param = choose_param(ui, "Row parameter", run, axes_.view().rows.param, "One row", at, choice,
                                            "A second parameter, whose values are shown below each other");
            if (param) axes_.vary_rows(param->info != nullptr ? param : std::nullopt);
        });
        if (axes_.has_rows())
            add_count("Rows", ui.settings.grid_rows, "How many rows there are, as far as they have room");
        else
            row.toggle("grid:image", "Original", "grid-image", image_panes(ui) > 0,
                       "Shows the original in the first pane");
        row.toggle("grid:spread", "New values", "spread-grid", false, "New values around the one that is set");
        const ViewsModel& views = state.model->views;
        const FigureInfo* const figure = chosen_figure(ui, views);
        row.add(choice, [&ui, &views, figure, choice](ImVec2 at) {
            if (const auto chosen = choose_figure(ui, views.figure_table, figure, at, choice))
                ui.settings.grid_figure = *chosen != nullptr ? std::string((*chosen)->id) : "";
        });
        if (figure == nullptr) return;
        if (axes_.has_rows())
            row.toggle("grid:map", "Heat map", "grid-map", ui.settings.grid_map,
                       "Colors each pane by its figure, from the least (dark) to the greatest (bright)");
        else
            row.toggle("grid:map", "Curve", "grid-map", ui.settings.grid_map, "Draws the figure over the values");
    }

    std::span<const ModeCommand> commands() const override {
        static constexpr ModeCommand kCommands[] = {
            {"spread-grid", "Try values: new values around the one that is set", "G", call<&Grid::renew_values>},
            {"grid-image", "Try values: the original in the first pane", "I", call<&Grid::toggle_image>, has_one_row},
            {"grid-map", "Try values: the figure as a heat map, or as a curve", "Shift+M", call<&Grid::toggle_map>,
             has_figure},
            {"pane-left", "Try values: point at the pane at the left", "Ctrl+Left", point<-1, 0>},
            {"pane-right", "Try values: point at the pane at the right", "Ctrl+Right", point<1, 0>},
            {"pane-up", "Try values: point at the pane above", "Ctrl+Up", point<0, -1>},
            {"pane-down", "Try values: point at the pane below", "Ctrl+Down", point<0, 1>},
            {"use-pointed", "Try values: use what the pane shows that keys or the mouse point at", "U",
             call<&Grid::use_pointed>, has_pointed},
            {"compare-pointed", "Try values: compare that with what is in use", "Shift+U", call<&Grid::compare_pointed>,
             has_other_pointed},
            {"use-1", "Try values: use the values of pane 1", "Shift+1", use_values_of<0>, has_values_in<0>},
            {"use-2", "Try values: use the values of pane 2", "Shift+2", use_values_of<1>, has_values_in<1>},
            {"use-3", "Try values: use the values of pane 3", "Shift+3", use_values_of<2>, has_values_in<2>},
            {"use-4", "Try values: use the values of pane 4", "Shift+4", use_values_of<3>, has_values_in<3>},
            {"use-5", "Try values: use the values of pane 5", "Shift+5", use_values_of<4>, has_values_in<4>},
            {"use-6", "Try values: use the values of pane 6", "Shift+6", use_values_of<5>, has_values_in<5>},
            {"use-7", "Try values: use the values of pane 7", "Shift+7", use_values_of<6>, has_values_in<6>},
            {"use-8", "Try values: use the values of pane 8", "Shift+8", use_values_of<7>, has_values_in<7>},
            {"use-9", "Try values: use the values of pane 9", "Shift+9", use_values_of<8>, has_values_in<8>},
            {"type-1", "Try values: change the value of column 1", "Ctrl+1", type_value_of<false, 0>,
             has_value_at<false, 0>},
            {"type-2", "Try values: change the value of column 2", "Ctrl+2", type_value_of<false, 1>,
             has_value_at<false, 1>},
            {"type-3", "Try values: change the value of column 3", "Ctrl+3", type_value_of<false, 2>,
             has_value_at<false, 2>},
            {"type-4", "Try values: change the value of column 4", "Ctrl+4", type_value_of<false, 3>,
             has_value_at<false, 3>},
            {"type-row-1", "Try values: change the value of row 1", "Ctrl+Shift+1", type_value_of<true, 0>,
             has_value_at<true, 0>},
            {"type-row-2", "Try values: change the value of row 2", "Ctrl+Shift+2", type_value_of<true, 1>,
             has_value_at<true, 1>},
            {"type-row-3", "Try values: change the value of row 3", "Ctrl+Shift+3", type_value_of<true, 2>,
             has_value_at<true, 2>},
            {"type-row-4", "Try values: change the value of row 4", "Ctrl+Shift+4", type_value_of<true, 3>,
             has_value_at<true, 3>},
        };
        return kCommands;
    }

    bool has_steps() const override { return true; }
    void step(Frame& ui, int by) override {
        ui.settings.grid_panes = std::clamp(ui.settings.grid_panes + by, kMinPanes, kMaxPanes);
    }

    void param_changed(const ParamPlace& param) override { axes_.param_changed(param); }
    void show_values_of(const ParamPlace& param) override { axes_.vary_columns(param); }

    KeptOptions kept() const override {
        KeptOptions kept;
        if (axes_.view().is_shown()) kept["columns"] = axis_text(axes_.view().columns);
        if (axes_.has_rows()) kept["rows"] = axis_text(axes_.view().rows);
        return kept;
    }
    void restore(const KeptOptions& kept, const RunModel& run) override {
        axes_.set({axis_from(kept_option(kept, "columns", std::string()), run),
                   axis_from(kept_option(kept, "rows", std::string()), run)});
    }

  private:
    /// Above the columns, or without rows above the panes.
    static float head_height(const Frame& ui, const ParamInfo& info) {
        return std::max(param_height(ui, info) + ui.px(2), ui.px(kStripHeight));
    }
    int image_panes(const Frame& ui) const { return ui.settings.grid_image && !axes_.has_rows() ? 1 : 0; }
    /// Other panes show the image.
    bool shows_value(const Frame& ui, int pane) const { return pane >= image_panes(ui); }
    size_t cell_index(const Frame& ui, int pane) const { return static_cast<size_t>(pane - image_panes(ui)); }

    void renew_values(Frame&) { axes_.renew_values(); }
    void toggle_image(Frame& ui) { ui.settings.grid_image = !ui.settings.grid_image; }
    void toggle_map(Frame& ui) { ui.settings.grid_map = !ui.settings.grid_map; }
    static bool has_figure(const ViewMode&, const Frame& ui) { return !ui.settings.grid_figure.empty(); }
    static const FigureInfo* chosen_figure(const Frame& ui, const ViewsModel& views) {
        const auto found = std::ranges::find(views.figure_table, ui.settings.grid_figure, &FigureInfo::id);
        return found == views.figure_table.end() ? nullptr : &*found;
    }
    static bool has_one_row(const ViewMode& mode, const Frame&) {
        return !static_cast<const Grid&>(mode).axes_.has_rows();
    }
    /// The pane's values become those that are set, in one step to undo.
    void use(Frame& ui, int pane) {
        const uint64_t gesture = ++ui.slider.gesture;
        for (const auto& [param, value] : axes_.values_of(cell_index(ui, pane)))
            ui.ask(SetParam{param.info, param.of_variant, value, gesture});
    }
    /// What is in use is pinned, and the pane's values are compared with it.
    void compare(Frame& ui, int pane) {
        ui.ask(PinResult{});
        ui.commands->run("side-by-side");
        use(ui, pane);
    }
    void use_pointed(Frame& ui) { use(ui, *pointed_); }
    void compare_pointed(Frame& ui) { compare(ui, *pointed_); }
    static bool has_pointed(const ViewMode& mode, const Frame& ui) {
        const Grid& grid = static_cast<const Grid&>(mode);
        return grid.pointed_ && grid.has_cell(ui, *grid.pointed_);
    }
    static bool has_other_pointed(const ViewMode& mode, const Frame& ui) {
        return has_pointed(mode, ui) && ui.commands->available("pin");
    }
    /// Begins at the first pane with a value.
    template <int dx, int dy>
    static void point(ViewMode& mode, Frame& ui) {
        Grid& grid = static_cast<Grid&>(mode);
        const int from = grid.pointed_.value_or(grid.image_panes(ui));
        const int to = from + dx + dy * grid.columns_;
        const bool stays_in_row =
            dx == 0 || (from % grid.columns_ + dx >= 0 && from % grid.columns_ + dx < grid.columns_);
        grid.keyed_ = grid.pointed_ && stays_in_row && to >= 0 && to < grid.count_ ? to : from;
    }
    bool has_cell(const Frame& ui, int pane) const {
        return shows_value(ui, pane) && cell_index(ui, pane) < axes_.cell_count();
    }

    template <int pane>
    static void use_values_of(ViewMode& mode, Frame& ui) {
        static_cast<Grid&>(mode).use(ui, pane);
    }
    template <int pane>
    static bool has_values_in(const ViewMode& mode, const Frame& ui) {
        return static_cast<const Grid&>(mode).has_cell(ui, pane);
    }
    /// Of the columns, or without rows of the panes; and of the rows.
    template <bool of_rows, int place>
    static void type_value_of(ViewMode& mode, Frame& ui) {
        Grid& grid = static_cast<Grid&>(mode);
        grid.type_next_ = {of_rows, place - (of_rows ? 0 : grid.image_panes(ui))};
    }
    template <bool of_rows, int place>
    static bool has_value_at(const ViewMode& mode, const Frame& ui) {
        const Grid& grid = static_cast<const Grid&>(mode);
        const GridAxis& axis = of_rows ? grid.axes_.view().rows : grid.axes_.view().columns;
        const int index = place - (of_rows ? 0 : grid.image_panes(ui));
        return index >= 0 && index < static_cast<int>(axis.values.size());
    }

    void follow(const Frame& ui, const RunModel& run) {
        axes_.follow(run, std::min(ui.settings.grid_panes, panes_room_) - image_panes(ui),
                     std::min(ui.settings.grid_rows, rows_room_));
    }

    static void draw_head_of_image(Frame& ui, ViewState& state, const Pane& pane) {
        ui::draw_head(
            ui, state, pane.head,
            {.title = "Original", .caption = caption_of(state.model->views.image_subject()), .windowed = Side::before});
    }

    /// What all panes have in common.
    Caption caption(const ViewState& state) const {
        PictureSubject subject = state.model->views.image_subject();
        subject.run = state.model->run;
        for (const auto& [param, value] : axes_.values_of(0))
            (param.of_variant ? subject.run->variant_params : subject.run->params)
                .set(*param.info, param.info->default_value);
        Caption caption = caption_of(subject, subject.name());
        std::erase_if(caption.parts, [](const Caption::Part& part) { return part.text == kDefaultValues; });
        return caption;
    }

    /// What the application has for a pane; null: nothing yet.
    const GridCell* cell_of(const Frame& ui, const GridModel& grid, int pane) const {
        const GridView& view = axes_.view();
        const bool known = shows_value(ui, pane) && grid.view.columns.param == view.columns.param &&
                           grid.view.rows.param == view.rows.param &&
                           grid.view.columns.values.size() == axes_.column_count() &&
                           cell_index(ui, pane) < grid.cells.size();
        return known ? &grid.cells[cell_index(ui, pane)] : nullptr;
    }

    /// What the application has for the panes, in their order; none while that is of other values.
    std::span<const GridCell> cells_of(const GridModel& grid) const {
        if (grid.view.columns != axes_.view().columns || grid.view.rows != axes_.view().rows) return {};
        return grid.view.figure == figure_ ? std::span(grid.cells) : std::span<const GridCell>();
    }
    /// The column whose value is set; -1: none is.
    int value_in_use(const RunModel& run) const {
        for (size_t k = 0; k < axes_.cell_count(); ++k)
            if (axes_.is_in_use(run, k)) return static_cast<int>(k);
        return -1;
    }

    /// A value of the columns or of the rows, which can be changed; only said where there is no room for a slider.
    /// `is_low`: its row has none.
    void draw_value(Frame& ui, const Model& model, bool of_rows, int index, ImVec2 at, float width,
                    bool is_low = false) {
        const ParamPlace& param = (of_rows ? axes_.view().rows : axes_.view().columns).param;
        const ParamInfo& info = *param.info;
        int32_t& value = axes_.values(of_rows)[static_cast<size_t>(index)];
        const std::pair place(of_rows, index);
        const float needed = text_width(ui.theme.body, value_text(info, value)) + ui.px(20);
        const bool is_typed = typed_ == place && typing_ != 0 && ui.slider.typing == typing_;
        ui.slider.type_next = type_next_ == place;
        if ((is_low || width < std::max(needed, ui.px(90))) && !ui.slider.type_next && !is_typed) {
            const float height = of_rows ? ui.px(kControlHeight) : head_height(ui, info) - 2 * ui.px(kHeadInset);
            const float beside = of_rows ? 0 : ui.px(kValueInset - kNarrowInset);
            const Area area{at.x - beside, at.y, width + 2 * beside, height};
            const std::string text = format_value(info, value);
            const std::string shown = draw_fitting(ui, area, ui.colors.text, param.text(value),
                                                   {{ui.theme.body, text}, {ui.theme.small, text}});
            tooltip_at(ui, area, param.text(value));
            record(ui, "value", area, shown, false);
            return;
        }
        if (ui.slider.type_next) typed_ = std::exchange(type_next_, kNone);
        ImGui::SetCursorScreenPos(at);
        const std::vector<std::string> lines =
            conversions(model.run, param, value, filtered_spec(model.run.part, model.views.before.spec));
        const bool begins = ui.slider.type_next;
        if (const auto changed = param_widget(ui, info, value, width, lines)) value = *changed;
        if (begins) typing_ = ui.slider.typing;
    }

    /// The values of columns and rows, beside the panes.
    void draw_axes(Frame& ui, const Model& model, const Area& area, const Area& panes, const GridLayout& layout,
                   float gap) {
        const float pad = ui.px(kValueInset);
        const float inset = ui.px(kHeadInset);
        fill({area.x, area.y, area.width, panes.y - area.y - gap}, ui.colors.raised);
        fill({area.x, panes.y, panes.x - area.x - gap, panes.height}, ui.colors.raised);
        const float end = panes.x - gap - pad;  // of the rows' place: what the columns vary stands there
        const float arrow = ui.px(12);
        const Area corner{area.x + pad, area.y, end - arrow - ui.px(6) - area.x - pad, panes.y - area.y - gap};
        draw_line_cut(ui, corner, ui.theme.body, ui.colors.text_quiet, place_name(axes_.view().columns.param), false,
                      Align::right);
        ui::draw_icon(ui, Icon::arrow_right, {end - arrow / 2, std::floor(corner.center().y)}, arrow,
                      ui.colors.text_quiet);
        const auto draw_axis = [&](bool of_rows, size_t count) {
            for (int k = 0; k < static_cast<int>(count); ++k) {
                const auto step = static_cast<float>(k);
                const ImVec2 at = of_rows ? ImVec2{area.x + pad, panes.y + step * (layout.height + gap) + inset}
                                          : ImVec2{panes.x + step * (layout.width + gap) + pad, area.y + inset};
                const float width = (of_rows ? panes.x - area.x - gap : layout.width) - 2 * pad;
                ImGui::PushID(of_rows ? 200 + k : 100 + k);
                ui.prefix = format(of_rows ? "row %d:" : "column %d:", k + 1);
                const bool is_low = of_rows && layout.height < head_height(ui, *axes_.view().rows.param.info);
                draw_value(ui, model, of_rows, k, at, std::min(width, ui.px(kMaxSlider)), is_low);
                ui.prefix.clear();
                ImGui::PopID();
            }
        };
        draw_axis(false, axes_.column_count());
        draw_axis(true, axes_.view().rows.values.size());
    }

    /// The values and the time of the run alone.
    void draw_pictured_head(Frame& ui, ViewState& state, const Pane& pane) const {
        PaneHead head;
        head.caption.parts.push_back({axes_.text_of(cell_index(ui, pane.index))});
        const GridCell* cell = cell_of(ui, state.model->views.grid, pane.index);
        if (cell != nullptr && cell->subject.ms >= 0) head.caption.parts.push_back({time_text(cell->subject.ms)});
        head.is_result = axes_.is_in_use(state.model->run, cell_index(ui, pane.index));
        ui::draw_head(ui, state, pane.head, head);
    }

    /// The values, the time of the run, and the button that uses them.
    void draw_pane_head(Frame& ui, const Model& model, const Pane& pane) {
        const size_t index = cell_index(ui, pane.index);
        const Area& head = pane.head;
        const bool rows = axes_.has_rows();
        const float padding = rows ? ui.px(6) : ui.px(10);
        const float use_width = std::ceil(text_width(ui.theme.body, "In use")) + ui.px(14);
        const float time_width =
            head.width >= ui.px(230) ? std::ceil(text_width(ui.theme.small, "8888 ms")) + ui.px(10) : 0;
        const bool narrow = head.width < use_width + ui.px(50);  // the keys remain
        const float right = head.right() - padding - (narrow ? 0 : use_width);
        const float room = right - time_width - (narrow ? 0 : ui.px(10)) - head.x - padding;
        if (rows) {
            const Area place{head.x + padding, head.y, std::max(room, 0.0F), head.height};
            draw_values(ui, place, axes_.is_in_use(model.run, index) ? ui.colors.accent : ui.colors.text, axes_, index);
        } else {
            draw_value(ui, model, false, static_cast<int>(index), {head.x + padding, head.y + ui.px(kHeadInset)},
                       std::min(room, ui.px(kMaxSlider)));
        }
        const GridCell* cell = cell_of(ui, model.views.grid, pane.index);
        record(ui, "caption", head, cell != nullptr ? caption_of(cell->subject).text() : "", false);
        if (cell != nullptr && time_width > 0)
            draw_time(ui, model.work, *cell, {right - ui.px(8) - time_width, head.y, time_width, head.height});
        const float height = std::min(ui.px(kControlHeight), head.height - 2);
        const Area place{right, std::floor(head.y + (head.height - height) / 2), use_width, height};
        if (axes_.is_in_use(model.run, index)) {
            if (!narrow) draw_line({place.x + ui.px(8), place.y, 0, height}, ui.theme.body, ui.colors.accent, "In use");
            record(ui, "in use", place, {}, false);
            return;
        }
        if (narrow) return;
        if (button(ui, place.min(), "Use", use_width)) use(ui, pane.index);
        const std::string keys =
            pane.index < kMaxUsed ? ui.keys(format("use-%d", pane.index + 1)) : ui.keys("use-pointed");
        tooltip(ui, (rows ? "Takes both values" : "Takes this value") + keys);
    }

    GridAxes axes_;
    const FigureInfo* figure_ = nullptr;                  // that the panes tell; as of lay_out()
    int panes_room_ = kFewPanes, rows_room_ = kFewPanes;  // as of the last frame
    /// Of the rows, and which value.
    using ValuePlace = std::pair<bool, int>;
    static constexpr ValuePlace kNone{false, -1};
    ValuePlace type_next_ = kNone;        // is to be typed
    ValuePlace typed_ = kNone;            // was typed last
    ImGuiID typing_ = 0;                  // the slider that this was typed with
    int columns_ = 1, count_ = 0;         // of the panes, as of the last frame
    mutable std::optional<int> keyed_;    // the pane that keys point at, until the mouse moves over the panes
    mutable std::optional<int> pointed_;  // that one, or else the pane under the mouse, as of the last frame
};

}  // namespace

std::unique_ptr<ViewMode> make_grid() {
    return std::make_unique<Grid>();
}

}  // namespace tonescope::ui
