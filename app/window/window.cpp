#include "app/window/window.h"

#include <array>
#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/image_io/image_io.h"
#include "app/system/ending.h"
#include "app/system/memory_reserve.h"
#include "app/system/text_file.h"
#include "app/viewer/state_file.h"
#include "app/viewer/viewer.h"
#include "app/window/drawing.h"
#include "app/window/events.h"
#include "app/window/ui_state.h"
#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"
#include "gpu/present/textures.h"
#include "ui/ui.h"

namespace tonescope {
namespace {

using Clock = std::chrono::steady_clock;

/// Dear ImGui needs a few frames until what a change entails has settled.
constexpr int kFramesAfterChange = 3;
constexpr double kPollDevice_s = 0.002;
constexpr double kAnimationFrame_s = 1.0 / 30;
constexpr double kProgressFrame_s = 1.0 / 12;
constexpr auto kScreenshotPatience = std::chrono::minutes(10);

class Runner {
  public:
    Runner(const Options& options, const std::stop_token& ended)
        : options_(options),
          window_("Tonescope", options.width, options.height),
          viewer_(options, wake_window),
          ended_(ended),
          wakes_(ended, wake_window) {
        on_display_lost([this](const char* what) { end_without_display(what); });
        take_saved_state();
        if (options.mode == Options::Mode::screenshot) target_.emplace(options.width, options.height);
        apply_scale();
        if (!options.ui_state.empty()) state_file_.emplace(options.ui_state);
        viewer_.images().open_now(options.inputs, options.page_given ? std::optional(options.page) : std::nullopt);
    }

    ~Runner() { on_display_lost(nullptr); }
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    int run() {
        try {
            show_frames();
        } catch (const std::exception& error) {
            end_within(kEndPatience, 1, error_line(error.what()));
            throw;
        }
        const int status = target_ && !viewer_.images().failures().empty() ? 1 : 0;
        const ui::WorkModel& work = viewer_.model().work;
        end_within(kEndPatience - viewer_.saves().stood_still(), status,
                   error_line("ended without waiting for a disk, a GPU or a program that does not answer" +
                              (work.busy ? " (" + work.what + ")" : "")));
        keep_state();
        window_.hide();
        for (const std::string& loss : viewer_.unfinished()) print_error(loss);
        for (const std::string& failure : viewer_.images().failures()) print_error(failure);
        if (opengl_lost())
            print_error("the graphics driver has given up the window's context: start the program again");
        viewer_.saves().cancel();
        return opengl_lost() ? 1 : status;
    }

  private:
    void show_frames() {
        const Clock::time_point begin = Clock::now();
        int frames = 0;
        while (!viewer_.saves().leaves()) {
            wait();
            take_input();
            const bool finishes = target_ && (viewer_.idle() || options_.frames > 0);
            const bool due = frames_due_ > 0 || finishes || animation_due();
            if (due && frames_due_ > 0) --frames_due_;
            if (due) draw();
            viewer_.frame_times().end_turn(due);
            if (!due) continue;
            ++frames;
            if (!target_) continue;
            if (viewer_.idle() && frames_due_ == 0 && frames >= options_.frames) {
                save_image(options_.screenshot, read_pixels({0, 0, options_.width, options_.height}).view());
                break;
            }
            if (Clock::now() - begin > kScreenshotPatience)
                throw UserError("the result is not ready after 10 minutes: no screenshot");
        }
    }

    /// What was to be saved or done and is not, in whole lines.
    std::string losses() {
        std::string lines;
        for (const std::string& loss : viewer_.unfinished()) lines += error_line(loss);
        return lines;
    }

    /// What is being saved may finish; see on_display_lost().
    void end_without_display(const char* what) {
        Saves& saves = viewer_.saves();
        for (saves.quit(true); !saves.leaves(); std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
            end_within(kEndPatience, 1, losses());
            viewer_.go_on_saving();
        }
        end_within(kEndPatience - saves.stood_still(), 1, error_line(what) + losses());
        writer_.reset();
    }

