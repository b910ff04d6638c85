// Text of another program, pasted into the window's fields. (Images on the clipboard become files: see image.cpp.)
#include <variant>

#include "fuzz/target.h"
#include "tests/ui/scenes/scene_model.h"
#include "tests/ui/scenes/scene_test.h"
#include "ui/widgets/text_end.h"

namespace tonescope::fuzz {
namespace {

void paste(std::span<const uint8_t> data) {
    static ui::Model model = ui::make_model(ui::no_upload, ui::draw_hills(24, 16, false));
    Take take(data);
    const int field = take.between(0, 3);
    const bool twice = take.byte() % 2 != 0;
    static std::string text;
    text.assign(take.rest().begin(), take.rest().end());
    model.saving.suggested_result_path = std::string("/home/ada/a") + text.c_str();

    ui::Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    if (field == 0) driver.open_palette(model);
    if (field == 1) driver.double_click(model, "Clip limit");
    if (field == 2) driver.tap_with_control(model, ImGuiKey_O);
    if (field == 3) driver.tap_with_control(model, ImGuiKey_S);
    // As TextClipboard hands it on.
    ui::end_safely(text);
    ImGui::GetPlatformIO().Platform_GetClipboardTextFn = [](auto*) -> const char* { return text.c_str(); };
    for (int i = 0; i < 1 + int{twice}; ++i) driver.tap_with_control(model, ui::key_of('V'));
    driver.tap(model, ImGuiKey_Enter);
    driver.frames(model, 2);
    for (const ui::Action& action : driver.actions())
        if (const auto* set = std::get_if<ui::SetParam>(&action))
            require(clamp_value(*set->info, set->value) == set->value, "a parameter is out of its range");
}

const Registration clipboard_targets([](std::vector<Target>& targets) {
    Target target{.name = "clipboard", .run = paste};
    target.dictionary = {"\n", "\t", "\xC3\xBC", "\xF0\x9F\x98\x80", "\xFF", "1e308", "nan", "%s", "~/", "../", ".jpg"};
    uint8_t field = 0;
    for (const std::string text : {"clahe", "2.5", "IMG_4100.png", "~/a/b.jpg"}) {
        target.seeds.push_back({field++, 0});
        target.seeds.back().insert(target.seeds.back().end(), text.begin(), text.end());
    }
    targets.push_back(std::move(target));
});

}  // namespace
}  // namespace tonescope::fuzz
