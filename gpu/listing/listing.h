// The sources of the variants, as the program was built from them: what each variant is made of, unfolded out of its
// file and the headers that it shares with others. list_sources.py makes the tables while the program is built.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/core/registry.h"

namespace tonescope {

enum class SourceKind : uint8_t {
    comment,  // at the top of the variant's file
    kernel,
    device,  // what kernels call and use
    host,    // what the CPU does
    registration,
};

/// Whole lines of a file that define one thing, with the comment above it.
struct SourcePart {
    std::string_view name;  // of a kernel, function, type or constant; empty for a comment
    std::string_view file;  // "gpu/ops/he/he_stages.cuh"
    int first_line;         // in the file, from 1
    SourceKind kind;
    std::string_view text;  // lines, each ends with "\n"
    /// For each character of the text what it belongs to: c comment, p preprocessor, s string, n number, k keyword, t
    /// type of the language.
    std::string_view letters;
};

/// Lines that a stage's time is of, as far as the text tells. A kernel that is handed on by a parameter has none.
struct SourceMark {
    std::string_view stage;
    int part;        // of the listing
    int first_line;  // of the part, from 0
    int lines;
};

/// Equal lines of two listings.
struct SourceMatch {
    int left, right, lines;  // `left`: of the listing that is built on
};

struct SourceListing {
    std::string_view op, variant;  // ids
    std::string_view builds_on;    // id of the variant that `matches` compares with; empty: none
    /// In the order of reading: the kernels of the variant's own file in the order of their launch, then those that it
    /// shares, each with what it calls; then what the host does.
    std::span<const SourcePart* const> parts;
    std::span<const SourceMark> marks;
    std::span<const SourceMatch> matches;  // by their lines; the last one is empty and stands at both ends
};

std::span<const SourceListing> source_listings();
/// Null where the sources have no such variant.
const SourceListing* find_source(const VariantInfo& variant);
/// What the listing builds on; null where that is nothing.
const SourceListing* basis_of(const SourceListing& listing);

struct SourceLine {
    int part;  // of the listing
    int line;  // of the part, from 0
    std::string_view text, letters;
    int number(const SourceListing& listing) const { return listing.parts[size_t(part)]->first_line + line; }
};
std::vector<SourceLine> lines_of(const SourceListing& listing);

/// Lines that stand beside each other, as indices into lines_of(); -1: none.
struct SourceRow {
    int left = -1, right = -1;  // of the basis, of the listing
    bool differs = false;
};
/// The difference of a listing from its basis. Joined, a line that was removed stands in a row of its own, before what
/// was put in its place; else beside that.
std::vector<SourceRow> compared_rows(const SourceListing& listing, bool side_by_side);

}  // namespace tonescope
