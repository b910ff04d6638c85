// The file browser: opens images and presets, and names the file to save.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/model/model.h"
#include "ui/model/paths.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

/// Case-insensitive for ASCII.
bool contains_text(std::string_view text, std::string_view part);
/// Whether a text is a path rather than part of a name.
bool looks_like_path(std::string_view text);

/// What a result holds that a file of it may lose.
struct Holdings {
    bool has_alpha = false, has_color = false;
    int bits_per_channel = 8;  // in the file that it comes from
    bool is_deep = false;      // they are still there
};
/// What the name's extension means for saving, or how to choose one.
struct SaveRemark {
    bool can_save;
    std::string text;
};
SaveRemark save_remark(std::string_view name, std::span<const SavedFormat> formats, const Holdings& result = {});

std::span<const SavedFormat> preset_formats();
std::span<const SavedFormat> session_formats();

inline constexpr ImGuiWindowFlags kBrowserFlags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

/// Cancel and the button that acts, at the right end of a row. Returns true when the latter was clicked.
bool dialog_buttons(Frame& ui, ImVec2 right_top, const char* act, bool usable, bool* canceled);

class Browser {
  public:
    enum class Mode : uint8_t {
        closed,
        open,
        reference,  // what results are compared with
        mask,       // of the part of the image that is filtered
        folder,     // of images, for take_folder()
        import_preset,
        save,  // these name a file
        save_view,
        export_benchmark,
        export_preset,
        save_session
    };

    bool is_open() const { return mode_ != Mode::closed; }
    void open(Frame& ui, const Model& model, Mode mode);
    void export_preset(Frame& ui, const Model& model, const std::string& name);
    /// The folder that was chosen, once; empty: the dialog was left.
    std::string take_folder() { return std::exchange(chosen_folder_, {}); }
    void draw(Frame& ui, const Model& model);
    /// Asks whether an existing file may be replaced. `can_appear`: nothing else is open that the question would cover.
    void draw_replace_question(Frame& ui, const Model& model, bool can_appear);

  private:
    /// What is typed into a dialog that saves, until it has served.
    struct Draft {
        std::string suggested;  // the path that was suggested then
        std::string folder, name;
    };
    struct Asked {
        Mode mode;
        Draft draft;
        std::string preset;  // that is exported
    };
    enum class Answer : uint8_t { replace, save_beside, cancel };
    /// Of the part below the list.
    struct SaveLayout {
        bool wide = true, complete = true;  // with the format's options
        float height = 0;
    };

    const BrowserModel& files() const { return model_->browser; }
    bool opens() const { return mode_ >= Mode::open && mode_ <= Mode::import_preset; }
    bool of_presets() const { return mode_ == Mode::import_preset || mode_ == Mode::export_preset; }
    std::span<const SavedFormat> formats() const;
    FileKinds listed_kinds() const;
    /// Where dialogs of this kind begin; null: always at the suggested path.
    std::string* kept_folder(Frame& ui) const;
    std::string suggested_path() const;
    void close();

    // The dialog around the list
    void follow_folder(Frame& ui);
    void draw_dialog(Frame& ui);
    void draw_path_row(Frame& ui);
    void draw_open_footer(Frame& ui);
    void draw_save_footer(Frame& ui, const SaveLayout& layout);
    bool draw_name_row(Frame& ui, const Area& row);
    SaveLayout save_layout(const Frame& ui, const Area& dialog) const;
    void draw_recent_folders(Frame& ui);
    void write_to(Frame& ui, const std::string& path);
    /// Shows the folder, or the folder of the file, that the text names.
    void go_to(Frame& ui, std::string_view typed);
    std::optional<Answer> ask_about(Frame& ui, const SaveQuestion& question);
    void handle_keys(Frame& ui);

    // The list
    void draw_entries(Frame& ui, const Area& area);
    void draw_header(Frame& ui, const Area& area);
    void draw_entry(Frame& ui, const std::vector<size_t>& visible, int row);
    void draw_empty_list(Frame& ui, size_t shown, const Area& area);
    void want_thumbnails(Frame& ui, const std::vector<size_t>& visible, int first, int last);

    // Order and selection
    void browse_to(Frame& ui, const std::string& path) {
        opens_chosen_ = false;
        ui.ask(BrowseTo{path, listed_kinds()});
    }
    bool comes_before(const BrowserEntry& a, const BrowserEntry& b) const;
    /// Indices of the entries that pass the filter, in the order shown.
    std::vector<size_t> visible_entries() const;
    const BrowserEntry& entry_at(const std::vector<size_t>& visible, int row) const;
    /// A click on a row or a move of the cursor to it, with the modifiers that extend a selection.
    void choose_entry(const std::vector<size_t>& visible, int row, bool extend, bool toggle);
    void select_range(const std::vector<size_t>& visible, int from, int to);
    /// Arrow keys, Page Up and Page Down; where the list itself has the keyboard also Home, End and letters that begin
    /// a name.
    void handle_list_keys(const Keyboard& keyboard);
    /// Enters the folder or opens the file under the cursor, or the selected ones.
    void activate_entry(Frame& ui);
    void open_selected(Frame& ui);

    /// Where the columns of the list stand, pixels.
    struct Columns {
        float name, size_right, date, right;
    };

    const Model* model_ = nullptr;  // during a call
    Columns columns_{};             // as of the last frame
    Mode mode_ = Mode::closed;
    bool just_opened_ = false;
    uint64_t visit_ = UINT64_MAX;  // that selection and filter belong to
    bool opens_chosen_ = false;    // a file whose path was typed is opened when it has been found
    std::string path_text_;
    std::string filter_;
    std::string filter_shown_;  // as of the last frame
    bool filter_focused_ = false, list_focused_ = false;
    int field_generation_ = 0;      // counts changes of the texts from outside
    bool activate_ = false;         // a row was double-clicked
    bool chosen_by_mouse_ = false;  // a row was clicked
    std::string file_name_;
    size_t format_ = 0;  // of formats(): that of the name, and of one without an extension
    std::set<std::string> selected_;
    int cursor_ = -1;  // into the visible entries
    int anchor_ = -1;  // where a range selection starts
    bool scroll_to_cursor_ = false;
    int sort_column_ = 0;
    bool descending_ = false;
    std::vector<std::string> wanted_;     // what the last WantThumbnails said
    std::map<Mode, Draft> drafts_;        // of dialogs that were left without saving
    std::map<std::string, Asked> asked_;  // by path: dialogs that come back where an older file is to stay
    bool replaces_original_ = false;      // the second question about an original is asked
    std::string preset_;                  // that is exported
    std::string chosen_folder_;
};

}  // namespace tonescope::ui
