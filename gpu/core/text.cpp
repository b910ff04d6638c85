#include "gpu/core/text.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace tonescope {

std::string extension_of(std::string_view path) {
    std::string extension = std::filesystem::path(path).extension().string();
    if (!extension.empty()) extension.erase(0, 1);
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return extension;
}

std::string spell_out(const std::vector<std::string>& names, std::string_view last) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
        const bool before_last = i + 1 == names.size() && !last.empty();
        if (i > 0) text += before_last ? " " + std::string(last) + " " : ", ";
        text += names[i];
    }
    return text;
}

std::strong_ordering natural_order(std::string_view a, std::string_view b) {
    const std::string_view whole_a = a, whole_b = b;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto lower = [](char c) { return uint8_t(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); };
    // Takes a number off the front, without the zeros that it begins with.
    const auto take_number = [&](std::string_view& text) {
        const size_t end = size_t(std::ranges::find_if_not(text, is_digit) - text.begin());
        std::string_view number = text.substr(0, end);
        text.remove_prefix(end);
        number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
        return number;
    };
    while (!a.empty() && !b.empty()) {
        if (is_digit(a[0]) && is_digit(b[0])) {
            const std::string_view number_a = take_number(a), number_b = take_number(b);
            if (number_a.size() != number_b.size()) return number_a.size() <=> number_b.size();
            if (const auto order = number_a <=> number_b; order != 0) return order;
        } else {
            if (const auto order = lower(a[0]) <=> lower(b[0]); order != 0) return order;
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    if (const auto order = a.size() <=> b.size(); order != 0) return order;
    return whole_a <=> whole_b;
}

std::optional<int> parse_int(std::string_view text, int min, int max) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < min || value > max) return {};
    return value;
}

std::optional<std::pair<int, int>> parse_size(std::string_view text, std::pair<int, int> min, int max) {
    const size_t x = std::min(text.find('x'), text.size());
    const std::optional<int> width = parse_int(text.substr(0, x), min.first, max);
    const std::optional<int> height = parse_int(text.substr(std::min(x + 1, text.size())), min.second, max);
    if (!width || !height) return {};
    return std::pair(*width, *height);
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += ',';
        if (cells[i].find_first_of(",\"\n") == std::string::npos) {
            line += cells[i];
            continue;
        }
        line += '"';
        for (const char c : cells[i]) line += c == '"' ? "\"\"" : std::string(1, c);
        line += '"';
    }
    return line + "\n";
}

}  // namespace tonescope
