#include "ui/widgets/keyboard.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

constexpr int kPageRows = 8;
/// Letters that follow each other within this time are one word.
constexpr double kWord_s = 1;

bool begins_with(std::string_view text, std::string_view letters) {
    return text.size() >= letters.size() &&
           std::equal(letters.begin(), letters.end(), text.begin(), [](char letter, char c) {
               return letter == static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
           });
}

int pressed_way(ImGuiKey back, ImGuiKey forth) {
    return (key_pressed(forth, true) ? 1 : 0) - (key_pressed(back, true) ? 1 : 0);
}

/// Moves the current region so that a control shows.
void scroll_to(ImVec2 min, ImVec2 max) {
    if (ImGui::GetScrollMaxY() <= 0) return;
    constexpr float kMargin_px = 6;
    const float window = ImGui::GetWindowPos().y;
    const float top = min.y - window - kMargin_px;
    const float bottom = max.y - window + kMargin_px;
    if (top < 0)
        ImGui::SetScrollFromPosY(top, 0);
    else if (bottom > ImGui::GetWindowHeight())
        ImGui::SetScrollFromPosY(bottom, 1);
}

}  // namespace

std::string_view name_of(WindowArea area) {
    constexpr std::string_view names[kWindowAreas] = {"view", "left", "middle", "source", "right", "status"};
    return names[static_cast<size_t>(area)];
}

// The frame ----------------------------------------------------------------------------------------------------------

void Keyboard::begin_frame(bool has_view, double time_s) {
    const bool appeared = has_view && !has_view_;
    has_view_ = has_view;
    if (appeared && area_ == WindowArea::middle) go_home();
    if (!has_view && area_ == WindowArea::view) area_ = home();
    time_s_ = time_s;
    used_ = 0;
    moved_ = letter_typed_ = false;
    region_ = nullptr;
    min_ = max_ = {};
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        visible_ = false;
        if (layers_.size() == 1) layers_[0].item = 0;
    }
    if (time_s_ - letters_since_s_ > kWord_s) letters_.clear();
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || io.KeyAlt || io.KeySuper || is_on_view()) return;
    if (key_pressed(ImGuiKey_Tab, true)) {
        letters_.clear();
        step(io.KeyShift ? -1 : 1);
    }
    const Stop* at = current();
    if (io.WantTextInput || (at != nullptr && at->takes == TakesKeys::typing)) return;
    handle_letters(at);
    handle_arrows(at);
    handle_use(current());
}

void Keyboard::end_frame() {
    const auto closed = std::ranges::find(layers_.begin() + 1, layers_.end(), false, &Layer::seen);
    layers_.erase(closed, layers_.end());
    for (Layer& layer : layers_) {
        layer.seen = false;
        settle(layer);
    }
    if (layers_.size() == 1 && layers_[0].item != 0) last_items_[static_cast<size_t>(area_)] = layers_[0].item;
    depth_ = 0;
}

/// Takes over the controls that were drawn. One that has gone hands the keyboard to its neighbor.
void Keyboard::settle(Layer& layer) {
    layer.stops = std::exchange(layer.collected, {});
    std::ranges::stable_sort(layer.stops, {}, &Stop::area);
    std::vector<Stop>& stops = layer.stops;
    const bool is_root = &layer == &layers_[0];
    if (const auto found = std::ranges::find(stops, layer.item, &Stop::id); found != stops.end()) {
        layer.place = static_cast<size_t>(found - stops.begin());
        if (is_root) area_ = found->area;
    } else if (layer.item != 0) {
        if (is_root && std::ranges::none_of(stops, [this](const Stop& stop) { return stop.area == area_; })) {
            go_home();
        } else {
            // In a dialog that asks something else now, that is what its Enter does.
            const size_t place = std::min(layer.place, stops.empty() ? 0 : stops.size() - 1);
            layer.item = layer.standard != 0                                        ? layer.standard
                         : stops.empty() || (is_root && stops[place].area != area_) ? 0
                                                                                    : stops[place].id;
        }
    }
    if (is_root || !layer.is_new || stops.empty()) return;
    layer.is_new = false;
    if (layer.item != 0) return;
    const auto chosen = std::ranges::find(stops, true, &Stop::chosen);
    layer.item = layer.standard != 0 ? layer.standard : chosen != stops.end() ? chosen->id : stops.front().id;
    moved_ = true;
}