    void take_saved_state() {
        const std::string path = saved_state_path(options_.mode == Options::Mode::screenshot);
        if (path.empty()) return;
        const StateOnDisk found = viewer_.read_state(path);
        if (!found.problem.empty()) viewer_.notices().warning(found.problem);
        saved_ = found.state.value_or(SavedState{});
        if (saved_.window && !options_.size_given && options_.mode == Options::Mode::window)
            window_.set_place(*saved_.window);
        interface_.set_settings(saved_.settings);
        viewer_.restore(saved_);
        if (found.may_write) writer_.emplace(path, saved_, wake_window);
    }

    /// Hands what has changed to the writer's thread.
    void keep_state() {
        if (!writer_) return;
        SavedState now;
        if (!target_) now.window = window_.place();
        now.settings = interface_.settings();
        viewer_.keep(now);
        if (now == saved_) return;
        saved_ = now;
        writer_->put(std::move(now));
    }

    /// Pixels; zeros: the window is minimized.
    std::array<int, 2> frame_size() const {
        return target_ ? std::array<int, 2>{options_.width, options_.height} : window_.framebuffer_size();
    }

    void apply_scale() {
        const auto [width, height] = frame_size();
        if (width == 0 || height == 0) return;
        const float scale = interface_.scale(window_.content_scale(), width, height);
        if (scale == scale_) return;
        scale_ = scale;
        is_on_screen_ = false;
        interface_.apply_style(scale);
    }

    bool animation_due() const {
        const std::chrono::duration<double> since_draw = Clock::now() - last_draw_;
        return (interface_.animating() && since_draw.count() >= kAnimationFrame_s) ||
               (!viewer_.settled() && since_draw.count() >= kProgressFrame_s);
    }

    /// Sleeps until there is something to do: an idle window uses no processor.
    void wait() {
        double timeout_s = viewer_.next_check_s();
        if (!viewer_.settled()) {
            const bool polls = viewer_.pipeline().backend() == BackendKind::cuda;
            timeout_s = std::min(timeout_s, polls ? kPollDevice_s : kProgressFrame_s);
        }
        // Every frame of a screenshot counts.
        if (interface_.animating() || target_) timeout_s = std::min(timeout_s, kAnimationFrame_s);
        if (viewer_.saves().quits()) timeout_s = kPollDevice_s;
        if (frames_due_ > 0 || viewer_.pipeline().presenting()) timeout_s = 0;
        wait_events(timeout_s);
    }

    void take_input() {
        const FrameTimes::Scope part(viewer_.frame_times(), FramePart::input);
        if (window_.take_input()) frames_due_ = kFramesAfterChange;
        if (const GlfwWindow::Drop dropped = window_.take_dropped(); !dropped.paths.empty())
            viewer_.take_dropped(dropped.paths, interface_.drop_place_at(float(dropped.x), float(dropped.y)));
        if (writer_)
            if (const std::string problem = writer_->take_problem(); !problem.empty())
                viewer_.notices().warning(problem);
        if (reserve_.take_needed())
            viewer_.notices().warning("Memory is short: save your results and close what you can");
        if (viewer_.update(interface_.view())) expect_change();
        if (const std::optional<Viewer::SessionLook> look = viewer_.take_session_look()) {
            ui::Settings settings = interface_.settings();
            static_cast<ui::Layout&>(settings) = look->layout;
            interface_.set_settings(settings);
            interface_.restore_view(look->view, look->image);
        }
        if (window_.take_close()) viewer_.quit();
        if (ended_.stop_requested()) {
            viewer_.saves().quit(true);
            end_within(kEndPatience, 1, losses());  // this turn is over by then
        }
        apply_scale();
    }

