#include "gpu/core/param.h"

#include <gtest/gtest.h>

#include "gpu/core/error.h"
#include "gpu/core/registry.h"

namespace tonescope {
namespace {

/// Every parameter of every operator and variant, from the registry.
std::vector<const ParamInfo*> all_params() {
    std::vector<const ParamInfo*> all;
    for (const OperatorInfo* op : operators()) {
        for (const ParamInfo& info : op->params) all.push_back(&info);
        for (const VariantInfo* variant : variants_of(op->id))
            for (const ParamInfo& info : variant->params) all.push_back(&info);
    }
    return all;
}

TEST(Param, TextOfEveryLimitAndDefaultReadsBack) {
    ASSERT_FALSE(all_params().empty());
    for (const ParamInfo* info : all_params())
        for (int32_t value : {info->min, info->default_value, info->max})
            EXPECT_EQ(parse_value(*info, format_value(*info, value)), value) << info->id;
}

TEST(Param, RefusesWhatIsOutOfRangeOrNoNumber) {
    for (const ParamInfo* info : all_params()) {
        for (const char* text :
             {"", " ", "x", "1e3", "0x10", "-", ".", "1.2.3", "99999999999999999999", "1 ", "nan", "--5", "+-5"})
            EXPECT_THROW(parse_value(*info, text), UsageError) << info->id << "=" << text;
        if (info->kind == ParamKind::choice) continue;
        EXPECT_THROW(parse_value(*info, format_value(*info, info->max + info->step)), UsageError) << info->id;
        EXPECT_THROW(parse_value(*info, format_value(*info, info->min - info->step)), UsageError) << info->id;
    }
}

TEST(Param, DecimalsAreHeldAsIntegers) {
    const OperatorInfo* clahe = find_operator("clahe");
    ASSERT_NE(clahe, nullptr);
    const ParamInfo* limit = find_param(clahe->params, "clip_limit");
    ASSERT_NE(limit, nullptr);
    EXPECT_EQ(parse_value(*limit, "3"), 300);
    EXPECT_EQ(parse_value(*limit, "2.5"), 250);
    EXPECT_EQ(parse_value(*limit, "0.01"), 1);
    EXPECT_EQ(parse_value(*limit, "2.500"), 250);
    EXPECT_EQ(parse_value(*limit, ".5"), 50);
    EXPECT_EQ(parse_value(*limit, "0.29"), 29);
    for (const char* between : {"2.505", "2.50001", "+-2.5"}) EXPECT_THROW(parse_value(*limit, between), UsageError);
    EXPECT_THROW(parse_value(*limit, "256.01"), UsageError);
    EXPECT_EQ(format_value(*limit, 5), "0.05");
    EXPECT_EQ(format_value(*limit, 25600), "256.00");
}

TEST(Param, ErrorNamesParameterValueAndRange) {
    const ParamInfo* radius = find_param(find_operator("kuwahara")->params, "radius");
    try {
        parse_value(*radius, "65");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "radius=65: expected 1 to 64");
    }
}

TEST(Param, ClampStaysInRangeAndOnSteps) {
    const ParamInfo stepped{.id = "s", .label = "s", .help = "", .min = 8, .max = 30, .step = 4, .default_value = 8};
    EXPECT_EQ(clamp_value(stepped, -5), 8);
    EXPECT_EQ(clamp_value(stepped, 9), 8);
    EXPECT_EQ(clamp_value(stepped, 10), 12);
    EXPECT_EQ(clamp_value(stepped, 1000), 30);
}

TEST(Param, DefaultsAreInRange) {
    for (const ParamInfo* info : all_params()) {
        EXPECT_GE(info->default_value, info->min) << info->id;
        EXPECT_LE(info->default_value, info->max) << info->id;
        EXPECT_FALSE(info->help.empty()) << info->id;
        EXPECT_FALSE(info->label.empty()) << info->id;
    }
}

}  // namespace
}  // namespace tonescope