void Keyboard::enter_area(WindowArea area) {
    drawn_area_ = area;
    const bool pressed =
        ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
        ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (pressed && layers_.size() == 1) area_ = leaves_keyboard() ? home() : area;
}

void Keyboard::enter_layer(ImGuiID id) {
    ++depth_;
    if (layers_.size() > depth_ && layers_[depth_].id != id)
        layers_.erase(layers_.begin() + static_cast<std::ptrdiff_t>(depth_), layers_.end());
    if (layers_.size() == depth_) layers_.push_back({id});
    layer().seen = true;
    layer().standard = 0;
}

void Keyboard::leave_layer() {
    --depth_;
}

void Keyboard::begin_group(ImGuiID id, bool vertical) {
    groups_.push_back({id, vertical});
}

void Keyboard::end_group() {
    groups_.pop_back();
}

bool Keyboard::add(Control control) {
    if (disabled_ > 0) return false;
    if (control.is_drawn && ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left) && !leaves_keyboard())
        layer().item = control.id;
    layer().collected.push_back({control.id, groups_.back().id, drawn_area_, control.takes, groups_.back().vertical,
                                 control.chosen, std::move(control.text), control.min, control.max});
    if (!is_on(control.id)) return used_ != 0 && used_ == control.id && in_top_layer();
    if (moved_) {
        scroll_to(control.min, control.max);
        region_ = ImGui::GetWindowDrawList();
    }
    if (visible_) {
        min_ = control.min;
        max_ = control.max;
        clip_min_ = ImGui::GetWindowDrawList()->GetClipRectMin();
        clip_max_ = ImGui::GetWindowDrawList()->GetClipRectMax();
    }
    return used_ == control.id;
}

void Keyboard::follow(const ImDrawList* inner) {
    if (region_ != inner || max_.x <= min_.x) return;
    scroll_to(min_, max_);
    region_ = ImGui::GetWindowDrawList();
}

std::vector<std::pair<ImVec2, ImVec2>> Keyboard::places() const {
    std::vector<std::pair<ImVec2, ImVec2>> places;
    for (const Stop& stop : layers_.back().stops) places.emplace_back(stop.min, stop.max);
    return places;
}

bool Keyboard::types_beginning(std::string_view text) const {
    return letter_typed_ && begins_with(text, letters_);
}

void Keyboard::set_default(ImGuiID id) {
    if (depth_ > 0) layer().standard = id;
}

void Keyboard::draw_ring(ImU32 color, float thickness, float rounding) const {
    if (max_.x <= min_.x) return;
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.PushClipRect(clip_min_, clip_max_);
    list.AddRect(min_, max_, color, rounding, 0, thickness);
    list.PopClipRect();
}

// Keys ---------------------------------------------------------------------------------------------------------------

const Keyboard::Stop* Keyboard::current() const {
    const Layer& top = layers_.back();
    const auto found = std::ranges::find(top.stops, top.item, &Stop::id);
    return found != top.stops.end() ? &*found : nullptr;
}

bool Keyboard::is_on_slider() const {
    const Stop* at = current();
    return at != nullptr && at->takes == TakesKeys::across;
}

bool Keyboard::is_on_text() const {
    const Stop* at = current();
    return at != nullptr && at->takes == TakesKeys::typing;
}

void Keyboard::move_to(const Stop& stop) {
    layers_.back().item = stop.id;
    if (layers_.size() == 1) area_ = stop.area;
    visible_ = moved_ = true;
}

/// To the next control in reading order, round and round, where a group counts as one.
void Keyboard::step(int by) {
    visible_ = true;
    const Layer& top = layers_.back();
    std::vector<const Stop*> round;
    for (const Stop& stop : top.stops) {
        const auto same = std::ranges::find_if(
            round, [&](const Stop* other) { return stop.group != 0 && other->group == stop.group; });
        if (same == round.end())
            round.push_back(&stop);
        else if (stop.id == top.item || (stop.chosen && (*same)->id != top.item))
            *same = &stop;
    }
    if (round.empty()) return;
    const auto count = static_cast<int>(round.size());
    const auto found = std::ranges::find(round, top.item, &Stop::id);
    auto at = static_cast<int>(found - round.begin());
    if (found == round.end()) {  // from the beginning of the area
        const auto first =
            std::ranges::find_if(round, [this](const Stop* stop) { return !is_on_view() && stop->area >= area_; });
        at = static_cast<int>(first - round.begin()) - (by > 0 ? 1 : 0);
    }
    move_to(*round[static_cast<size_t>((at + by + count) % count)]);
}

