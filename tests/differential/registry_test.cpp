// The registry holds what the sources declare, and each entry says what it must.
#include "gpu/core/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace tonescope {
namespace {

namespace fs = std::filesystem;

/// Registrations of rungs in the sources of an operator's folder.
size_t declared_rungs(std::string_view op) {
    size_t count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(TONESCOPE_SOURCE_DIR) / "gpu/ops" / op)) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".cu") continue;
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        const std::string source = text.str();
        constexpr std::string_view kDeclaration = "const RungRegistration ";
        for (size_t at = source.find(kDeclaration); at != source.npos; at = source.find(kDeclaration, at + 1)) ++count;
    }
    return count;
}

TEST(Registry, HoldsTheFourOperatorsInOrder) {
    std::vector<std::string_view> ids;
    for (const OperatorInfo* op : operators()) ids.push_back(op->id);
    EXPECT_EQ(ids, (std::vector<std::string_view>{"he", "clahe", "kuwahara", "histogram"}));
}

TEST(Registry, HoldsEveryRungThatTheSourcesDeclare) {
    for (const OperatorInfo* op : operators()) {
        EXPECT_EQ(rungs_of(op->id).size(), declared_rungs(op->id)) << op->id;
        EXPECT_GE(std::ranges::count(rungs_of(op->id), BackendKind::cpu, &RungInfo::backend), 2) << op->id;
        EXPECT_GE(std::ranges::count(rungs_of(op->id), BackendKind::cuda, &RungInfo::backend), 1) << op->id;
    }
}

TEST(Registry, HasOneReferenceAndOnePreferredRungABackend) {
    for (const OperatorInfo* op : operators()) {
        const auto rungs = rungs_of(op->id);
        EXPECT_EQ(std::ranges::count(rungs, true, &RungInfo::reference), 1) << op->id;
        EXPECT_EQ(reference_of(op->id).backend, BackendKind::cpu) << op->id;
        for (BackendKind backend : {BackendKind::cpu, BackendKind::cuda}) {
            const auto preferred =
                std::ranges::count_if(rungs, [&](const RungInfo* r) { return r->backend == backend && r->preferred; });
            EXPECT_EQ(preferred, 1) << op->id << " on " << to_string(backend);
            ASSERT_NE(preferred_rung(op->id, backend), nullptr);
            EXPECT_TRUE(preferred_rung(op->id, backend)->preferred);
            EXPECT_FALSE(preferred_rung(op->id, backend)->wrong_by_design);
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
        std::set<std::string_view> rung_ids;
        for (const RungInfo* rung : rungs_of(op->id)) {
            EXPECT_TRUE(is_plain(rung->id)) << op->id << " " << rung->id;
            EXPECT_TRUE(rung_ids.insert(rung->id).second) << op->id << " " << rung->id;
            EXPECT_EQ(find_rung(op->id, rung->id), rung);
        }
    }
}

TEST(Registry, EveryEntryExplainsItself) {
    const auto is_sentence = [](std::string_view text) { return text.size() > 10 && text.ends_with('.'); };
    for (const OperatorInfo* op : operators()) {
        EXPECT_FALSE(op->name.empty()) << op->id;
        EXPECT_TRUE(is_sentence(op->summary)) << op->id;
        EXPECT_NE(op->output_spec, nullptr) << op->id;
        for (const RungInfo* rung : rungs_of(op->id)) {
            EXPECT_FALSE(rung->name.empty()) << op->id << " " << rung->id;
            EXPECT_TRUE(is_sentence(rung->idea)) << op->id << " " << rung->id;
            EXPECT_TRUE(is_sentence(rung->cost)) << op->id << " " << rung->id;
            EXPECT_TRUE(is_sentence(rung->flaw)) << op->id << " " << rung->id;
        }
    }
}

TEST(Registry, RungsHaveCodeForTheirBackendOnly) {
    for (const OperatorInfo* op : operators()) {
        for (const RungInfo* rung : rungs_of(op->id)) {
            EXPECT_EQ(rung->run_cpu != nullptr, rung->backend == BackendKind::cpu) << op->id << " " << rung->id;
            EXPECT_EQ(rung->run_cuda != nullptr, rung->backend == BackendKind::cuda && TONESCOPE_WITH_CUDA)
                << op->id << " " << rung->id;
            EXPECT_FALSE(rung->backend == BackendKind::cpu && rung->memory.has_value()) << op->id << " " << rung->id;
        }
    }
}

}  // namespace
}  // namespace tonescope
