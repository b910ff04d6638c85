#include "tests/ui/scenes/driver.h"

#include <map>

namespace tonescope::ui {

/// The fonts of a scale, whose glyphs take longer to draw than many frames: every Driver of this process uses the same.
/// Null where Dear ImGui draws glyphs as they are needed, into the context's own atlas.
static ImFontAtlas* shared_atlas(float scale) {
    if (ImGuiBackendFlags_RendererHasTextures != 0) return nullptr;
    static std::map<float, ImFontAtlas> atlases;
    return &atlases[scale];
}

Driver::Driver(int width, int height, float scale) {
    scale = interface_.scale(scale, width, height);
    ImGui::CreateContext(shared_atlas(scale));
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DeltaTime = 1.0F / 60;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;  // as OpenGL's
    interface_.apply_style(scale);
    move_to(-1, -1);
}

Driver::~Driver() {
    ImGui::DestroyContext();
}

void Driver::frame(const Model& model) {
    ImGui::NewFrame();
    for (Action& action : interface_.draw(model)) actions_.push_back(std::move(action));
    ImGui::Render();
}

void Driver::frames(const Model& model, int count) {
    for (int k = 0; k < count; ++k) frame(model);
}

const Widget* Driver::find(std::string_view label) const {
    for (const Widget& widget : interface_.widgets())
        if (widget.label == label) return &widget;
    return nullptr;
}

void Driver::move_to(float x, float y) {
    ImGui::GetIO().AddMousePosEvent(x, y);
}

bool Driver::move_to(std::string_view label, float fraction_x, float fraction_y) {
    const Widget* widget = find(label);
    if (widget == nullptr) return false;
    move_to(widget->x + widget->width * fraction_x, widget->y + widget->height * fraction_y);
    return true;
}

void Driver::press(int button, bool down) {
    ImGui::GetIO().AddMouseButtonEvent(button, down);
}

void Driver::wheel(float steps) {
    ImGui::GetIO().AddMouseWheelEvent(0, steps);
}

void Driver::hold(ImGuiKey key, bool down) {
    ImGui::GetIO().AddKeyEvent(key, down);
}

void Driver::hold_control(bool down) {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, down);
}

void Driver::hold_shift(bool down) {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, down);
}

void Driver::hold_alt(bool down) {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Alt, down);
}

void Driver::type(std::string_view ascii) {
    for (const char c : ascii) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
}

bool Driver::click(const Model& model, std::string_view label, int button) {
    if (!move_to(label)) return false;
    frame(model);
    press(button, true);
    frame(model);
    press(button, false);
    frames(model, 2);
    return true;
}

bool Driver::double_click(const Model& model, std::string_view label) {
    if (!move_to(label)) return false;
    frame(model);
    for (int k = 0; k < 2; ++k) {
        press(0, true);
        frame(model);
        press(0, false);
        frame(model);
    }
    frame(model);
    return true;
}

void Driver::tap(const Model& model, ImGuiKey key) {
    hold(key, true);
    frame(model);
    hold(key, false);
    frame(model);
}

void Driver::tap_with_control(const Model& model, ImGuiKey key) {
    frames(model, 2);
    hold_control(true);
    tap(model, key);
    hold_control(false);
    frames(model, 3);
}

void Driver::open_palette(const Model& model, std::string_view typed) {
    hold_shift(true);
    tap_with_control(model, ImGuiKey_P);
    hold_shift(false);
    type(typed);
    frames(model, 3);
}

void Driver::run_command(const Model& model, std::string_view typed) {
    open_palette(model, typed);
    tap(model, ImGuiKey_Enter);
    frames(model, 3);
}

ImGuiKey key_of(char letter_or_digit) {
    const bool digit = letter_or_digit >= '0' && letter_or_digit <= '9';
    return static_cast<ImGuiKey>(static_cast<int>(digit ? ImGuiKey_0 : ImGuiKey_A) + letter_or_digit -
                                 (digit ? '0' : 'A'));
}

}  // namespace tonescope::ui
