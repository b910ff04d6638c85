#include "gpu/listing/listing.h"

#include <algorithm>

namespace tonescope {
namespace {

/// Cuts a line off the beginning.
std::string_view take_line(std::string_view& text) {
    const size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    return line;
}

}  // namespace

const SourceListing* find_source(const VariantInfo& variant) {
    for (const SourceListing& listing : source_listings())
        if (listing.op == variant.op && listing.variant == variant.id) return &listing;
    return nullptr;
}

const SourceListing* basis_of(const SourceListing& listing) {
    if (listing.builds_on.empty()) return nullptr;
    for (const SourceListing& other : source_listings())
        if (other.op == listing.op && other.variant == listing.builds_on) return &other;
    return nullptr;
}

std::vector<SourceLine> lines_of(const SourceListing& listing) {
    std::vector<SourceLine> lines;
    for (int part = 0; part < int(listing.parts.size()); ++part) {
        std::string_view text = listing.parts[size_t(part)]->text, letters = listing.parts[size_t(part)]->letters;
        for (int line = 0; !text.empty(); ++line) {
            const std::string_view words = take_line(text);
            lines.push_back({part, line, words, letters.substr(0, words.size())});
            letters.remove_prefix(words.size() + 1);
        }
    }
    return lines;
}

std::vector<SourceRow> compared_rows(const SourceListing& listing, bool side_by_side) {
    std::vector<SourceRow> rows;
    int left = 0, right = 0;
    for (const SourceMatch& match : listing.matches) {
        while (side_by_side && left < match.left && right < match.right) rows.push_back({left++, right++, true});
        while (left < match.left) rows.push_back({left++, -1, true});
        while (right < match.right) rows.push_back({-1, right++, true});
        for (int k = 0; k < match.lines; ++k) rows.push_back({left++, right++, false});
    }
    return rows;
}

}  // namespace tonescope
