// The registry holds what the sources declare, and each entry says what it must.
#include "gpu/core/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "gpu/core/benchmark/report.h"

namespace tonescope {
namespace {

namespace fs = std::filesystem;

const fs::path kOps = fs::path(TONESCOPE_SOURCE_DIR) / "gpu/ops";

std::string text_of(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// Registrations of variants in the sources of an operator's folder.
size_t declared_variants(std::string_view op) {
    size_t count = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kOps / op)) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".cu") continue;
        const std::string source = text_of(entry.path());
        constexpr std::string_view kDeclaration = "\nconst VariantRegistration ";
        for (size_t at = source.find(kDeclaration); at != source.npos; at = source.find(kDeclaration, at + 1)) ++count;
    }
    return count;
}

TEST(Registry, HoldsAnOperatorForEachFolder) {
    std::set<std::string> folders, ids;
    for (const fs::directory_entry& entry : fs::directory_iterator(kOps))
        if (entry.is_directory()) folders.insert(entry.path().filename().string());
    for (const OperatorInfo* op : operators()) ids.emplace(op->id);
    EXPECT_EQ(ids, folders);
}

/// Each but the first follows the one before it, or one further up that others follow too.
template <class Info>
void expect_ladder(const std::vector<const Info*>& entries) {
    for (size_t k = 0; k < entries.size(); ++k) {
        const auto before = std::ranges::subrange(entries.begin(), entries.begin() + ptrdiff_t(k));
        const bool follows = std::ranges::count(before, entries[k]->follows, &Info::id) == 1;
        EXPECT_EQ(follows, k > 0) << entries[k]->id << " follows " << entries[k]->follows;
    }
}

TEST(Registry, EntriesFollowOneAnother) {
    expect_ladder(std::vector(operators().begin(), operators().end()));
    for (const OperatorInfo* op : operators())
        for (BackendKind backend : {BackendKind::cpu, BackendKind::cuda}) {
            auto variants = variants_of(op->id);
            std::erase_if(variants, [&](const VariantInfo* variant) { return variant->backend != backend; });
            expect_ladder(variants);
        }
}

/// What a variant builds on is another one of its operator, and no chain of them comes back to where it began.
TEST(Registry, VariantsBuildOnOthersWithoutCycles) {
    for (const OperatorInfo* op : operators()) {
        const auto variants = variants_of(op->id);
        EXPECT_TRUE(std::ranges::any_of(variants, [](const VariantInfo* v) { return !v->builds_on.empty(); }));
        for (const VariantInfo* variant : variants) {
            size_t steps = 0;
            for (const VariantInfo* at = variant; !at->builds_on.empty() && steps <= variants.size(); ++steps) {
                const VariantInfo* basis = basis_of(*at);
                ASSERT_NE(basis, nullptr) << op->id << " " << at->id << " builds on " << at->builds_on;
                EXPECT_EQ(basis->op, op->id);
                at = basis;
            }
            EXPECT_LT(steps, variants.size()) << op->id << " " << variant->id << " builds on itself";
        }
    }
}

TEST(Registry, ReportsSpeakOfVariantsThatThereAre) {
    std::set<std::string_view> ids;
    for (const ReportInfo* report : reports()) {
        SCOPED_TRACE(report->id);
        ids.insert(report->id);
        ASSERT_NE(find_operator(report->op), nullptr);
        EXPECT_FALSE(report->title.empty());
        EXPECT_FALSE(report->claims.empty());
        for (const ReportClaim& claim : report->claims) {
            SCOPED_TRACE(claim.says);
            const VariantInfo* variant = find_variant(report->op, claim.variant);
            ASSERT_NE(variant, nullptr) << claim.variant;
            EXPECT_NE(find_variant(report->op, claim.against), nullptr) << claim.against;
            EXPECT_TRUE(("; " + std::string(variant->source)).find("; " + std::string(report->id) + " ") !=
                        std::string::npos)
                << claim.variant << " stems from another report";
            EXPECT_LE(claim.min_pixels, claim.max_pixels);
            EXPECT_FALSE(claim.says.empty() || claim.says.ends_with('.'));
        }
    }
    EXPECT_EQ(ids, (std::set<std::string_view>{"A", "B", "C", "D", "E"}));
}

TEST(Registry, SameKernelsAreThoseOfAnotherVariantWithKernelsOfItsOwn) {
    for (const OperatorInfo* op : operators()) {
        for (const VariantInfo* variant : variants_of(op->id)) {
            EXPECT_EQ(same_kernels_text(*variant).empty(), variant->same_kernels_as.empty());
            if (variant->same_kernels_as.empty()) continue;
            const VariantInfo* same = find_variant(op->id, variant->same_kernels_as);
            ASSERT_NE(same, nullptr) << op->id << " " << variant->id;
            EXPECT_NE(same, variant);
            EXPECT_EQ(same->backend, BackendKind::cuda);
            EXPECT_TRUE(same->same_kernels_as.empty()) << op->id << " " << variant->id << " by way of " << same->id;
        }
    }
}

