#include "ui/source/source_text.h"

#include <algorithm>

#include "gpu/core/text.h"

namespace tonescope::ui {
namespace {

/// Lines of the display: kernels are set apart.
constexpr int kTitleLines = 2, kKernelLines = 3;

/// How many characters the text has, whatever their bytes.
int count_characters(std::string_view text) {
    int count = 0;
    for (size_t k = 0; k < text.size(); k += std::max<size_t>(utf8_length(text, k), 1)) ++count;
    return count;
}

/// The byte at which the character `column` begins.
size_t byte_at(std::string_view text, int column) {
    size_t k = 0;
    for (; column > 0 && k < text.size(); --column) k += std::max<size_t>(utf8_length(text, k), 1);
    return k;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_word(char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// In a difference, what was removed and what was put in its place belong together line by line.
void pair_lines(std::vector<TextRow>& rows) {
    for (auto begin = rows.begin(); begin != rows.end();) {
        const auto behind = std::find_if(begin, rows.end(), [](const TextRow& row) { return !row.differs; });
        auto added = std::find_if(begin, behind, [](const TextRow& row) { return row.left < 0; });
        for (auto removed = begin; removed != behind && removed->right < 0 && added != behind; ++removed, ++added) {
            removed->counterpart = added->right;
            added->counterpart = removed->left;
        }
        begin = behind == rows.end() ? behind : behind + 1;
    }
}

bool holds(const SourceMark& mark, const SourceLine& line) {
    return mark.part == line.part && line.line >= mark.first_line && line.line < mark.first_line + mark.lines;
}

}  // namespace

std::string_view characters_of(std::string_view text, int begin, int end) {
    const size_t from = byte_at(text, begin);
    return text.substr(from, byte_at(text.substr(from), end - begin));
}

SourceText::SourceText(const SourceListing& listing, SourceLook look, int columns)
    : listing_(&listing), basis_(basis_of(listing)), look_(look), columns_(std::max(columns, 16)) {
    if (basis_ == nullptr) look_ = SourceLook::plain;
    lines_ = lines_of(listing);
    if (look_ != SourceLook::plain) basis_lines_ = lines_of(*basis_);
    std::vector<TextRow> lines;
    if (look_ == SourceLook::plain) {
        for (int k = 0; k < static_cast<int>(lines_.size()); ++k) lines.push_back({-1, k});
    } else {
        for (const SourceRow& row : compared_rows(listing, sides() == 2))
            lines.push_back({row.left, row.right, row.differs});
    }
    if (look_ == SourceLook::joined) pair_lines(lines);
    for (const TextRow& row : lines) {
        added_ += row.differs && row.right >= 0 ? 1 : 0;
        removed_ += row.differs && row.left >= 0 ? 1 : 0;
    }
    add_titles(std::move(lines));
    tops_.push_back(0);
    for (int at = 0; at < rows(); ++at) {
        size_t height = row(at).is_title ? kTitleLines : 1;
        for (int side = 0; side < sides(); ++side) {
            const SourcePart* part = title(side, at);
            if (part != nullptr && part->kind == SourceKind::kernel) height = kKernelLines;
            height = std::max(height, pieces(side, at).size());
        }
        tops_.push_back(tops_.back() + static_cast<int>(height));
    }
}

/// Where a part begins that does not go on where the one before it in its file ended.
void SourceText::add_titles(std::vector<TextRow> lines) {
    struct Before {
        const SourcePart* part = nullptr;
        int end = 0;  // the number of the line behind it
    };
    Before before[2];  // in the basis, in the listing
    /// True where the line begins a part that needs a title.
    const auto follows = [&before](int slot, const SourceListing& listing, const SourceLine& line) {
        const SourcePart* part = listing.parts[static_cast<size_t>(line.part)];
        Before& last = before[slot];
        const bool goes_on = last.part != nullptr && last.part->file == part->file && last.end == line.number(listing);
        const bool begins = part != last.part && (part->kind == SourceKind::kernel || !goes_on);
        last = {part, line.number(listing) + 1};
        return begins;
    };
    for (const TextRow& row : lines) {
        TextRow title{.is_title = true};
        const bool joins = sides() == 1 && row.right >= 0;  // the line of the basis does not show
        if (row.left >= 0) {
            const SourceLine& line = basis_lines_[static_cast<size_t>(row.left)];
            if (follows(0, *basis_, line) && !joins) title.left = line.part;
        }
        if (row.right >= 0) {
            const SourceLine& line = lines_[static_cast<size_t>(row.right)];
            if (follows(1, *listing_, line)) title.right = line.part;
        }
        if (title.left >= 0 || title.right >= 0) rows_.push_back(title);
        rows_.push_back(row);
    }
}

bool SourceText::shows_basis(int side, int at) const {
    return sides() == 2 ? side == 0 : row(at).right < 0;
}

const SourceLine* SourceText::line(int side, int at) const {
    if (at < 0 || at >= rows() || row(at).is_title) return nullptr;
    const bool basis = shows_basis(side, at);
    const int index = basis ? row(at).left : row(at).right;
    return index < 0 ? nullptr : &(basis ? basis_lines_ : lines_)[static_cast<size_t>(index)];
}

const SourcePart* SourceText::title(int side, int at) const {
    if (!row(at).is_title) return nullptr;
    const int index = shows_basis(side, at) ? row(at).left : row(at).right;
    return index < 0 ? nullptr : listing_of(side, at).parts[static_cast<size_t>(index)];
}

int SourceText::number(int side, int at) const {
    return line(side, at)->number(listing_of(side, at));
}

char SourceText::mark(int side, int at) const {
    if (look_ == SourceLook::plain || !row(at).differs) return ' ';
    return shows_basis(side, at) ? '-' : '+';
}

int SourceText::characters(int side, int at) const {
    const SourceLine* shown = line(side, at);
    return shown == nullptr ? 0 : count_characters(shown->text);
}

int SourceText::row_at(int display_line) const {
    const auto behind = std::upper_bound(tops_.begin(), tops_.end(), display_line);
    return std::clamp(static_cast<int>(behind - tops_.begin()) - 1, 0, std::max(rows() - 1, 0));
}

std::vector<TextPiece> SourceText::pieces(int side, int at) const {
    const SourceLine* shown = line(side, at);
    if (shown == nullptr) return {};
    const std::string_view text = shown->text;
    const int count = count_characters(text);
    const int blanks = static_cast<int>(std::min(text.find_first_not_of(' '), text.size()));
    std::vector<TextPiece> pieces;
    for (int begin = 0; begin < count || pieces.empty();) {
        const int indent = pieces.empty() ? 0 : std::min(blanks + 4, columns_ / 3);
        int end = std::min(begin + columns_ - indent, count);
        if (end < count) {
            const size_t space = characters_of(text, begin, end).rfind(' ');
            if (space != std::string_view::npos && static_cast<int>(space) > blanks)
                end = begin + count_characters(characters_of(text, begin, end).substr(0, space + 1));
        }
        pieces.push_back({begin, end, indent});
        begin = end;
    }
    return pieces;
}

std::string SourceText::text_of(const TextRange& range) const {
    const TextPlace first = range.first(), last = range.last();
    std::string text;
    for (int at = first.row; at <= std::min(last.row, rows() - 1); ++at) {
        const SourceLine* shown = line(range.side, at);
        if (shown == nullptr || (at == last.row && last.column == 0 && at > first.row)) continue;
        const int begin = at == first.row ? first.column : 0;
        const int end = at == last.row ? last.column : count_characters(shown->text);
        // Several lines of a difference are a difference.
        if (look_ == SourceLook::joined && first.row != last.row) text += std::string(1, mark(range.side, at)) + " ";
        text += characters_of(shown->text, begin, end);
        if (at < last.row) text += "\n";
    }
    return text;
}

TextRange SourceText::word_at(int side, TextPlace at) const {
    const SourceLine* shown = line(side, at.row);
    if (shown == nullptr) return {side, at, at};
    const std::string_view text = shown->text;
    size_t begin = byte_at(text, at.column), end = begin;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (begin == end && end < text.size()) end += std::max<size_t>(utf8_length(text, end), 1);
    return {side, {at.row, count_characters(text.substr(0, begin))}, {at.row, count_characters(text.substr(0, end))}};
}

std::vector<TextRange> SourceText::find(std::string_view words) const {
    std::vector<TextRange> found;
    if (words.empty()) return found;
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    for (int at = 0; at < rows(); ++at) {
        for (int side = 0; side < sides(); ++side) {
            const SourceLine* shown = line(side, at);
            if (shown == nullptr) continue;
            const std::string_view text = shown->text;
            for (auto from = text.begin();;) {
                const auto hit = std::search(from, text.end(), words.begin(), words.end(), same);
                if (hit == text.end()) break;
                from = hit + static_cast<std::ptrdiff_t>(words.size());
                const auto column = [&](auto end) {
                    return count_characters(text.substr(0, static_cast<size_t>(end - text.begin())));
                };
                found.push_back({side, {at, column(hit)}, {at, column(from)}});
            }
        }
    }
    return found;
}

std::pair<int, int> SourceText::changed_characters(int side, int at) const {
    const SourceLine* shown = line(side, at);
    if (shown == nullptr || !row(at).differs) return {0, 0};
    const bool basis = shows_basis(side, at);
    const int other = sides() == 1 ? row(at).counterpart : basis ? row(at).right : row(at).left;
    if (other < 0) return {0, 0};
    const std::string_view a = shown->text, b = (basis ? lines_ : basis_lines_)[static_cast<size_t>(other)].text;
    const size_t shorter = std::min(a.size(), b.size()), longer = std::max(a.size(), b.size());
    size_t head = 0, tail = 0;
    while (head < shorter && a[head] == b[head]) ++head;
    while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
    // Neither within a word nor within a character.
    const auto goes_on = [&](size_t k) {
        return k > 0 && k < a.size() && ((is_word(a[k - 1]) && is_word(a[k])) || (a[k] & 0xc0) == 0x80);
    };
    while (goes_on(head)) --head;
    while (goes_on(a.size() - tail)) --tail;
    if (2 * (head + tail) < longer) return {0, 0};
    return {count_characters(a.substr(0, head)), count_characters(a.substr(0, a.size() - tail))};
}

int SourceText::next_difference(int from, int by) const {
    for (int at = from + by; at >= 0 && at < rows(); at += by) {
        int before = at - 1;
        while (before >= 0 && row(before).is_title) --before;
        if (row(at).differs && (before < 0 || !row(before).differs)) return at;
    }
    return -1;
}

bool SourceText::is_of_stage(int at, std::string_view stage) const {
    const SourceLine* shown = line(sides() - 1, at);
    return shown != nullptr && !shows_basis(sides() - 1, at) &&
           std::ranges::any_of(listing_->marks,
                               [&](const SourceMark& mark) { return mark.stage == stage && holds(mark, *shown); });
}

std::vector<std::string_view> SourceText::stages_of(int at) const {
    const SourceLine* shown = line(sides() - 1, at);
    std::vector<std::string_view> stages;
    if (shown == nullptr || shows_basis(sides() - 1, at)) return stages;
    for (const SourceMark& mark : listing_->marks)
        if (holds(mark, *shown)) stages.push_back(mark.stage);
    return stages;
}

}  // namespace tonescope::ui
