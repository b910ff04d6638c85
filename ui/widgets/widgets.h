// Widgets in the program's look. All of them record themselves for Interface::widgets().
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpu/present/presenter.h"
#include "ui/model/files.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

/// Notes a widget at a place in the window; parts that are clipped away do not count.
void record(Frame& ui, std::string_view label, const Area& area, std::string_view value = {}, bool interactive = true,
            bool enabled = true);
/// The same for what lies over the panes.
void record_overlay(Frame& ui, std::string_view label, const Area& area, std::string_view value = {},
                    bool interactive = false);

// Drawing ------------------------------------------------------------------------------------------------------------
/// Into the current window.
void fill(const Area& area, ImU32 color, float rounding = 0);

float text_width(const Font& font, std::string_view text);
/// Height that the text takes when it is wrapped.
float text_height(const Font& font, std::string_view text, float wrap_width);
/// Draws one line, or a block where wrap_width > 0, without moving the cursor.
void draw_text(ImVec2 at, const Font& font, ImU32 color, std::string_view text, float wrap_width = 0);
void draw_text_right(ImVec2 at_right, const Font& font, ImU32 color, std::string_view text);

enum class Align : uint8_t { left, center, right };
/// A line in the middle of the area's height; it may be wider than the area.
void draw_line(const Area& area, const Font& font, ImU32 color, std::string_view text, Align align = Align::left);
/// The same, cut with an ellipsis to the area's width: in the middle for file names (which keep their ending), else at
/// the end. The mouse over a cut text shows all of it. Returns the width that is drawn.
float draw_line_cut(Frame& ui, const Area& area, const Font& font, ImU32 color, std::string_view text,
                    bool in_the_middle = false, Align align = Align::left);
/// The first of several forms of a text, each with its font, that fits on a line of the area; else the last one, in
/// several lines where these have room, or cut. The mouse over another than the first shows `whole`. Returns the form.
struct TextForm {
    const Font& font;
    std::string text;
};
std::string draw_fitting(Frame& ui, const Area& area, ImU32 color, std::string_view whole,
                         std::initializer_list<TextForm> forms);
/// Cuts the text as draw_line_cut() does, for the area that shows it.
std::string cut_text(Frame& ui, const Area& area, const Font& font, std::string_view text, bool in_the_middle = false);

/// A text as it was drawn, for tests that look for what is cut off, covered or hard to read.
struct DrawnText {
    std::string text;
    Area area, clip;  // pixels; what lies outside of `clip` is not seen
    ImU32 color;
    std::string window;            // of Dear ImGui
    bool scrolls, scrolls_across;  // what does not show can be brought there: from above or below, from the sides
    int first_index;               // in the window's draw list: what comes before it lies under the text
};
/// Notes every text that is drawn from now on; null: none.
void note_texts(std::vector<DrawnText>* texts);
/// y at which a line of this font stands in the middle of a row.
float middle(const Font& font, float top, float height);

/// "1,234,567"
std::string with_separators(uint64_t number);
/// "4.2 MB"
std::string format_bytes(uint64_t bytes);
/// printf for a few arguments.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

/// What is drawn during its life is dimmed where it is of an earlier result, while the new one is on its way or was
/// stopped.
class Dimmed {
  public:
    Dimmed(Frame& ui, bool is_old);
    ~Dimmed();
    Dimmed(const Dimmed&) = delete;
    Dimmed& operator=(const Dimmed&) = delete;

  private:
    Frame& ui_;
    bool was_old_;
};

enum class Icon : uint8_t {
    close,
    up,
    home,
    folder,
    picture,
    arrow_right,
    chevron_up,
    chevron_down,
    undo,
    redo,
    commands,
    more,
    help,
    settings,
    copy,
    info,
    warning,
    error,
};
void draw_icon(const Frame& ui, Icon icon, ImVec2 center, float size_px, ImU32 color);
/// A picture fitted into a box, centered.
void draw_thumbnail(const Frame& ui, const Picture& picture, const Area& box, Icon icon = Icon::picture);
/// A ring that turns. Sets animating.
void spinner(Frame& ui, ImVec2 center, float radius_px, ImU32 color);

// Layout -------------------------------------------------------------------------------------------------------------
/// What is left at the cursor, this high.
Area area_at_cursor(float height);
/// Puts the cursor below an area, whatever was drawn in it.
void end_area(const Area& area);
/// Moves the cursor down.
void skip(const Frame& ui, float length);
/// A scrolling region without border. content_width > 0: what its widgets may take, whether or not a scroll bar is
/// there.
bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags = 0, float content_width = 0);
void end_child(Frame& ui);
/// Scrolls the current region, `height` high, so that a row of a list shows.
void scroll_to_row(int index, float row_height, float height);