/// Work is declared, in stages that have names, and reads the image and writes the result at least once.
TEST(Registry, VariantsDeclareTheirWork) {
    for (const OperatorInfo* op : operators()) {
        for (const VariantInfo* variant : variants_of(op->id)) {
            ASSERT_NE(variant->work, nullptr) << op->id << " " << variant->id;
            for (const PixelFormat format : {PixelFormat::gray8, PixelFormat::rgba8}) {
                const ImageSpec image{1920, 1080, format, false};
                // Every value of a choice, and both ends of a range.
                std::vector<ParamBlock> cases{default_values(op->params)};
                for (const ParamInfo& info : op->params)
                    for (const int32_t value : grid_values(info, info.default_value, 3)) {
                        cases.push_back(cases.front());
                        cases.back().set(info, value);
                    }
                for (const ParamBlock& params : cases) {
                    const Work work = variant->work({image, params, default_values(variant->params)});
                    const Amounts sum = total_of(work);
                    const ImageSpec output = op->makes_bins ? ImageSpec{} : op->output_spec(image, params);
                    EXPECT_GE(sum.bytes, double(image.size_bytes() + output.size_bytes()))
                        << op->id << " " << variant->id;
                    EXPECT_GT(sum.operations, double(image.pixels())) << op->id << " " << variant->id;
                    for (const StageWork& stage : work) {
                        EXPECT_FALSE(stage.stage.empty());
                        EXPECT_GT(stage.amounts.bytes, 0) << op->id << " " << variant->id << " " << stage.stage;
                    }
                }
            }
        }
    }
}

TEST(Registry, LargerImagesAreMoreWork) {
    for (const OperatorInfo* op : operators()) {
        for (const VariantInfo* variant : variants_of(op->id)) {
            const auto work_of = [&](int side) {
                return total_of(variant->work({{side, side, PixelFormat::rgba8, false},
                                               default_values(op->params),
                                               default_values(variant->params)}));
            };
            const Amounts small = work_of(1000), large = work_of(2000);
            EXPECT_NEAR(large.bytes, 4 * small.bytes, 0.2 * large.bytes) << op->id << " " << variant->id;
            EXPECT_GT(large.operations, 2 * small.operations) << op->id << " " << variant->id;
        }
    }
}

TEST(Registry, HoldsEveryVariantThatTheSourcesDeclare) {
    for (const OperatorInfo* op : operators()) {
        EXPECT_EQ(variants_of(op->id).size(), declared_variants(op->id)) << op->id;
        EXPECT_GE(std::ranges::count(variants_of(op->id), BackendKind::cpu, &VariantInfo::backend), 2) << op->id;
        EXPECT_GE(std::ranges::count(variants_of(op->id), BackendKind::cuda, &VariantInfo::backend), 1) << op->id;
    }
}

TEST(Registry, HasOneReferenceAndOnePreferredVariantABackend) {
    for (const OperatorInfo* op : operators()) {
        const auto variants = variants_of(op->id);
        EXPECT_EQ(std::ranges::count(variants, true, &VariantInfo::reference), 1) << op->id;
        EXPECT_EQ(reference_of(op->id).backend, BackendKind::cpu) << op->id;
        for (BackendKind backend : {BackendKind::cpu, BackendKind::cuda}) {
            const auto preferred = std::ranges::count_if(
                variants, [&](const VariantInfo* r) { return r->backend == backend && r->preferred; });
            EXPECT_EQ(preferred, 1) << op->id << " on " << to_string(backend);
            ASSERT_NE(preferred_variant(op->id, backend), nullptr);
            EXPECT_TRUE(preferred_variant(op->id, backend)->preferred);
            EXPECT_FALSE(preferred_variant(op->id, backend)->wrong_by_design);
        }
    }
}

TEST(Registry, IdsAreUniqueAndPlain) {
    const auto is_plain = [](std::string_view id) {
        return !id.empty() && std::ranges::all_of(id, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        });
    };
    std::set<std::string_view> operator_ids;
    for (const OperatorInfo* op : operators()) {
        EXPECT_TRUE(is_plain(op->id)) << op->id;
        EXPECT_TRUE(operator_ids.insert(op->id).second) << op->id;
        std::set<std::string_view> variant_ids;
        for (const VariantInfo* variant : variants_of(op->id)) {
            EXPECT_TRUE(is_plain(variant->id)) << op->id << " " << variant->id;
            EXPECT_TRUE(variant_ids.insert(variant->id).second) << op->id << " " << variant->id;
            EXPECT_EQ(find_variant(op->id, variant->id), variant);
        }
    }
}

TEST(Registry, EveryEntryHasItsTexts) {
    for (const OperatorInfo* op : operators()) {
        for (std::string_view text : {op->name, op->summary}) EXPECT_FALSE(text.empty()) << op->id;
        EXPECT_NE(op->output_spec, nullptr) << op->id;
        for (const VariantInfo* variant : variants_of(op->id))
            for (std::string_view text : {variant->name, variant->idea, variant->cost, variant->flaw})
                EXPECT_FALSE(text.empty()) << op->id << " " << variant->id;
    }
}

TEST(Registry, EveryVariantHasARowInItsOperatorsReadme) {
    for (const OperatorInfo* op : operators()) {
        std::stringstream readme(text_of(kOps / op->id / "README.md"));
        std::string rows;
        for (std::string line; std::getline(readme, line);)
            if (line.starts_with("|")) rows += line + "\n";
        for (const VariantInfo* variant : variants_of(op->id))
            EXPECT_NE(rows.find("`" + std::string(variant->id) + "`"), rows.npos) << op->id << " " << variant->id;
    }
}

TEST(Registry, VariantsHaveCodeForTheirBackendOnly) {
    for (const OperatorInfo* op : operators()) {
        for (const VariantInfo* variant : variants_of(op->id)) {
            EXPECT_EQ(variant->run_cpu != nullptr, variant->backend == BackendKind::cpu)
                << op->id << " " << variant->id;
            EXPECT_EQ(variant->run_cuda != nullptr, variant->backend == BackendKind::cuda && TONESCOPE_WITH_CUDA)
                << op->id << " " << variant->id;
            EXPECT_FALSE(variant->backend == BackendKind::cpu && variant->memory.has_value())
                << op->id << " " << variant->id;
        }
    }
}

}  // namespace
}  // namespace tonescope
