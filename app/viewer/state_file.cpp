#include "app/viewer/state_file.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/system/folder.h"
#include "app/system/folder_lock.h"
#include "app/viewer/files/recent_files.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr auto kQuietBeforeSave = std::chrono::milliseconds(1200);

/// Whether a text that is no state is what is left of one, which may have been cut off anywhere.
bool was_state(const std::string& text) {
    constexpr std::string_view kBegin = R"({"version":)";
    std::string begin;
    for (const char c : text) {
        if (begin.size() == kBegin.size()) break;
        if (c != ' ' && c != '\n') begin += c;
    }
    return kBegin.starts_with(begin);
}

/// Beside the file, where nothing stands yet. Throws UserError.
std::string set_aside(const std::string& path) {
    const std::string file = image_io::final_path(path);
    std::string aside = file + ".damaged";
    std::error_code error;
    for (int n = 2; fs::symlink_status(aside, error).type() != fs::file_type::not_found; ++n) {
        if (error) throw UserError("it cannot be set aside: " + error.message());
        aside = file + ".damaged-" + std::to_string(n);
    }
    fs::rename(file, aside, error);
    if (error) throw UserError("it cannot be set aside: " + error.message());
    return aside;
}

void apply_changes(Json& to, const Json& before, const Json& now) {
    for (const auto& [key, value] : now.items()) {
        const auto old = before.find(key);
        if (old != before.end() && *old == value) continue;
        const bool is_whole = key == "choice" || key == "window";
        if (!is_whole && value.is_object() && old != before.end() && to[key].is_object())
            apply_changes(to[key], *old, value);
        else
            to[key] = value;
    }
    for (const auto& [key, value] : before.items())
        if (!now.contains(key)) to.erase(key);
}

/// Of lists whose entries move to the front when they are used.
std::vector<std::string> merge_lists(const std::vector<std::string>& before, const std::vector<std::string>& now,
                                     const std::vector<std::string>& theirs, size_t most) {
    const auto has = [](const auto& list, const std::string& entry) {
        return std::ranges::find(list, entry) != list.end();
    };
    // Behind what was used since, the others have kept their order.
    auto used_end = now.end();
    for (auto from = before.end(); used_end != now.begin(); --used_end) {
        while (from != before.begin() && *(from - 1) != *(used_end - 1)) --from;
        if (from == before.begin()) break;
        --from;
    }
    std::vector<std::string> merged(now.begin(), used_end);
    for (const std::string& entry : theirs) {
        const bool was_removed = has(before, entry) && !has(now, entry);
        if (!was_removed && !has(merged, entry)) merged.push_back(entry);
    }
    if (merged.size() > most) merged.resize(most);
    return merged;
}

}  // namespace

std::string saved_state_path(bool is_screenshot) {
    if (const char* file = std::getenv("TONESCOPE_STATE")) return std::string_view(file) == "none" ? "" : file;
    const std::string folder = user_folder("XDG_STATE_HOME", "/.local/state");
    return is_screenshot || folder.empty() ? "" : folder + "/state.json";
}

StateOnDisk read_saved_state(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (path.empty() || status.type() == fs::file_type::not_found) return {};
    if (fs::is_regular_file(status) && fs::file_size(path, error) == 0 && !error) return {};
    const auto leave_alone = [](const std::string& why) {
        return StateOnDisk{.problem = "The window's state is neither read nor kept: " + why, .may_write = false};
    };
    try {
        const std::string text = read_text_file(path);
        const Json json = parse_json(text);
        try {
            if (json.is_object()) return {.state = state_from_json(json)};
        } catch (const UserError& newer) {
            return leave_alone(path + ": " + newer.what());
        } catch (const Json::exception&) {
        }
        const std::string why = path + ": is not JSON as this program writes it";
        if (!was_state(text) && !json.contains("version")) return leave_alone(why);
        return {.problem = "The saved window state was not used (" + why + "); it is now " + set_aside(path)};
    } catch (const UserError& wrong) {
        return leave_alone(wrong.what());
    }
}

SavedState merge_states(const SavedState& before, const SavedState& now, const SavedState& theirs) {
    Json json = state_json(theirs);
    apply_changes(json, state_json(before), state_json(now));
    SavedState merged = state_from_json(json);
    merged.recent = merge_lists(before.recent, now.recent, theirs.recent, RecentFiles::kMaxFiles);
    merged.recent_folders =
        merge_lists(before.recent_folders, now.recent_folders, theirs.recent_folders, RecentFiles::kMaxFolders);
    return merged;
}

StateWriter::StateWriter(std::string path, SavedState known, std::function<void()> wake)
    : path_(std::move(path)),
      known_(std::move(known)),
      wake_(std::move(wake)),
      thread_([this](std::stop_token quit) { work(quit); }) {}

void StateWriter::put(SavedState state) {
    {
        const std::lock_guard lock(mutex_);
        waiting_ = std::move(state);
    }
    changed_.notify_one();
}

std::string StateWriter::take_problem() {
    const std::lock_guard lock(mutex_);
    return std::exchange(problem_, {});
}

/// Returns what is to be said of it.
std::string StateWriter::write(const SavedState& state) {
    try {
        make_folder_of(path_);
        const FolderLock lock(path_);
        const StateOnDisk found = read_saved_state(path_);
        if (!found.may_write) return found.problem;
        write_json_file(path_, state_json(found.state ? merge_states(known_, state, *found.state) : state));
        known_ = state;
        return found.problem;
    } catch (const std::exception& error) {
        return std::string("The window's state is not kept: ") + error.what();
    }
}

void StateWriter::work(std::stop_token quit) {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, quit, [&] { return waiting_.has_value(); });
        if (!waiting_) return;
        // The first change starts the clock: a state that keeps changing is written all the same.
        changed_.wait_for(lock, quit, kQuietBeforeSave, [] { return false; });
        const SavedState state = *std::exchange(waiting_, std::nullopt);
        lock.unlock();
        const std::string problem = write(state);
        lock.lock();
        if (problem.empty() || std::exchange(failed_, true)) continue;
        problem_ = problem;
        wake_();
    }
}

}  // namespace tonescope