/// A section's title, under a quiet line where something stands above it. `first`: nothing that it is to be parted
/// from.
void section(Frame& ui, const char* title, bool first = false);
/// A section's title that opens and closes what follows; true where that is open.
bool folding_section(Frame& ui, const char* title, bool& open);

/// Heights at 96 dpi.
inline constexpr float kControlHeight = 28, kSegmentHeight = 26;
/// Above segments in a row of other controls.
inline float segment_margin(const Frame& ui) {
    return std::floor(ui.px(kControlHeight - kSegmentHeight) / 2);
}
/// Width of the labels beside controls, at 96 dpi.
inline constexpr float kLabelColumn = 76;
/// How far a scrolling region reaches into the padding at its right.
inline constexpr float kScrollMargin = 11;
/// Height of the lines above the views.
inline constexpr float kStripHeight = 30;

// Dialogs ------------------------------------------------------------------------------------------------------------
/// Around the Begin of a dialog.
void push_dialog_style(const Frame& ui, ImVec2 padding);
void pop_dialog_style();
/// A dialog in the middle of the window, where ImGui::OpenPopup(id) has opened it; true while it is shown. `size`:
/// pixels, cut to the window. Ends with end_dialog(). It has the keyboard: Tab goes round its controls, and Enter uses
/// the accented button where another control makes nothing of it.
bool begin_dialog(Frame& ui, const char* id, ImVec2 size, ImVec2 padding, ImGuiWindowFlags flags = 0);
void end_dialog(Frame& ui);
/// A menu of controls one below the other, at the place and in the size that Dear ImGui has been told. False while it
/// is closed; else ends with end_menu(). Esc closes it.
bool begin_menu(Frame& ui, const char* id, float padding);
void end_menu(Frame& ui);
/// Of the dialog or list that is being drawn, where nothing lies over it that Esc closes first.
bool escape_pressed(const Frame& ui);

/// A small dialog with a title, which opens where that is requested; true while it is shown: draw into it, then call
/// end_popup(). Escape and the cross beside the title close it. `size`: pixels, cut to the window.
bool begin_popup(Frame& ui, bool& requested, const char* title, ImVec2 size);
void end_popup(Frame& ui, bool close = false);

// Widgets ------------------------------------------------------------------------------------------------------------
/// A part of the window that takes clicks, and that the keyboard reaches. True when it was used. `chosen`, `text`: see
/// Keyboard.
bool hit_area(Frame& ui, const char* label, const Area& area, bool chosen = false, std::string_view text = {});
/// The same for the mouse alone. `by_keys`: the command that does the same, or the key; what can be used in no other
/// way has no place in this program.
bool mouse_area(Frame& ui, const char* label, const Area& area, std::string_view by_keys, ImGuiButtonFlags flags = 0);
/// What the mouse uses of a control that notes itself with the keyboard.
bool part_area(const char* label, const Area& area);
/// Whether the menu of the last item, the control with this id, is asked for: by the right button, or by Shift+F10
/// where the control has the keyboard.
bool menu_requested(const Frame& ui, ImGuiID id);
/// A list with a cursor of its own, which has been drawn: one control for the keyboard. True while it has that. `take`:
/// it is to have it.
bool list_control(Frame& ui, const char* label, const Area& area, bool take);
/// Around what may not be used.
void begin_disabled(Frame& ui, bool off);
void end_disabled(Frame& ui, bool off);
/// The ground of a row of a list, the last item: marked where the row is selected or under the mouse.
void row_ground(const Frame& ui, const Area& area, bool selected, float rounding = kRadius);
/// A hit area with such a ground.
bool row_area(Frame& ui, const char* label, const Area& area, bool selected = false, std::string_view text = {});

/// The ground of a switch, the last item, and the color of what stands on it.
ImU32 switch_ground(const Frame& ui, const Area& area, bool on, ImU32 hovered_fill, ImU32 off_fill = 0,
                    float rounding = 3);

/// A line at the top of an area that has the keyboard.
void mark_area(Frame& ui, WindowArea which, const Area& area);

/// Shows `text` while the mouse rests on the last item (also a disabled one).
void tooltip(Frame& ui, std::string_view text);
/// The same for a part of the current window that is no item.
void tooltip_at(Frame& ui, const Area& area, std::string_view text);
/// Below the text of the tooltip of this frame: a picture of this size, pixels, which `draw` draws. What it refers to
/// must last as long as the frame.
void tooltip_picture(Frame& ui, ImVec2 size, std::function<void(const Area&)> draw);
/// At the end of a frame: what tooltip() and tooltip_at() have been told, once the mouse has rested for a moment.
void show_tooltip(Frame& ui);
/// At once, wherever the mouse is.
void draw_tooltip(Frame& ui, std::string_view text, const TooltipPicture& picture = {});

enum class ButtonStyle : uint8_t { normal, accent, quiet };
/// The recorded label is "button:TEXT".
bool button(Frame& ui, ImVec2 at, const char* text, float width, ButtonStyle style = ButtonStyle::normal,
            bool enabled = true);