/// False at the group's end.
bool Keyboard::step_in_group(const Stop& at, int by) {
    std::vector<const Stop*> group;
    for (const Stop& stop : layers_.back().stops)
        if (stop.group == at.group) group.push_back(&stop);
    const auto here = static_cast<int>(std::ranges::find(group, &at) - group.begin());
    const int to = std::clamp(here + by, 0, static_cast<int>(group.size()) - 1);
    move_to(*group[static_cast<size_t>(to)]);
    return to != here;
}

void Keyboard::handle_arrows(const Stop* at) {
    const int across = pressed_way(ImGuiKey_LeftArrow, ImGuiKey_RightArrow);
    const int down = pressed_way(ImGuiKey_UpArrow, ImGuiKey_DownArrow);
    const int page = pressed_way(ImGuiKey_PageUp, ImGuiKey_PageDown);
    const int end = pressed_way(ImGuiKey_Home, ImGuiKey_End);
    if (across == 0 && down == 0 && page == 0 && end == 0) return;
    letters_.clear();
    if (at == nullptr) return step(across + down + page + end < 0 ? -1 : 1);
    visible_ = true;
    if (at->takes == TakesKeys::list || (at->takes == TakesKeys::across && down == 0)) return;
    if (at->group != 0) {
        constexpr int kAll = 1 << 20;
        const int along = (at->vertical ? down : across) + end * kAll + (at->vertical ? page * kPageRows : 0);
        if (along != 0 && (step_in_group(*at, along) || layers_.size() > 1)) return;
    }
    if (across + down != 0) step(across + down);
}

void Keyboard::handle_use(const Stop* at) {
    const bool enter = enter_pressed();
    if (!enter && (!key_pressed(ImGuiKey_Space) || !letters_.empty())) return;
    if (at != nullptr && at->takes == TakesKeys::list) return;
    if (layers_.size() == 1 && !std::exchange(visible_, true)) return;  // now one sees what the next press uses
    visible_ = true;
    if (at != nullptr)
        used_ = at->id;
    else if (enter)
        used_ = layers_.back().standard;
}

void Keyboard::handle_letters(const Stop* at) {
    if (at == nullptr || at->takes == TakesKeys::across || (layers_.size() == 1 && !visible_)) return;
    for (const ImWchar character : ImGui::GetIO().InputQueueCharacters) {
        if (character > '~' || character < (letters_.empty() ? '!' : ' ')) continue;
        letters_ += static_cast<char>(std::tolower(static_cast<int>(character)));
        letters_since_s_ = time_s_;
        letter_typed_ = true;
    }
    if (letters_.empty()) return;
    if (letter_typed_ && at->takes == TakesKeys::opens) {
        used_ = at->id;
        return;
    }
    // Once more after the list that the letters opened is there
    if (at->group == 0 || (!letter_typed_ && layers_.size() == 1)) return;
    for (const Stop& stop : layers_.back().stops)
        if (stop.group == at->group && begins_with(stop.text, letters_)) return move_to(stop);
}

// Moving it ----------------------------------------------------------------------------------------------------------

void Keyboard::go_to(ImGuiID id) {
    layer().item = id;
}

void Keyboard::go_home() {
    area_ = home();
    layers_[0].item = 0;
}

void Keyboard::next_area(int by) {
    const std::vector<Stop>& stops = layers_[0].stops;
    auto at = static_cast<int>(area_);
    for (size_t k = 0; k < kWindowAreas; ++k) {
        at = (at + by + static_cast<int>(kWindowAreas)) % static_cast<int>(kWindowAreas);
        const auto area = static_cast<WindowArea>(at);
        const auto first = std::ranges::find(stops, area, &Stop::area);
        if (area == WindowArea::view ? !has_view_ : first == stops.end()) continue;
        visible_ = moved_ = true;
        area_ = area;
        layers_[0].item = 0;
        if (area == WindowArea::view) return;
        const auto last = std::ranges::find_if(stops, [&](const Stop& stop) {
            return stop.area == area && stop.id == last_items_[static_cast<size_t>(area)];
        });
        if (last != stops.end()) return move_to(*last);
        const auto chosen = std::ranges::find_if(
            stops, [&](const Stop& stop) { return stop.group != 0 && stop.group == first->group && stop.chosen; });
        return move_to(chosen != stops.end() ? *chosen : *first);
    }
}

}  // namespace tonescope::ui
