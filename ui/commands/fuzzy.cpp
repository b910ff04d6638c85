// Matching of what was typed in the palette.
#include <algorithm>
#include <cctype>

#include "ui/commands/commands.h"

namespace tonescope::ui {
namespace {

constexpr int kMatch = 1, kWordStart = 8, kRun = 5, kBeginning = 50;
constexpr int kNoMatch = -1'000'000;

char lower_case(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool starts_word(std::string_view text, size_t at) {
    return at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
}

}  // namespace

int fuzzy_score(std::string_view typed, std::string_view text) {
    // here[j]: the best score with the characters so far matched and the last of them at text[j].
    std::vector<int> before, here(text.size(), kNoMatch);
    bool first = true;
    for (const char c : typed) {
        if (c == ' ') continue;
        before.swap(here);
        here.assign(text.size(), kNoMatch);
        int best = first ? 0 : kNoMatch;  // of the characters before, anywhere left of text[j]
        for (size_t j = 0; j < text.size(); ++j) {
            if (lower_case(text[j]) == lower_case(c)) {
                const int worth = kMatch + (starts_word(text, j) ? kWordStart : 0);
                if (best > kNoMatch) here[j] = best + worth;
                if (!first && j > 0 && before[j - 1] > kNoMatch)
                    here[j] = std::max(here[j], before[j - 1] + worth + kRun);
            }
            if (!first) best = std::max(best, before[j]);
        }
        first = false;
    }
    if (first) return 0;
    const bool begins =
        typed.size() <= text.size() && std::equal(typed.begin(), typed.end(), text.begin(),
                                                  [](char a, char b) { return lower_case(a) == lower_case(b); });
    if (begins) return kBeginning + static_cast<int>(typed.size()) * (kMatch + kRun);
    const int best = text.empty() ? kNoMatch : *std::max_element(here.begin(), here.end());
    return best <= kNoMatch ? -1 : best;
}

}  // namespace tonescope::ui
