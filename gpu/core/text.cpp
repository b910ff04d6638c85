#include "gpu/core/text.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

namespace tonescope {

std::string extension_of(std::string_view path) {
    std::string extension = std::filesystem::path(path).extension().string();
    if (!extension.empty()) extension.erase(0, 1);
    return lower_case(extension);
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return lower;
}

size_t utf8_length(std::string_view text, size_t i) {
    const uint8_t first = uint8_t(text[i]);
    if (first < 0x80) return 1;
    const size_t length = first >> 5 == 0b110 ? 2 : first >> 4 == 0b1110 ? 3 : first >> 3 == 0b11110 ? 4 : 0;
    if (length == 0 || length > text.size() - i) return 0;
    uint32_t code = first & (0xFF >> (length + 1));
    for (size_t k = 1; k < length; ++k) {
        if ((uint8_t(text[i + k]) & 0xC0) != 0x80) return 0;
        code = code << 6 | (uint8_t(text[i + k]) & 0x3F);
    }
    static constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < kLeast[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

std::string printable(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        const size_t length = utf8_length(text, i);
        const auto byte = [&](size_t k) { return uint8_t(text[i + k]); };
        const bool is_ascii_control = length == 1 && (byte(0) < 0x20 || byte(0) == 0x7f);
        const bool is_c1_control = length == 2 && byte(0) == 0xC2 && byte(1) < 0xA0;
        if (length > 0 && !is_ascii_control && !is_c1_control) {
            out += text.substr(i, length);
        } else if (text[i] == '\n' || text[i] == '\t') {
            out += text[i] == '\n' ? "\\n" : "\\t";
        } else {
            for (size_t k = 0; k < std::max<size_t>(length, 1); ++k) {
                constexpr char digits[] = "0123456789abcdef";
                out += {'\\', 'x', digits[byte(k) >> 4], digits[byte(k) & 15]};
            }
        }
        i += std::max<size_t>(length, 1);
    }
    return out;
}

std::string errno_text(int error) {
    std::string text = std::generic_category().message(error);
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = char(text[0] - 'A' + 'a');
    return text;
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

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(separator, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

std::vector<std::string> wrap(const std::string& text, const std::function<bool(const std::string& line)>& fits) {
    std::vector<std::string> lines;
    constexpr const char* kWhite = " \t\n";
    for (size_t at = text.find_first_not_of(kWhite), end = 0; at != std::string::npos;
         at = text.find_first_not_of(kWhite, end)) {
        end = std::min(text.find_first_of(kWhite, at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!lines.empty() && fits(lines.back() + " " + word))
            lines.back() += " " + word;
        else
            lines.push_back(word);
    }
    return lines;
}

std::string size_text(int64_t width, int64_t height) {
    return std::to_string(width) + " \u00d7 " + std::to_string(height);
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