/// A square button that shows an icon, wider where a name stands beside it.
/// `by_keys`: as in mouse_area(), where it is for the mouse alone; empty: the keyboard reaches it.
bool icon_button(Frame& ui, ImVec2 at, const char* label, Icon icon, float size_px, bool enabled = true,
                 std::string_view by_keys = {}, std::string_view name = {});
/// Closes a dialog, at the right end of its title; the keyboard has Esc.
bool close_cross(Frame& ui, const Area& title);
/// A button at the right of the last section's title, `from_right` pixels from its end, which runs a command.
void title_button(Frame& ui, const char* text, std::string_view command, ButtonStyle style, std::string_view help,
                  float from_right = 0);
/// How much of the title's end such a button takes.
float title_button_width(const Frame& ui, const char* text);

/// Buttons side by side of which one is on. Records the group as LABEL and each button as LABEL:VALUE.
/// Returns the one that was clicked, or -1. `enabled` may be empty.
int segmented(Frame& ui, const char* label, std::span<const std::string_view> values, int current, float width,
              std::span<const bool> enabled = {});
/// A row of the same behind a label; `help`: of the whole row.
int labeled_choice(Frame& ui, const char* label, std::span<const std::string_view> values, int current,
                   std::string_view help);
/// Whether segmented() has room for these values.
bool segments_fit(const Frame& ui, std::span<const std::string_view> values, float width);

/// The closed part of a list to choose from; true while the list is open: add choice_item()s, then end_choice().
bool begin_choice(Frame& ui, const char* label, std::string_view shown, float width, std::string_view value,
                  bool enabled = true);
void end_choice(Frame& ui);
/// One entry, with a quiet second line where `detail` is not empty and a tag at its right.
bool choice_item(Frame& ui, const char* list_label, std::string_view text, std::string_view tag,
                 std::string_view detail, bool is_current, bool enabled = true);
/// A list of plain texts. Returns the one that was chosen, or -1.
int choose(Frame& ui, const char* label, std::span<const std::string_view> values, int current, float width);

/// A list of formats. Returns the one that was chosen, or -1.
int choose_format(Frame& ui, const char* label, std::span<const SavedFormat> formats, int current, float width);

/// A one-line text field. Returns true when Enter was pressed.
bool text_field(Frame& ui, const char* label, const char* hint, std::string& text, float width, bool take_focus = false,
                bool select_all = false);
/// InputText for a std::string.
/// `leave`: the keyboard is to go elsewhere.
bool input_string(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags, bool leave);

struct SliderLook {
    float grab_px;  // radius
    int corners;    // of the grab
    ImU32 ground;
    std::optional<double> mark = {};  // a position that is marked
};
/// A line that is filled up to `position`, 0 to 1, and its grab. `lit`: the mouse is on it.
void draw_slider(const Frame& ui, const Area& area, double position, bool lit, const SliderLook& look);

// Parameters ---------------------------------------------------------------------------------------------------------
/// Height of the widget, pixels: what param_widget() advances the cursor by.
float param_height(const Frame& ui, const ParamInfo& info);
/// Slider or choice. Returns the new value in the table's steps where the user changed it. `conversions`: lines of the
/// tooltip that tell what the value comes to. `suggestions`: marks that a click takes; may be null.
std::optional<int32_t> param_widget(Frame& ui, const ParamInfo& info, int32_t value, float width,
                                    std::span<const std::string> conversions = {},
                                    const ParamSuggestions* suggestions = nullptr);
/// Two numbers beside each other. Which one has changed, and its new value. `values` outside of the ranges are shown as
/// the nearest ones inside.
std::optional<std::pair<size_t, int32_t>> param_pair(Frame& ui, std::span<const ParamInfo, 2> infos,
                                                     std::span<const int32_t, 2> values);
/// The options of a format side by side at the cursor, which stays there; `chosen` are those that are not at their
/// defaults. Returns their width.
float format_options(Frame& ui, const SavedFormat& format, SaveOptions& chosen);
/// Where a value stands on its slider, 0 to 1, and back (rounded to what the mouse can hit; not clamped to the table's
/// step).
double slider_position(const ParamInfo& info, int32_t value);
int32_t slider_value(const ParamInfo& info, double position, bool fine);

// Progress -----------------------------------------------------------------------------------------------------------
/// "40 %"
std::string progress_text(double done);
/// Fills up with what is done; a piece of it moves where nobody knows.
void progress_bar(Frame& ui, const WorkModel& work, const Area& bar);
void cancel_button(Frame& ui, ImVec2 at, float width, ButtonStyle style);
/// What runs, in the right part of a strip that busy_width() tells.
void draw_busy(Frame& ui, const WorkModel& work, const Area& strip);
float busy_width(const Frame& ui, const Area& strip);

}  // namespace tonescope::ui