    void draw() {
        last_draw_ = Clock::now();
        FrameTimes& times = viewer_.frame_times();
        std::optional<FrameTimes::Scope> part(std::in_place, times, FramePart::panels);
        const ui::Model& model = viewer_.model();
        window_.set_title(model.images.shown() == nullptr ? "Tonescope"
                                                          : ui::title_of(*model.images.shown()) + " \u2013 Tonescope");
        const auto [width, height] = frame_size();
        if (width == 0 || height == 0) return;
        window_.begin_frame(target_ ? width : 0, target_ ? height : 0);
        const std::vector<ui::Action> actions = interface_.draw(model);
        part.emplace(times, FramePart::draw);
        if (const std::optional<double> ms = draw_timer_.take_ms()) times.add_gpu_draw(*ms);
        const bool differs = window_.end_frame(interface_.background_fills());
        if (!std::exchange(is_on_screen_, true) || differs || target_ || model.views.picturing) {
            draw_timer_.begin();
            if (interface_.view().minified) viewer_.pipeline().prepare_minified();
            if (target_) target_->bind();
            window_.render(width, height, interface_.background_fills());
            draw_timer_.end();
            // Dialogs take some frames to go.
            if (model.views.picturing && frames_due_ == 0) viewer_.saves().take_view(read_views(height));
            part.emplace(times, FramePart::wait);
            if (!target_) window_.present();
        }
        look_at_opengl();
        part.reset();
        if (state_file_ && !state_file_->write(model, interface_.view(), interface_.widgets(), width, height,
                                               window_.input_seen(), times, frames_due_ == 0 && actions.empty()))
            frames_due_ = kFramesAfterChange;
        part.emplace(times, FramePart::input);
        for (const ui::Action& action : actions) {
            if (std::holds_alternative<ui::ToggleFullScreen>(action) && !window_.toggle_full_screen())
                viewer_.notices().warning("The display tells of no screen to fill");
            if (const auto* const save = std::get_if<ui::SaveSession>(&action))
                viewer_.save_session(save->path, interface_.settings(), interface_.kept_view());
            viewer_.perform(action);
        }
        keep_state();
        if (!actions.empty()) expect_change();
    }

    /// Pictures may have changed, too.
    void expect_change() {
        frames_due_ = kFramesAfterChange;
        is_on_screen_ = false;
    }

    /// What the views show, from the frame just drawn; null where it cannot be read.
    std::shared_ptr<const HostImage> read_views(int window_height) {
        const Rect area = interface_.panes_area();
        try {
            return std::make_shared<const HostImage>(
                read_pixels({area.x, window_height - area.y - area.height, area.width, area.height}));
        } catch (const UserError& error) {
            viewer_.notices().error(error.what());
            return nullptr;
        }
    }

    /// Without its context the window cannot go on: what is being saved may finish.
    void look_at_opengl() {
        if (!opengl_worked() && !opengl_lost() && !std::exchange(is_error_told_, true))
            viewer_.notices().warning("The graphics driver has reported an error: what is on screen may be wrong");
        if (opengl_lost()) viewer_.saves().quit(true);
    }

    const Options& options_;
    MemoryReserve reserve_;
    GlfwWindow window_;
    std::optional<OffscreenTarget> target_;
    DrawTimer draw_timer_;
    ui::Interface interface_;
    Viewer viewer_;
    std::optional<UiStateFile> state_file_;
    SavedState saved_;
    std::optional<StateWriter> writer_;
    float scale_ = 0;
    int frames_due_ = kFramesAfterChange;
    bool is_on_screen_ = false;  // what pictures and fonts look like now
    bool is_error_told_ = false;
    Clock::time_point last_draw_{};
    std::stop_token ended_;  // by a signal
    std::stop_callback<void (*)()> wakes_;
};

}  // namespace

int run_window(const Options& options) {
#ifdef __GLIBC__
    // Threads would have heaps of their own, whose ends malloc_trim (return_free_memory in viewer.cpp) does not give
    // back.
    mallopt(M_ARENA_MAX, 1);
    // Images and textures go straight back. While malloc_trim looks for the pages of such a block among others, whoever
    // allocates waits: the UI thread did for up to 0.7 s.
    mallopt(M_MMAP_THRESHOLD, 2 << 20);
#endif
    give_back_aside();
    InterruptGuard interrupt;
    const int status = Runner(options, interrupt.token()).run();
    interrupt.finish();
    return status;
}

}  // namespace tonescope
