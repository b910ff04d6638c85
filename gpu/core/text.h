// Pieces of text that several layers need.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tonescope {

/// The extension of the file that a path names, in lower case and without the dot. It is empty where there is none; a
/// dot in front makes a hidden file, not an extension.
std::string extension_of(std::string_view path);

/// The letters A to Z become small ones, whatever the user's language.
std::string lower_case(std::string_view text);

/// Length in bytes of the UTF-8 character at `text[i]`, 0 where it is none.
size_t utf8_length(std::string_view text, size_t i);

/// The text as it may stand in a line on a terminal, whatever the names in it hold: control characters and bytes that
/// are no UTF-8 become "\n", "\t" or "\x1b".
std::string printable(std::string_view text);

/// What errno says, in lower case.
std::string errno_text(int error);

/// "a, b and c", to say what there is. `last` stands before the last name; where it is empty, a comma does.
std::string spell_out(const std::vector<std::string>& names, std::string_view last = "and");

/// Breaks a text between words into lines that fit.
std::vector<std::string> wrap(const std::string& text, const std::function<bool(const std::string& line)>& fits);

/// "768 × 512"
std::string size_text(int64_t width, int64_t height);

/// The parts between separators: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);

/// The order in which a person looks for names: by the numbers in them ("a2" before "a10", however many digits) and
/// without regard to the case of ASCII letters. Names that differ are never equal, so that their order is always one.
std::strong_ordering natural_order(std::string_view a, std::string_view b);

/// A whole number from `min` to `max`; empty where the text is anything else.
std::optional<int> parse_int(std::string_view text, int min, int max);
/// "WIDTHxHEIGHT", each side from that of `min` to `max`; empty where the text is anything else.
std::optional<std::pair<int, int>> parse_size(std::string_view text, std::pair<int, int> min, int max);

/// A line of a CSV file; cells with commas, quotes or line breaks are quoted.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace tonescope
