// Widgets in the program's look. All of them record themselves for Interface::widgets().
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "gpu/present/presenter.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

/// Notes a widget at a place in the window; parts that are clipped away do not count.
void record(Frame& ui, std::string_view label, ImVec2 min, ImVec2 max, std::string_view value = {},
            bool interactive = true, bool enabled = true);

// Text ---------------------------------------------------------------------------------------------------------------
float text_width(const Font& font, std::string_view text);
/// Height that the text takes when it is wrapped.
float text_height(const Font& font, std::string_view text, float wrap_width);
/// The text cut with an ellipsis to fit: in the middle for file names (which keep their ending), else at the end.
std::string shorten(const Font& font, std::string_view text, float width, bool in_the_middle = false);
/// Draws one line, or a block where wrap_width > 0, without moving the cursor.
void draw_text(ImVec2 at, const Font& font, ImU32 color, std::string_view text, float wrap_width = 0);
void draw_text_right(ImVec2 at_right, const Font& font, ImU32 color, std::string_view text);
/// In the middle of an area's width, cut to it.
void draw_text_centered(const Frame& ui, const Area& area, float y, const Font& font, ImU32 color,
                        std::string_view text);
/// y at which a line of this font stands in the middle of a row.
float middle(const Font& font, float top, float height);
/// "1,234,567"
std::string with_separators(uint64_t number);
/// "4.2 MB"
std::string format_bytes(uint64_t bytes);
/// printf for a few arguments.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

/// A part of the window that takes clicks, and that the keyboard reaches. True when it was used.
bool hit_area(const char* label, ImVec2 size, ImGuiButtonFlags flags = 0);

/// A scrolling region without border, whose widgets the keyboard reaches from the window around it. content_width > 0:
/// what its widgets may take, whether or not a scroll bar is there.
bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags = 0, float content_width = 0);

enum class ButtonStyle : uint8_t { normal, accent, quiet };

// Layout -------------------------------------------------------------------------------------------------------------
/// A section's title, under a quiet line where something stands above it. `first`: nothing that it is to be parted
/// from.
void section(Frame& ui, const char* title, bool first = false);
/// A section's title that opens and closes what follows; true where that is open.
bool folding_section(Frame& ui, const char* title, bool& open);
/// A button at the right of the last section's title, `from_right` pixels from its end.
bool title_button(Frame& ui, const char* text, ButtonStyle style, bool enabled, std::string_view help,
                  float from_right = 0);
/// How much of the title's end such a button takes.
float title_button_width(const Frame& ui, const char* text);
/// Moves the cursor down.
void skip(const Frame& ui, float length);

/// Around the Begin of a dialog.
void push_dialog_style(const Frame& ui, ImVec2 padding);
void pop_dialog_style();

// Widgets ------------------------------------------------------------------------------------------------------------
/// Heights at 96 dpi.
inline constexpr float kControlHeight = 28, kSegmentHeight = 26;
/// Width of the labels beside controls, at 96 dpi.
inline constexpr float kLabelColumn = 76;
/// Around the last item, where the keyboard is on it.
void focus_ring(Frame& ui, ImVec2 min, ImVec2 max);
/// How far a scrolling region reaches into the padding at its right.
inline constexpr float kScrollMargin = 11;
/// Height of the lines above the views.
inline constexpr float kStripHeight = 30;

/// width 0: as wide as the text needs. The recorded label is "button:TEXT".
bool button(Frame& ui, const char* text, float width = 0, ButtonStyle style = ButtonStyle::normal, bool enabled = true);

enum class Icon : uint8_t {
    close,
    up,
    home,
    folder,
    picture,
    arrow_right,
    undo,
    redo,
    commands,
    help,
    settings,
    copy,
    info,
    warning,
    error,
};
void draw_icon(const Frame& ui, Icon icon, ImVec2 center, float size_px, ImU32 color);
/// A square button that shows an icon.
bool icon_button(Frame& ui, const char* label, Icon icon, float size_px, bool enabled = true);

/// Buttons side by side of which one is on. Records the group as LABEL and each button as LABEL:VALUE.
/// Returns the one that was clicked, or -1. `enabled` may be empty.
int segmented(Frame& ui, const char* label, std::span<const std::string_view> values, int current, float width,
              std::span<const bool> enabled = {});
/// Whether segmented() has room for these values.
bool segments_fit(const Frame& ui, std::span<const std::string_view> values, float width);

/// The closed part of a list to choose from; true while the list is open: add choice_item()s, then end_choice().
bool begin_choice(Frame& ui, const char* label, std::string_view shown, float width, std::string_view value,
                  bool enabled = true);
/// One entry, with a quiet second line where `detail` is not empty and a tag at its right.
bool choice_item(Frame& ui, const char* list_label, std::string_view text, std::string_view tag,
                 std::string_view detail, bool is_current, bool enabled = true);
void end_choice();

/// A one-line text field. Returns true when Enter was pressed.
bool text_field(Frame& ui, const char* label, const char* hint, std::string& text, float width, bool take_focus = false,
                bool select_all = false);

/// Shows `text` while the mouse rests on the last item (also a disabled one).
void tooltip(Frame& ui, std::string_view text);
/// The same for a part of the current window that is no item.
void tooltip_at(Frame& ui, ImVec2 min, ImVec2 max, std::string_view text);
/// The same at once, wherever the mouse is.
void draw_tooltip(Frame& ui, std::string_view text);

/// A picture fitted into a box, centred.
void draw_thumbnail(const Frame& ui, const Picture& picture, ImVec2 min, ImVec2 max, Icon icon = Icon::picture);
/// A ring that turns. Sets animating.
void spinner(Frame& ui, ImVec2 center, float radius_px, ImU32 color);

/// InputText's flags for a std::string.
bool input_string(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags);

}  // namespace tonescope::ui
