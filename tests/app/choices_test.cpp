// What is chosen, and the way back.
#include "app/viewer/choices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tonescope {
namespace {

RunSpec initial() {
    const OperatorInfo* op = find_operator("kuwahara");
    const VariantInfo* variant = preferred_variant("kuwahara", BackendKind::cpu);
    return {op, variant, default_values(op->params), default_values(variant->params), MemoryMode::pinned};
}

const ParamInfo& param(const char* op, const char* id) {
    return *find_param(find_operator(op)->params, id);
}

class ChoicesTest : public testing::Test {
  protected:
    int radius() const { return choices_.run_spec().params.get(param("kuwahara", "radius")); }
    void set_radius(int value, uint64_t gesture = 0) {
        choices_.perform(ui::SetParam{&param("kuwahara", "radius"), false, value, gesture});
    }
    ui::RunModel model() const {
        ui::RunModel model;
        choices_.fill(model);
        return model;
    }

    bool has_gpu_ = true;
    Choices choices_{initial(), BackendKind::cpu,
                     [this](BackendKind wanted) { return has_gpu_ ? wanted : BackendKind::cpu; }};
};

TEST_F(ChoicesTest, EachOperatorKeepsItsParameters) {
    set_radius(7);
    choices_.perform(ui::SetOperator{find_operator("clahe")});
    EXPECT_EQ(choices_.op().id, "clahe");
    EXPECT_FALSE(model().can_redo);
    choices_.perform(ui::SetOperator{find_operator("kuwahara")});
    EXPECT_EQ(radius(), 7);
    choices_.perform(ui::ResetParams{});
    EXPECT_EQ(radius(), param("kuwahara", "radius").default_value);
    set_radius(100000);
    EXPECT_EQ(radius(), param("kuwahara", "radius").max);
}

/// The variants of the reports take 8 bits only; they are listed in builds without CUDA too.
TEST_F(ChoicesTest, ADeepImageTakesAnotherVariantOnTheGpuUntilThereIsOneOf8Bits) {
    const ImageSpec bytes{64, 48, PixelFormat::gray8}, deep{64, 48, PixelFormat::gray16, false, 4095};
    for (const OperatorInfo* operator_info : operators()) {
        const OperatorInfo& op = *operator_info;
        const std::string_view id = op.id;
        const std::vector<const VariantInfo*> variants = variants_of(id);
        const auto limited = std::ranges::find_if(
            variants, [&](const VariantInfo* v) { return v->backend == BackendKind::cuda && !v->any_depth; });
        ASSERT_NE(limited, variants.end()) << id;
        choices_.perform(ui::SetOperator{&op});
        choices_.perform(ui::SetBackend{BackendKind::cuda});
        choices_.perform(ui::SetVariant{*limited});
        choices_.set_image(bytes);
        EXPECT_EQ(choices_.run_spec().variant, *limited) << id;
        choices_.set_image(deep);
        const VariantInfo* const other = choices_.run_spec().variant;
        ASSERT_NE(other, nullptr) << id;
        EXPECT_EQ(other->backend, BackendKind::cuda) << id;
        EXPECT_EQ(refusal(op, *other, choices_.run_spec().params, deep), "") << id;
        // A GPU that fails hands over to a variant on the CPU, which takes the image as well.
        choices_.use_backend(BackendKind::cpu);
        ASSERT_NE(choices_.run_spec().variant, nullptr) << id;
        EXPECT_EQ(choices_.run_spec().variant->backend, BackendKind::cpu) << id;
        EXPECT_EQ(refusal(op, *choices_.run_spec().variant, choices_.run_spec().params, deep), "") << id;
        choices_.use_backend(BackendKind::cuda);
        choices_.set_image(bytes);
        EXPECT_EQ(choices_.run_spec().variant, *limited) << id;
    }
}

TEST_F(ChoicesTest, AVariantRefusesTheUncommonValueThatItDoesNotKnow) {
    for (const OperatorInfo* op : operators()) {
        for (const ParamInfo& info : op->params) {
            if (info.common_max >= info.max) continue;
            ParamBlock params = default_values(op->params);
            params.set(info, info.max);
            const std::string setting = std::string(info.id) + "=" + format_value(info, info.max);
            int refusals = 0;
            for (const VariantInfo* variant : variants_of(op->id)) {
                const std::string why = refusal(*op, *variant, params, {64, 48, PixelFormat::gray8});
                EXPECT_EQ(why == "has no " + setting, variant->every_value_of.find(info.id) == std::string_view::npos)
                    << op->id << ' ' << variant->id << ' ' << why;
                refusals += why.empty() ? 0 : 1;
            }
            EXPECT_GT(refusals, 0) << op->id << ' ' << setting;
        }
    }
}

TEST_F(ChoicesTest, StepsAreUndoneAndADragIsOne) {
    EXPECT_FALSE(model().can_undo);
    set_radius(5, 1);
    set_radius(9, 1);
    choices_.perform(ui::SetOperator{find_operator("clahe")});
    choices_.perform(ui::Undo{});
    EXPECT_EQ(choices_.op().id, "kuwahara");
    EXPECT_EQ(radius(), 9);
    choices_.perform(ui::Undo{});
    EXPECT_EQ(radius(), param("kuwahara", "radius").default_value);
    EXPECT_FALSE(model().can_undo);
    EXPECT_TRUE(model().can_redo);
    choices_.perform(ui::Undo{});  // of nothing
    choices_.perform(ui::Redo{});
    EXPECT_EQ(radius(), 9);
}

TEST_F(ChoicesTest, OtherActionsAreNoChoice) {
    EXPECT_FALSE(choices_.perform(ui::PasteImage{}));
    EXPECT_TRUE(choices_.perform(ui::Undo{}));
    EXPECT_FALSE(model().can_undo);
}

TEST_F(ChoicesTest, UndoBringsTheBackendBack) {
    choices_.perform(ui::SetBackend{BackendKind::cuda});
    EXPECT_EQ(choices_.backend(), BackendKind::cuda);
    EXPECT_EQ(choices_.wanted_backend(), BackendKind::cuda);
    choices_.perform(ui::Undo{});
    EXPECT_EQ(choices_.backend(), BackendKind::cpu);
    EXPECT_EQ(choices_.wanted_backend(), BackendKind::cuda) << "what the user has wanted last, for the next run";
}

TEST_F(ChoicesTest, ABackendThatIsNotThereIsNotInUse) {
    has_gpu_ = false;
    const VariantInfo* variant = find_variant("kuwahara", "simple");
    ASSERT_NE(variant, nullptr);
    choices_.perform(ui::SetVariant{variant});
    EXPECT_EQ(choices_.backend(), BackendKind::cpu);
    EXPECT_EQ(choices_.run_spec().variant->backend, BackendKind::cpu);
    has_gpu_ = true;
    choices_.perform(ui::SetBackend{BackendKind::cuda});
    EXPECT_EQ(choices_.run_spec().variant, variant) << "it was chosen all the same";
}

TEST_F(ChoicesTest, APresetIsOneStepAndTouchesItsOperatorAlone) {
    const OperatorInfo* clahe = find_operator("clahe");
    ParamBlock params = default_values(clahe->params);
    params.set(param("clahe", "clip_limit"), 450);
    set_radius(6);
    choices_.perform(ui::SetPreset{clahe, params});
    EXPECT_EQ(choices_.run_spec().params.get(param("clahe", "clip_limit")), 450);
    choices_.perform(ui::Undo{});
    EXPECT_EQ(choices_.op().id, "kuwahara");
    EXPECT_EQ(radius(), 6);
}

TEST_F(ChoicesTest, WhatWasKeptIsTakenWithoutAStepAndWithoutItsBackend) {
    Choice kept = choices_.choice();
    kept.params.set(param("kuwahara", "radius"), 12);
    kept.variant = find_variant("kuwahara", "simple");
    kept.variant_params = default_values(kept.variant->params);
    kept.backend = BackendKind::cuda;
    choices_.restore(kept);
    EXPECT_EQ(radius(), 12);
    EXPECT_EQ(choices_.backend(), BackendKind::cpu);
    EXPECT_FALSE(model().can_undo);
}

TEST_F(ChoicesTest, ThereIsARunForEveryVariant) {
    const std::vector<RunSpec> runs = choices_.run_specs();
    EXPECT_EQ(runs.size(), variants_of("kuwahara").size());
    for (const RunSpec& run : runs) EXPECT_EQ(run.params, choices_.run_spec().params);
}

TEST_F(ChoicesTest, AChoiceTakesItsValuesAlongAndBringsThemBack) {
    const ImageSpec image{1000, 700, PixelFormat::gray8, false};
    std::string told;
    const auto set = [&](const char* id, int32_t value) {
        told.clear();
        choices_.perform(ui::SetParam{&param("clahe", id), false, value, 0}, image,
                         [&](const std::string& note) { told = note; });
    };
    const auto value = [&](const char* id) { return choices_.run_spec().params.get(param("clahe", id)); };
    choices_.perform(ui::SetOperator{find_operator("clahe")});
    set("clip_limit", 600);
    set("clip_unit", 1);
    EXPECT_EQ(value("clip_count"), 96) << "6 * 64 * 64 / 256";
    EXPECT_EQ(told, "");
    choices_.perform(ui::Undo{});
    EXPECT_EQ(value("clip_unit"), 0) << "one step";
    EXPECT_EQ(value("clip_limit"), 600);
    choices_.perform(ui::Redo{});
    EXPECT_EQ(value("clip_count"), 96);
    set("clip_unit", 0);
    EXPECT_EQ(value("clip_limit"), 600);
    // No grid has these tiles: the nearest one leads back to them.
    set("tiles", 1);
    EXPECT_NE(told, "");
    EXPECT_EQ(value("grid_columns"), 16);
    set("tiles", 0);
    EXPECT_EQ(value("tile_size"), 64);
    set("tiles", 1);
    set("grid_columns", 5);
    set("tiles", 0);
    EXPECT_GT(value("tile_size"), 100) << "something else has changed";
    // The value that a number had before the choice is a value as any other.
    const int32_t count = value("clip_count");
    set("clip_limit", 300);
    set("clip_unit", 1);
    EXPECT_NE(value("clip_count"), count);
    set("clip_count", count);
    EXPECT_EQ(value("clip_unit"), 1);
    EXPECT_EQ(value("clip_count"), count);
}

TEST_F(ChoicesTest, AParameterOfWhatIsNoLongerChosenIsLeftAlone) {
    choices_.perform(ui::SetOperator{find_operator("clahe")});
    const RunSpec before = choices_.run_spec();
    set_radius(17);
    choices_.perform(ui::SetParam{&param("clahe", "tile_size"), true, 8, 0});
    EXPECT_EQ(choices_.run_spec(), before);
    choices_.perform(ui::SetOperator{find_operator("kuwahara")});
    EXPECT_EQ(radius(), param("kuwahara", "radius").default_value);
}

}  // namespace
}  // namespace tonescope
