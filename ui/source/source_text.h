// A variant's listing as rows that fit a width, and what is found and selected in them. Nothing is drawn here.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/listing/listing.h"
#include "ui/model/window.h"

namespace tonescope::ui {

/// A row, or the title above a part.
struct TextRow {
    int left = -1, right = -1;  // lines of the basis and of the listing; of a title, parts; -1: none
    bool differs = false, is_title = false;
    int counterpart = -1;  // of a line that stands alone: the line of the other side that it takes the place of
    bool operator==(const TextRow&) const = default;
};

/// Part of a line, in characters, that fits the width.
struct TextPiece {
    int begin = 0, end = 0;
    int indent = 0;  // of what does not begin the line
};

/// Before a character of a row.
struct TextPlace {
    int row = 0, column = 0;
    auto operator<=>(const TextPlace&) const = default;
};

struct TextRange {
    int side = 0;
    TextPlace from, to;
    bool empty() const { return from == to; }
    TextPlace first() const { return std::min(from, to); }
    TextPlace last() const { return std::max(from, to); }
    bool contains(int in_side, TextPlace at) const { return in_side == side && first() <= at && at < last(); }
};

/// The characters from `begin` to `end` - 1 of a UTF-8 text.
std::string_view characters_of(std::string_view text, int begin, int end);

/// Rows have one side, or two beside each other: what is built on, and the variant.
class SourceText {
  public:
    SourceText() = default;
    /// `columns`: characters that fit on a side.
    SourceText(const SourceListing& listing, SourceLook look, int columns);

    int sides() const { return look_ == SourceLook::side_by_side ? 2 : 1; }
    int rows() const { return static_cast<int>(rows_.size()); }
    const TextRow& row(int at) const { return rows_[static_cast<size_t>(at)]; }
    /// The line that a side shows; null: none.
    const SourceLine* line(int side, int row) const;
    /// That stands in a title's side; null: none.
    const SourcePart* title(int side, int row) const;
    int number(int side, int row) const;
    /// '+', '-' or ' '.
    char mark(int side, int row) const;
    bool shows_basis(int side, int row) const;
    int characters(int side, int row) const;

    // Where things stand: rows take as many lines of the display as their longer side.
    int height() const { return tops_.empty() ? 0 : tops_.back(); }
    int top(int row) const { return tops_[static_cast<size_t>(row)]; }
    int row_at(int line) const;
    std::vector<TextPiece> pieces(int side, int row) const;

    std::string text_of(const TextRange& range) const;
    TextRange all(int side) const { return {side, {0, 0}, {rows(), 0}}; }
    /// The word around a place.
    TextRange word_at(int side, TextPlace at) const;
    /// Without regard to the case of ASCII letters, in the order of reading.
    std::vector<TextRange> find(std::string_view words) const;
    /// The characters of a line that its counterpart does not have, in whole words; nothing where the two have little
    /// in common.
    std::pair<int, int> changed_characters(int side, int row) const;
    /// The next row, or the one before, where lines begin to differ; -1: none.
    int next_difference(int row, int by) const;
    /// Lines that were added and removed.
    int added() const { return added_; }
    int removed() const { return removed_; }
    /// Whether a stage's time is of this row, on the listing's own side.
    bool is_of_stage(int row, std::string_view stage) const;
    std::vector<std::string_view> stages_of(int row) const;

  private:
    void add_titles(std::vector<TextRow> lines);
    const SourceListing& listing_of(int side, int row) const { return shows_basis(side, row) ? *basis_ : *listing_; }

    const SourceListing *listing_ = nullptr, *basis_ = nullptr;
    SourceLook look_ = SourceLook::plain;
    int columns_ = 80, added_ = 0, removed_ = 0;
    std::vector<SourceLine> lines_, basis_lines_;
    std::vector<TextRow> rows_;
    std::vector<int> tops_;  // one more than there are rows
};

}  // namespace tonescope::ui
