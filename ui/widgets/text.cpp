// Measuring, shortening and drawing text.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

std::vector<DrawnText>* noted_texts = nullptr;

bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

/// Two hyphens, as options begin with, would touch and look like one dash: this parts them.
float hyphen_gap(const Font& font) {
    return font.is_fixed ? 0 : std::ceil(font.size_px / 10);
}
float hyphen_gaps(const Font& font, std::string_view text) {
    size_t pairs = 0;
    for (size_t at = text.find("--"); at != std::string_view::npos; at = text.find("--", at + 1)) ++pairs;
    return static_cast<float>(pairs) * hyphen_gap(font);
}

/// The longest beginning that fits.
std::string_view fitting_prefix(const Font& font, std::string_view text, float width) {
    width -= hyphen_gaps(font, text);
    const char* end = text.data() + text.size();
    const float beyond = std::nextafter(width, FLT_MAX);  // where the text has to end before
    font.font->CalcTextSizeA(font.size_px, beyond, 0, text.data(), end, &end);
    return text.substr(0, static_cast<size_t>(end - text.data()));
}

/// The longest ending that fits.
std::string_view fitting_suffix(const Font& font, std::string_view text, float width) {
    float used = 0;
    for (size_t end = text.size(); end > 0;) {
        size_t begin = end - 1;
        while (begin > 0 && !starts_character(text[begin])) --begin;
        used += text_width(font, text.substr(begin, end - begin));
        if (used > width) return text.substr(end);
        end = begin;
    }
    return text;
}

/// The lines of a text: it breaks at line feeds and, where a line is wider than `width` (above 0), between words; a
/// word that is wider breaks where it has to.
std::vector<std::string_view> lines_of(const Font& font, std::string_view text, float width) {
    std::vector<std::string_view> lines;
    const auto wrap = [&](std::string_view line) {
        while (width > 0 && text_width(font, line) > width) {
            size_t end = 0;  // of the words that fit
            for (size_t space = line.find(' '); space != std::string_view::npos; space = line.find(' ', space + 1)) {
                if (text_width(font, line.substr(0, space)) > width) break;
                if (space > 0) end = space;
            }
            const size_t cut = end > 0 ? end : std::max<size_t>(fitting_prefix(font, line, width).size(), 1);
            lines.push_back(line.substr(0, cut));
            line.remove_prefix(end > 0 ? end + 1 : cut);
        }
        lines.push_back(line);
    };
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        wrap(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

/// One line.
void add_line(ImDrawList& list, ImVec2 at, const Font& font, ImU32 ink, std::string_view line) {
    while (!line.empty()) {
        const size_t pair = line.find("--");
        const std::string_view piece = line.substr(0, pair == std::string_view::npos ? pair : pair + 1);
        list.AddText(font.font, font.size_px, at, ink, piece.data(), piece.data() + piece.size());
        at.x += text_width(font, piece) + hyphen_gap(font);
        line.remove_prefix(piece.size());
    }
}

}  // namespace

float text_width(const Font& font, std::string_view text) {
    if (text.empty()) return 0;
    return font.font->CalcTextSizeA(font.size_px, FLT_MAX, 0, text.data(), text.data() + text.size()).x +
           hyphen_gaps(font, text);
}

float text_height(const Font& font, std::string_view text, float wrap_width) {
    if (text.empty()) return 0;
    return font.size_px * static_cast<float>(lines_of(font, text, wrap_width).size());
}

static std::string shorten(const Font& font, std::string_view text, float width, bool in_the_middle) {
    const float room = width - text_width(font, kEllipsis);
    if (room <= 0) return {};
    if (!in_the_middle) return std::string(fitting_prefix(font, text, room)).append(kEllipsis);
    const std::string_view head = fitting_prefix(font, text, std::floor(room * 0.6F));
    return std::string(head).append(kEllipsis).append(fitting_suffix(font, text, room - text_width(font, head)));
}

void note_texts(std::vector<DrawnText>* texts) {
    noted_texts = texts;
}

void draw_text(ImVec2 at, const Font& font, ImU32 text_color, std::string_view text, float wrap_width) {
    if (text.empty()) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 ink = fade(text_color, ImGui::GetStyle().Alpha);
    at = {std::round(at.x), std::round(at.y)};
    const int first_index = list.IdxBuffer.Size;
    Area area{at.x, at.y, 0, 0};
    for (const std::string_view line : lines_of(font, text, wrap_width)) {
        add_line(list, {at.x, area.bottom()}, font, ink, line);
        area.height += font.size_px;
        if (noted_texts != nullptr) area.width = std::max(area.width, text_width(font, line));
    }
    if (noted_texts == nullptr) return;
    noted_texts->push_back({std::string(text), area, between(list.GetClipRectMin(), list.GetClipRectMax()), ink,
                            list._OwnerName != nullptr ? list._OwnerName : "", ImGui::GetScrollMaxY() > 0,
                            ImGui::GetScrollMaxX() > 0, first_index});
}

void draw_text_right(ImVec2 at_right, const Font& font, ImU32 text_color, std::string_view text) {
    draw_text({at_right.x - text_width(font, text), at_right.y}, font, text_color, text);
}

void draw_line(const Area& area, const Font& font, ImU32 text_color, std::string_view text, Align align) {
    const float spare = align == Align::left ? 0 : area.width - text_width(font, text);
    draw_text({area.x + (align == Align::center ? spare / 2 : spare), middle(font, area.y, area.height)}, font,
              text_color, text);
}

std::string cut_text(Frame& ui, const Area& area, const Font& font, std::string_view text, bool in_the_middle) {
    constexpr float kRounding = 0.5F;  // areas are sums and differences of widths
    if (text_width(font, text) <= area.width + kRounding) return std::string(text);
    tooltip_at(ui, area, text);
    return shorten(font, text, area.width, in_the_middle);
}

float draw_line_cut(Frame& ui, const Area& area, const Font& font, ImU32 text_color, std::string_view text,
                    bool in_the_middle, Align align) {
    const std::string shown = cut_text(ui, area, font, text, in_the_middle);
    draw_line(area, font, text_color, shown, align);
    return text_width(font, shown);
}

std::string draw_fitting(Frame& ui, const Area& area, ImU32 color, std::string_view whole,
                         std::initializer_list<TextForm> forms) {
    for (const TextForm& form : forms) {
        if (text_width(form.font, form.text) > area.width) continue;
        if (&form != forms.begin()) tooltip_at(ui, area, whole);
        draw_line(area, form.font, color, form.text);
        return form.text;
    }
    const auto& [font, text] = *(forms.end() - 1);
    tooltip_at(ui, area, whole);
    const float height = area.width > 0 ? text_height(font, text, area.width) : area.height + 1;
    if (height <= area.height) {
        draw_text({area.x, std::floor(area.center().y - height / 2)}, font, color, text, area.width);
        return text;
    }
    std::string shown = shorten(font, text, area.width, false);
    draw_line(area, font, color, shown);
    return shown;
}

float middle(const Font& font, float top, float height) {
    return std::floor(top + (height - font.size_px) / 2);
}

std::string with_separators(uint64_t number) {
    std::string text = std::to_string(number);
    for (auto at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<size_t>(at), ",");
    return text;
}

std::string format_bytes(uint64_t bytes) {
    if (bytes < 1000) return format("%d B", static_cast<int>(bytes));
    constexpr const char* units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes) / 1000;
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < std::size(units)) {
        value /= 1000;
        ++unit;
    }
    return format(value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

std::string format(const char* pattern, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(text, sizeof(text), pattern, arguments);
    va_end(arguments);
    return text;
}

}  // namespace tonescope::ui
