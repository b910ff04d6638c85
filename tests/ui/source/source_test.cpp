// The panel with the source of a variant: what it shows, what is found, selected and copied, and its tie to the times.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ui/scenes/scene_test.h"
#include "tests/ui/scenes/source_scenes.h"
#include "ui/source/source_text.h"

namespace tonescope::ui {
namespace {

const VariantInfo& padded_scan() {
    return *find_variant("clahe", "scan-padded");
}

/// Side by side and narrow, so that lines wrap.
class Rows : public testing::TestWithParam<std::pair<SourceLook, int>> {};

TEST_P(Rows, HoldEveryLineOnceAndWhole) {
    const auto [look, columns] = GetParam();
    const SourceListing& listing = *find_source(padded_scan());
    const SourceText text(listing, look, columns);
    const std::vector<SourceLine> lines = lines_of(listing), old = lines_of(*basis_of(listing));
    size_t next = 0, next_old = 0;
    int height = 0;
    for (int row = 0; row < text.rows(); ++row) {
        EXPECT_EQ(text.top(row), height);
        size_t pieces_here = static_cast<size_t>(text.row(row).is_title ? text.top(row + 1) - text.top(row) : 1);
        EXPECT_GE(pieces_here, text.row(row).is_title ? 2U : 1U);
        for (int side = 0; side < text.sides(); ++side) {
            const SourceLine* line = text.line(side, row);
            if (line == nullptr) continue;
            const bool of_basis = text.shows_basis(side, row);
            const SourceLine& expected = of_basis ? old[next_old++] : lines[next++];
            EXPECT_EQ(line->text, expected.text);
            if (look == SourceLook::joined && !text.row(row).differs) ++next_old;
            const std::vector<TextPiece> pieces = text.pieces(side, row);
            pieces_here = std::max(pieces_here, pieces.size());
            int end = 0;
            for (const TextPiece& piece : pieces) {
                EXPECT_EQ(piece.begin, end);
                EXPECT_LE(piece.end - piece.begin + piece.indent, columns);
                end = piece.end;
            }
            EXPECT_EQ(end, text.characters(side, row));
        }
        height += static_cast<int>(pieces_here);
        EXPECT_EQ(text.row_at(height - 1), row);
    }
    EXPECT_EQ(next, lines.size());
    EXPECT_EQ(next_old, look == SourceLook::plain ? 0 : old.size());
    EXPECT_EQ(text.height(), height);
}

INSTANTIATE_TEST_SUITE_P(Looks, Rows,
                         testing::Values(std::pair{SourceLook::plain, 120}, std::pair{SourceLook::joined, 60},
                                         std::pair{SourceLook::side_by_side, 30}));

TEST(SourceText, MarksWhatWasAddedAndRemoved) {
    const SourceText text(*find_source(padded_scan()), SourceLook::joined, 100);
    std::string marks;
    for (int row = 0; row < text.rows(); ++row)
        if (const SourceLine* line = text.line(0, row);
            line != nullptr && line->text.find("padded(") != line->text.npos)
            marks += text.mark(0, row);
    EXPECT_NE(marks.find('+'), marks.npos);
    EXPECT_EQ(marks.find('-'), marks.npos) << "what it builds on has no padding";
    EXPECT_GT(text.added(), 0);
    EXPECT_GT(text.removed(), 0);
    int row = -1, differences = 0;
    while ((row = text.next_difference(row, 1)) >= 0) ++differences;
    EXPECT_GT(differences, 1);
    EXPECT_EQ(text.next_difference(text.next_difference(-1, 1), -1), -1);
}

TEST(SourceText, TellsWhatChangedWithinALine) {
    int changed = 0;
    for (const SourceListing& listing : source_listings()) {
        if (basis_of(listing) == nullptr) continue;
        const SourceText text(listing, SourceLook::side_by_side, 100);
        for (int row = 0; row < text.rows(); ++row) {
            const auto [left_begin, left_end] = text.changed_characters(0, row);
            const auto [begin, end] = text.changed_characters(1, row);
            if (left_begin == left_end && begin == end) continue;
            ++changed;
            // What stands before and behind it is the same on both sides.
            const std::string_view left = text.line(0, row)->text, right = text.line(1, row)->text;
            const int same = std::min(left_begin, begin);
            EXPECT_EQ(characters_of(left, 0, same), characters_of(right, 0, same));
            const int behind = std::min(text.characters(0, row) - left_end, text.characters(1, row) - end);
            EXPECT_EQ(left.substr(left.size() - static_cast<size_t>(behind)),
                      right.substr(right.size() - static_cast<size_t>(behind)));
        }
    }
    EXPECT_GT(changed, 10);
}

TEST(SourceText, FindsInAnyCaseAndGivesTheText) {
    const SourceText text(*find_source(padded_scan()), SourceLook::plain, 100);
    const std::vector<TextRange> found = text.find("CLAHE_table_PADDED_scan_kernel");
    ASSERT_GE(found.size(), 2U) << "its definition and its launch";
    for (const TextRange& hit : found) EXPECT_EQ(text.text_of(hit), "clahe_table_padded_scan_kernel");
    EXPECT_EQ(text.text_of(text.word_at(0, {found[0].from.row, found[0].from.column + 3})),
              "clahe_table_padded_scan_kernel");
    EXPECT_TRUE(text.find("").empty());
    EXPECT_TRUE(text.find("no such words").empty());
    // All of it is what the listing holds.
    std::string all;
    for (const SourcePart* part : find_source(padded_scan())->parts) all += part->text;
    EXPECT_TRUE(text.text_of(text.all(0)) == all);
}

TEST(SourceText, SeveralLinesOfADifferenceAreCopiedAsOne) {
    const SourceText text(*find_source(padded_scan()), SourceLook::joined, 100);
    const std::string all = text.text_of(text.all(0));
    EXPECT_NE(all.find("\n+ "), all.npos);
    EXPECT_NE(all.find("\n- "), all.npos);
    EXPECT_NE(all.find("\n  "), all.npos);
}

/// The newest text in the clipboard of Dear ImGui.
std::string clipboard() {
    const char* text = ImGui::GetClipboardText();
    return text != nullptr ? text : "";
}

struct Opened {
    Model model = make_source_model(scene("default").model);
    Driver driver;
    explicit Opened(SourceLook look, int width = 1920, int height = 1080) : driver(width, height, 1) {
        show_source(driver, look);
        driver.frames(model, 3);
    }
    const Widget& widget(std::string_view label) {
        const Widget* found = driver.find(label);
        if (found == nullptr) throw std::runtime_error("no widget " + std::string(label));
        return *found;
    }
};

TEST(SourcePanel, OpensAndClosesByItsCommand) {
    const Model& model = scene("default").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("source text"), nullptr);
    driver.tap_with_control(model, key_of('U'));
    ASSERT_NE(driver.find("source text"), nullptr);
    EXPECT_TRUE(driver.interface().settings().source_shown);
    EXPECT_NE(driver.find("view:before"), nullptr) << "the picture is seen beside it";
    driver.click(model, "Close the source");
    EXPECT_EQ(driver.find("source text"), nullptr);
}

TEST(SourcePanel, StandsBesideOrBelowThePicture) {
    for (const auto& [width, height, presents, beside] : {std::tuple{1280, 720, false, false},
                                                          {2560, 1440, false, true},
                                                          {640, 400, false, false},
                                                          {1000, 500, true, true}}) {
        Opened opened(SourceLook::joined, width, height);
        if (presents) opened.driver.tap(opened.model, ImGuiKey_F9);
        opened.driver.frames(opened.model, 2);
        const Widget& text = opened.widget("source text");
        const Widget& picture = opened.widget("view:before");
        EXPECT_EQ(text.x >= picture.x + picture.width, beside) << width;
        EXPECT_EQ(text.y >= picture.y + picture.height, !beside) << width;
    }
}

TEST(SourcePanel, LeavesTheComparisonItsRows) {
    Model model = make_source_model(scene("comparison clahe").model);
    model.notices = {{1, Severity::error, "No such file"}};
    for (const auto& [width, height, scale] :
         {std::tuple{1280, 720, 1.0F}, {1280, 720, 4 / 3.0F}, {2560, 1440, 2.0F}}) {
        for (const SourceLook look : {SourceLook::joined, SourceLook::side_by_side}) {
            Driver driver(width, height, scale);
            show_source(driver, look);
            driver.frames(model, 3);
            const Widget& text = *driver.find("source text");
            const Widget& tabs = *driver.find("chart");
            const Widget& notice = *driver.find("notice:No such file");
            EXPECT_GE(text.height, 115 * scale);
            const bool beside = text.y < tabs.y;
            const auto rows = std::ranges::count_if(driver.interface().widgets(), [&](const Widget& row) {
                return row.label.starts_with("row:") && (beside || row.y + row.height <= text.y);
            });
            EXPECT_GE(rows, 5);
            EXPECT_GT(notice.y, tabs.y + tabs.height) << "the tabs stay free";
        }
    }
}

TEST(SourcePanel, KernelsHaveWhatTheyTakeAtTheirHead) {
    Opened opened(SourceLook::plain);
    const Widget& head = opened.widget("kernel head:clahe_table_padded_scan_kernel");
    EXPECT_EQ(head.value,
              "32 registers, 4,096 bytes shared, 24 bytes spilled, 256 threads a block, 88 % occupancy, limited by "
              "registers");
    opened.model.timings.kernels.clear();
    opened.driver.frames(opened.model, 2);
    EXPECT_EQ(opened.widget("kernel head:clahe_table_padded_scan_kernel").value, "");
}

TEST(SourcePanel, ShowsAnotherVariantUntilTheRunningOneChanges) {
    Opened opened(SourceLook::joined);
    EXPECT_EQ(opened.widget("Source of").value, "scan-padded");
    opened.driver.click(opened.model, "Source of");
    ASSERT_TRUE(opened.driver.click(opened.model, "Source of:Thread per tile") ||
                opened.driver.click(opened.model, "Source of:" + std::string(find_variant("clahe", "baseline")->name)));
    opened.driver.frames(opened.model, 2);
    EXPECT_EQ(opened.widget("Source of").value, "baseline");
    opened.model.run.variant = find_variant("clahe", "scan");
    opened.driver.frames(opened.model, 2);
    EXPECT_EQ(opened.widget("Source of").value, "scan");
}

TEST(SourcePanel, SaysWhatDiffers) {
    Opened opened(SourceLook::joined);
    EXPECT_NE(opened.widget("source summary").value.find("Compared with A 3, "), std::string::npos);
    opened.driver.click(opened.model, "Shown as:Side by side");
    opened.driver.frames(opened.model, 2);
    EXPECT_EQ(opened.driver.interface().settings().source_look, SourceLook::side_by_side);
    EXPECT_NE(opened.widget("source summary").value.find(" | A 4, "), std::string::npos);
}

TEST(SourcePanel, AnotherLookStaysAtTheLine) {
    Opened opened(SourceLook::joined, 1280, 720);
    const auto shows = [&](std::string_view name) {
        return std::ranges::any_of(drawn_texts(opened.driver, opened.model), [&](const DrawnText& text) {
            return text.text.find(name) != std::string::npos && text.area.bottom() > text.clip.y &&
                   text.area.y < text.clip.bottom();
        });
    };
    constexpr std::string_view kernel = "clahe_table_padded_scan_kernel";
    opened.driver.run_command(opened.model, "Next difference");
    opened.driver.run_command(opened.model, "Next difference");
    opened.driver.frames(opened.model, 3);
    ASSERT_TRUE(shows(kernel));
    for (const char* look : {"Shown as:Side by side", "Shown as:Source", "Shown as:Joined"}) {
        opened.driver.click(opened.model, look);
        opened.driver.frames(opened.model, 3);
        EXPECT_TRUE(shows(kernel)) << look;
    }
}

TEST(SourcePanel, FindsSelectsAndCopies) {
    Opened opened(SourceLook::plain);
    Driver& driver = opened.driver;
    driver.tap_with_control(opened.model, ImGuiKey_F);
    driver.type("rounded_quotient");
    driver.frames(opened.model, 3);
    EXPECT_EQ(opened.widget("source text").value, "rounded_quotient");
    EXPECT_EQ(opened.widget("source found").value.substr(0, 5), "1 of ");
    driver.tap(opened.model, ImGuiKey_Enter);
    driver.frames(opened.model, 2);
    EXPECT_EQ(opened.widget("source found").value.substr(0, 5), "2 of ");
    driver.run_command(opened.model, "Copy what is selected in the source");
    EXPECT_EQ(clipboard(), "rounded_quotient");
    EXPECT_EQ(driver.last<CopyResult>(), nullptr);
}

TEST(SourcePanel, KeysSelectAndCopyWhereItHasTheKeyboard) {
    Opened opened(SourceLook::plain);
    Driver& driver = opened.driver;
    driver.tap_with_control(opened.model, key_of('C'));
    EXPECT_NE(driver.last<CopyResult>(), nullptr) << "the keyboard is on the view";
    driver.actions().clear();
    driver.click(opened.model, "source text");
    driver.tap_with_control(opened.model, key_of('A'));
    driver.tap_with_control(opened.model, key_of('C'));
    EXPECT_EQ(driver.last<CopyResult>(), nullptr);
    std::string all;
    for (const SourcePart* part : find_source(padded_scan())->parts) all += part->text;
    EXPECT_TRUE(clipboard() == all) << clipboard().substr(0, 80);
    // From the beginning: right, and with Shift.
    driver.hold_control(true);
    driver.tap(opened.model, ImGuiKey_Home);
    driver.hold_control(false);
    driver.tap(opened.model, ImGuiKey_DownArrow);
    driver.tap(opened.model, ImGuiKey_Home);
    driver.hold_shift(true);
    for (int k = 0; k < 8; ++k) driver.tap(opened.model, ImGuiKey_RightArrow);
    driver.hold_shift(false);
    driver.frames(opened.model, 2);
    EXPECT_EQ(opened.widget("source text").value, all.substr(0, 8));
}

TEST(SourcePanel, TheMouseSelects) {
    Opened opened(SourceLook::plain);
    Driver& driver = opened.driver;
    const Widget& text = opened.widget("source text");
    const float x = text.x, y = text.y, width = text.width, height = text.height;
    driver.move_to(x + width * 0.2F, y + height * 0.2F);
    driver.frame(opened.model);
    driver.press(0, true);
    driver.frame(opened.model);
    driver.move_to(x + width * 0.4F, y + height * 0.5F);
    driver.frames(opened.model, 2);
    driver.press(0, false);
    driver.frames(opened.model, 2);
    const std::string selected = opened.widget("source text").value;
    ASSERT_FALSE(selected.empty());
    std::string all;
    for (const SourcePart* part : find_source(padded_scan())->parts) all += part->text;
    EXPECT_NE(all.find(selected), std::string::npos) << selected;
    driver.click(opened.model, "source text");
    EXPECT_EQ(opened.widget("source text").value, "");
}

TEST(SourcePanel, StagesMarkEachOther) {
    Opened opened(SourceLook::plain);
    Driver& driver = opened.driver;
    EXPECT_EQ(driver.find("source marked"), nullptr);
    driver.move_to("timing:blend", 0.3F, 0.5F);
    driver.frames(opened.model, 4);
    ASSERT_NE(driver.find("source marked"), nullptr);
    EXPECT_TRUE(std::ranges::any_of(driver.interface().widgets(), [](const Widget& widget) {
        return widget.label == "source marked" && widget.value == "clahe_blend_report_kernel";
    }));
    const Widget head = opened.widget("kernel head:clahe_blend_report_kernel");
    driver.move_to(head.x + head.width / 2, head.y + head.height + 3 * 18);
    driver.frames(opened.model, 4);
    EXPECT_EQ(driver.find("source marked"), nullptr);
    EXPECT_EQ(opened.widget("timing marked").value, "blend");
}

TEST(SourcePanel, TabAndF6ReachIt) {
    Opened opened(SourceLook::plain);
    Driver& driver = opened.driver;
    std::vector<std::string> areas;
    for (int k = 0; k < 6; ++k) {
        driver.tap(opened.model, ImGuiKey_F6);
        driver.frames(opened.model, 2);
        areas.push_back(opened.widget("focus area").value);
    }
    EXPECT_EQ(areas, (std::vector<std::string>{"left", "middle", "source", "right", "status", "view"}));
}

}  // namespace
}  // namespace tonescope::ui
