// --source: a variant's listing as text.
#include <iomanip>
#include <iostream>

#include "app/cli/modes.h"
#include "gpu/core/error.h"
#include "gpu/listing/listing.h"

namespace tonescope {
namespace {

/// What stands above a part where it does not follow the one before it in its file.
void print_part_title(const SourcePart& part) {
    std::cout << "\n" << part.file << ":" << part.first_line;
    if (part.kind == SourceKind::kernel) std::cout << "  (kernel " << part.name << ")";
    std::cout << "\n";
}

void print_source_line(char mark, const SourceListing& listing, const SourceLine& line) {
    std::cout << mark << std::setw(5) << line.number(listing) << "  " << line.text << "\n";
}

}  // namespace

int run_source(const Options& options) {
    const VariantInfo* variant = find_variant(options.op, options.source);
    if (variant == nullptr) {
        std::vector<std::string> ids;
        for (const VariantInfo* known : variants_of(options.op)) ids.emplace_back(known->id);
        throw UsageError("--source " + options.source + ": unknown variant of " + options.op + "; there are " +
                         spell_out(ids));
    }
    const SourceListing* listing = find_source(*variant);
    if (listing == nullptr) throw UserError("this program was built without the source of " + options.source);
    const SourceListing* basis = basis_of(*listing);
    std::cout << find_operator(options.op)->name << ": " << title_of(*variant);
    if (basis != nullptr) std::cout << "; + and - compare it with " << title_of(*basis_of(*variant));
    std::cout << "\n";
    if (const std::string same = same_kernels_text(*variant); !same.empty()) std::cout << same << "\n";
    const std::vector<SourceLine> lines = lines_of(*listing);
    const std::vector<SourceLine> basis_lines = basis != nullptr ? lines_of(*basis) : std::vector<SourceLine>();
    const std::vector<SourceRow> rows = compared_rows(*listing, false);
    const SourcePart* before = nullptr;
    for (const SourceRow& row : rows) {
        const bool removed = row.right < 0;
        const SourceListing& from = removed ? *basis : *listing;
        const SourceLine& line = removed ? basis_lines[size_t(row.left)] : lines[size_t(row.right)];
        const SourcePart* part = from.parts[size_t(line.part)];
        if (part != before) print_part_title(*part);
        before = part;
        print_source_line(removed ? '-' : row.differs && basis != nullptr ? '+' : ' ', from, line);
    }
    return 0;
}

}  // namespace tonescope
