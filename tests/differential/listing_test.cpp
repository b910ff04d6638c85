// The sources that the program holds, against the files and the registry.
#include "gpu/listing/listing.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace tonescope {
namespace {

std::vector<const VariantInfo*> listed_variants() {
    std::vector<const VariantInfo*> all;
    for (const OperatorInfo* op : operators())
        for (const VariantInfo* variant : variants_of(op->id)) all.push_back(variant);
    return all;
}

std::string name_of(const VariantInfo& variant) {
    return std::string(variant.op) + " " + std::string(variant.id);
}

std::vector<std::string> file_lines(std::string_view path) {
    std::ifstream file(std::filesystem::path(TONESCOPE_SOURCE_DIR) / path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

/// The names of kernels in a part's code, comments and strings aside.
std::set<std::string> kernels_named_in(const SourcePart& part) {
    std::string code(part.text);
    for (size_t k = 0; k < code.size(); ++k)
        if (part.letters[k] == 'c' || part.letters[k] == 's') code[k] = ' ';
    std::set<std::string> names;
    std::string word;
    for (const char c : code + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
            word += c;
            continue;
        }
        if (word.ends_with("_kernel")) names.insert(word);
        word.clear();
    }
    return names;
}

TEST(Listing, HasEveryVariantAsItsFilesHaveIt) {
    for (const VariantInfo* variant : listed_variants()) {
        const SourceListing* listing = find_source(*variant);
        ASSERT_NE(listing, nullptr) << name_of(*variant);
        ASSERT_GE(listing->parts.size(), 3u) << name_of(*variant);
        EXPECT_EQ(listing->parts.back()->kind, SourceKind::registration) << name_of(*variant);
        const std::vector<SourceLine> lines = lines_of(*listing);
        std::string_view path;
        std::vector<std::string> file;
        for (const SourceLine& line : lines) {
            const SourcePart& part = *listing->parts[size_t(line.part)];
            if (part.file != path) file = file_lines(path = part.file);
            const auto number = size_t(line.number(*listing));
            ASSERT_LE(number, file.size()) << path;
            EXPECT_EQ(line.text, file[number - 1]) << path << ":" << number;
            EXPECT_EQ(line.letters.size(), line.text.size()) << path << ":" << number;
            // The window's font for sources has Latin-1 alone: UTF-8 of at most two bytes, below U+0100.
            EXPECT_TRUE(std::ranges::none_of(line.text, [](char c) { return static_cast<unsigned char>(c) > 0xc3; }))
                << path << ":" << number;
        }
    }
    EXPECT_EQ(source_listings().size(), listed_variants().size());
}

TEST(Listing, HoldsEveryKernelThatIsLaunched) {
    for (const VariantInfo* variant : listed_variants()) {
        const SourceListing& listing = *find_source(*variant);
        const auto has = [&](const std::string& name) {
            return std::ranges::count(listing.parts, name, &SourcePart::name);
        };
        for (const SourcePart* part : listing.parts)
            for (const std::string& name : kernels_named_in(*part))
                EXPECT_EQ(has(name), 1) << name_of(*variant) << " " << name;
        const auto kernels = std::ranges::count(listing.parts, SourceKind::kernel, &SourcePart::kind);
        EXPECT_EQ(kernels == 0, variant->backend == BackendKind::cpu) << name_of(*variant);
    }
}

TEST(Listing, FollowsWhatIsHandedOnByParameters) {
    const SourceListing& listing = *find_source(*find_variant("histogram", "read-only"));
    const auto place = [&](std::string_view name) {
        return std::ranges::find(listing.parts, name, &SourcePart::name) - listing.parts.begin();
    };
    EXPECT_LT(place("histogram_count_read_only_kernel"), place("ReadOnlyLoad"));
    EXPECT_LT(place("ReadOnlyLoad"), place("histogram_clamp_kernel"));
    EXPECT_LT(place("histogram_clamp_kernel"), ptrdiff_t(listing.parts.size()));
}

TEST(Listing, MarksTheLinesOfStages) {
    for (const VariantInfo* variant : listed_variants()) {
        const SourceListing& listing = *find_source(*variant);
        EXPECT_FALSE(listing.marks.empty()) << name_of(*variant);
        for (const SourceMark& mark : listing.marks) {
            ASSERT_LT(size_t(mark.part), listing.parts.size());
            const auto lines = std::ranges::count(listing.parts[size_t(mark.part)]->text, '\n');
            EXPECT_GE(mark.first_line, 0);
            EXPECT_GT(mark.lines, 0);
            EXPECT_LE(mark.first_line + mark.lines, lines) << name_of(*variant) << " " << mark.stage;
        }
    }
}

TEST(Listing, MarksEveryKernelWithItsStage) {
    for (const VariantInfo* variant : listed_variants()) {
        const SourceListing& listing = *find_source(*variant);
        for (size_t k = 0; k < listing.parts.size(); ++k) {
            const auto marks = std::ranges::count(listing.marks, int(k), &SourceMark::part);
            EXPECT_TRUE(marks > 0 || listing.parts[k]->kind != SourceKind::kernel)
                << name_of(*variant) << " " << listing.parts[k]->name;
        }
    }
}

TEST(Listing, ComparesEachLineWithTheVariantThatItBuildsOn) {
    for (const VariantInfo* variant : listed_variants()) {
        const SourceListing& listing = *find_source(*variant);
        EXPECT_EQ(listing.builds_on, variant->builds_on) << name_of(*variant);
        const SourceListing* basis = basis_of(listing);
        ASSERT_EQ(basis == nullptr, variant->builds_on.empty()) << name_of(*variant);
        const std::vector<SourceLine> lines = lines_of(listing);
        const std::vector<SourceLine> old = basis != nullptr ? lines_of(*basis) : std::vector<SourceLine>();
        for (const bool side_by_side : {false, true}) {
            int left = 0, right = 0, differences = 0;
            for (const SourceRow& row : compared_rows(listing, side_by_side)) {
                EXPECT_EQ(row.left, row.left >= 0 ? left++ : -1);
                EXPECT_EQ(row.right, row.right >= 0 ? right++ : -1);
                differences += row.differs ? 1 : 0;
                EXPECT_TRUE(side_by_side || !row.differs || row.left < 0 || row.right < 0);
                EXPECT_TRUE(row.differs || lines[size_t(row.right)].text == old[size_t(row.left)].text);
            }
            EXPECT_EQ(left, int(old.size())) << name_of(*variant);
            EXPECT_EQ(right, int(lines.size())) << name_of(*variant);
            EXPECT_GT(differences, 0) << name_of(*variant);
        }
    }
}

}  // namespace
}  // namespace tonescope
