// The file browser: opens images and presets, and names the file to save.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/model/model.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

// Paths are text here: the panels touch no files.
std::string join_path(std::string_view folder, std::string_view name);
std::string parent_path(std::string_view path);
std::string file_name_of(std::string_view path);
/// Case-insensitive for ASCII.
bool contains_text(std::string_view text, std::string_view part);
/// What the name's extension means for saving, or how to choose one.
struct SaveRemark {
    bool known;  // it can be saved
    std::string text;
};
/// Of a picture, of a preset, of the table of a variant benchmark.
SaveRemark save_remark(std::string_view name, std::span<const SavedFormat> formats, bool has_alpha);
SaveRemark preset_remark(std::string_view name);
SaveRemark export_remark(std::string_view name);

class Browser {
  public:
    enum class Mode : uint8_t { closed, open, save, save_view, export_benchmark, import_preset, export_preset };

    bool is_open() const { return mode_ != Mode::closed; }
    void open(Frame& ui, const Model& model, Mode mode);
    void export_preset(Frame& ui, const Model& model, const std::string& name);
    void draw(Frame& ui, const Model& model);
    /// Asks whether an existing file may be replaced. `can_appear`: nothing else is open that the question would cover.
    void draw_replace_question(Frame& ui, const Model& model, bool can_appear);

  private:
    const BrowserModel& files() const { return model_->browser; }
    bool opens() const { return mode_ == Mode::open || mode_ == Mode::import_preset; }
    bool of_presets() const { return mode_ == Mode::import_preset || mode_ == Mode::export_preset; }
    void close();

    // The dialog around the list
    void follow_folder();
    void draw_dialog(Frame& ui);
    void draw_path_row(Frame& ui);
    void draw_open_footer(Frame& ui);
    void draw_save_footer(Frame& ui);
    void ask_to_write(Frame& ui, std::string path);
    void handle_keys(Frame& ui);

    // The list
    void draw_entries(Frame& ui, const Area& area);
    void draw_header(Frame& ui, const Area& area);
    void draw_entry(Frame& ui, const std::vector<size_t>& visible, int row);
    void draw_empty_list(Frame& ui, size_t shown, const Area& area);
    void want_thumbnails(Frame& ui, const std::vector<size_t>& visible, int first, int last);

    // Order and selection
    void browse_to(Frame& ui, const std::string& folder) const { ui.ask(BrowseTo{folder, of_presets()}); }
    bool comes_before(const BrowserEntry& a, const BrowserEntry& b) const;
    /// Indices of the entries that pass the filter, in the order shown.
    std::vector<size_t> visible_entries() const;
    const BrowserEntry& entry_at(const std::vector<size_t>& visible, int row) const;
    /// A click on a row or a move of the cursor to it, with the modifiers that extend a selection.
    void choose_entry(const std::vector<size_t>& visible, int row, bool extend, bool toggle);
    void select_range(const std::vector<size_t>& visible, int from, int to);
    /// Arrow keys, Page Up and Page Down.
    void handle_list_keys();
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
    std::string folder_;  // whose entries the selection and filter belong to
    std::string path_text_;
    std::string filter_;
    std::string filter_shown_;  // as of the last frame
    bool filter_focused_ = false;
    int field_generation_ = 0;  // counts changes of the texts from outside
    bool activate_ = false;     // a row was double-clicked
    std::string file_name_;
    std::set<std::string> selected_;
    int cursor_ = -1;  // into the visible entries
    int anchor_ = -1;  // where a range selection starts
    bool scroll_to_cursor_ = false;
    int sort_column_ = 0;
    bool descending_ = false;
    std::vector<std::string> wanted_;    // what the last WantThumbnails said
    std::map<std::string, Mode> asked_;  // by file name: dialogs that come back where an older file is to stay
    std::string preset_;                 // that is exported
};

}  // namespace tonescope::ui
