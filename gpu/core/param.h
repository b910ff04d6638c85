// Parameters: declared once, in a table over a plain struct of int32_t members. Slider, command line, presets, tests
// and documentation are made from the table.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tonescope {

enum class ParamKind : uint8_t { integer, decimal, choice };

std::string_view to_string(ParamKind kind);  // "int", "decimal", "choice"

struct ParamInfo {
    std::string_view id;
    std::string_view label;
    std::string_view unit = {};
    std::string_view help;
    ParamKind kind = ParamKind::integer;
    size_t offset = 0;  // of the int32_t member in the struct, bytes
    int32_t min = 0;    // min, max, step and default_value count steps of 1 / scale
    int32_t max = 0;
    int32_t step = 1;
    int32_t default_value = 0;
    int32_t scale = 1;                              // decimal: the value shown is stored / scale
    bool logarithmic = false;                       // how a slider spreads the range
    std::span<const std::string_view> values = {};  // choice: value k is named values[k]; min 0, max size - 1
    std::string_view active_if = {};                // id of a choice in the same table that this one depends on ...
    int32_t active_value = 0;                       // ... and the value it must have for this one to matter
    bool main = false;                              // what one varies first to see what the operator does
    /// Greater values are for variants that take them (VariantInfo::every_value_of).
    int32_t common_max = std::numeric_limits<int32_t>::max();
};

/// Holds any parameter struct: plain, at most 16 int32_t members. Comparable and copyable.
class ParamBlock {
  public:
    ParamBlock() = default;
    template <class P>
    explicit ParamBlock(const P& params) {
        static_assert(std::is_trivially_copyable_v<P> && sizeof(P) <= sizeof(words_));
        std::memcpy(words_.data(), &params, sizeof(P));
    }
    template <class P>
    P as() const {
        static_assert(std::is_trivially_copyable_v<P> && sizeof(P) <= sizeof(words_));
        P params;
        std::memcpy(static_cast<void*>(&params), words_.data(), sizeof(P));
        return params;
    }
    int32_t get(const ParamInfo& info) const { return words_[info.offset / sizeof(int32_t)]; }
    void set(const ParamInfo& info, int32_t value) { words_[info.offset / sizeof(int32_t)] = value; }
    bool operator==(const ParamBlock&) const = default;

  private:
    std::array<int32_t, 16> words_{};
};

/// Values by the ids of their parameters: what a file format is told beyond the pixels ("quality": 90). Those that are
/// not named have their defaults.
using SaveOptions = std::map<std::string, int32_t, std::less<>>;

ParamBlock default_values(std::span<const ParamInfo> table);
const ParamInfo* find_param(std::span<const ParamInfo> table, std::string_view id);
/// Whether the parameter matters under these values (see ParamInfo::active_if).
bool is_active(std::span<const ParamInfo> table, const ParamInfo& info, const ParamBlock& block);

/// "64", "2.50", "spread": the text parse_value reads back.
std::string format_value(const ParamInfo& info, int32_t value);
/// Throws UsageError that names the parameter, the value and what is allowed.
int32_t parse_value(const ParamInfo& info, std::string_view text);
/// The allowed value nearest to `value`.
int32_t clamp_value(const ParamInfo& info, int64_t value);
/// Up to `count` different values that show what the parameter does, in rising order, `around` among them: each twice
/// the one before it, or less than twice where many are asked for, or neighbors; of a choice the choices themselves.
std::vector<int32_t> grid_values(const ParamInfo& info, int32_t around, int count);

}  // namespace tonescope
