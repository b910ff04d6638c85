// Beside or below the views: the source of a variant, compared with the one that it builds on.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/model/model.h"
#include "ui/source/source_text.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

class SourcePanel {
  public:
    void draw(Frame& ui, const Model& model, const Area& area);

    // What commands do -----------------------------------------------------------------------------------------------
    bool has_keyboard() const { return has_keyboard_; }
    bool has_selection() const { return !selection_.empty(); }
    std::string selected_text() const { return text_.text_of(selection_); }
    void select_all();
    /// To the field for what is looked for.
    void start_search() { search_requested_ = true; }
    bool has_found() const { return !found_.empty(); }
    void go_to_found(int by);
    bool has_differences() const { return text_.added() + text_.removed() > 0; }
    void go_to_difference(int by);

  private:
    /// What the text is of, and how it is shown: made anew where that changes.
    struct Shown {
        const SourceListing* listing = nullptr;
        SourceLook look = SourceLook::plain;
        int columns = 0;
        bool operator==(const Shown&) const = default;
    };

    void draw_toolbar(Frame& ui, const RunModel& run, const Area& area);
    void draw_variant_choice(Frame& ui, const RunModel& run, const Area& area);
    void draw_look_choice(Frame& ui, const Area& area);
    void draw_search(Frame& ui, const Area& area);
    void draw_summary(Frame& ui, const Area& area);
    void draw_text_view(Frame& ui, const Area& area);
    void lay_out(Frame& ui, const Area& area);
    void draw_row(Frame& ui, int side, int row, int piece, const Area& area);
    void draw_title(Frame& ui, const SourcePart& part, const Area& area);
    void draw_words(Frame& ui, int side, int row, const TextPiece& piece, ImVec2 at);
    void take_mouse(Frame& ui, const Area& area, float top);
    void take_keys(Frame& ui, const Area& area);
    void follow_stage(Frame& ui);
    /// The place under a point, `top` being where the text begins.
    TextPlace place_at(const Frame& ui, ImVec2 at, int side, float top) const;
    void search();
    void go_to(const TextRange& range);
    void scroll_to(int row) { scroll_to_row_ = row; }

    float line_height(const Frame& ui) const { return std::round(ui.theme.code.size_px * 1.35F); }

    std::pair<const OperatorInfo*, const VariantInfo*> followed_;  // which run
    const VariantInfo *chosen_ = nullptr, *variant_ = nullptr;
    std::vector<KernelResources> kernels_;  // of the variant's last run
    Shown shown_;
    SourceText text_;
    TextRange selection_;  // its end moves
    bool selecting_ = false, has_keyboard_ = false, search_requested_ = false, to_text_ = false;
    std::string searched_, found_for_;
    std::vector<TextRange> found_;
    std::optional<size_t> found_at_;
    std::optional<int> scroll_to_row_;
    bool scrolls_in_any_case_ = false;  // although the row shows
    int near_row_ = 0;                  // where scroll_to() puts a row
    std::string followed_stage_;
    int difference_ = -1;  // the row of the one that was gone to
    float character_px_ = 0, gutter_px_ = 0, side_px_ = 0;
};

}  // namespace tonescope::ui
