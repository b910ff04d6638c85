// The panels: columns beside the views, the bar below them, and what stands in their place or over them. A panel with a
// state of its own is a class.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ui/model/model.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

// Left column, from top to bottom ------------------------------------------------------------------------------------
/// The open images.
class ImageList {
  public:
    void draw(Frame& ui, const ImagesModel& images);

  private:
    int current_ = -1;                 // as of the last frame
    std::vector<std::string> wanted_;  // what the last WantThumbnails said
};

/// Which page of the file is shown, where it has several.
void draw_pages(Frame& ui, const ImagesModel& images);
/// Operator, variant, backend and memory.
void draw_filter(Frame& ui, const RunModel& run, bool comparing);
/// Returns the parameter that the user has changed in this frame. `image`: what the operator runs on.
std::optional<ParamPlace> draw_parameters(Frame& ui, const RunModel& run, const ImageSpec& image);
/// A widget for one of them. Returns it where the user has changed it in this frame.
std::optional<ParamPlace> draw_parameter(Frame& ui, const RunModel& run, const ParamPlace& param,
                                         const ImageSpec& image, float width);
/// What the variant is about.
void draw_variant(Frame& ui, const RunModel& run);

// Right column, from top to bottom -----------------------------------------------------------------------------------
/// "Explain": what the explained pixel becomes, the histogram with its curves, the figures.
class ExplanationPanel {
  public:
    void draw(Frame& ui, const ViewsModel& views);
    /// Beside or below the views, where the column is not shown.
    void draw_card(Frame& ui, const ViewsModel& views, const Area& area);

  private:
    void draw_section(Frame& ui, const ViewsModel& views);

    size_t plot_ = 0;  // which of the histograms is shown
};

/// The histograms and their statistics.
class HistogramPanel {
  public:
    /// Says in `view` what is to be counted: the selection, the visible part, or else what is filtered. `left_out`: the
    /// sample that the operator does not count, where there is one.
    void draw(Frame& ui, const HistogramModel& model, const ViewsModel& views, View& view, Selection& selection,
              const Rect& filtered, std::optional<int32_t> left_out);
    /// What stripes are of (ClippingView::channels): all, or the one channel that is shown alone.
    int marked_channels(const HistogramAppearance& chosen, const HistogramModel& model) const;
    /// The axis shows the samples around the windows, or all.
    void toggle_zoom(const ViewsModel& views);

  private:
    /// The part of the axis that is shown, in samples.
    struct Zoomed {
        int max_sample;
        double begin, end;
    };
    /// What statistics are of: luma, or the one channel that is shown alone.
    Curve measured_curve(const HistogramAppearance& chosen, const HistogramModel& model) const;
    void zoom_to_windows(const ViewsModel& views);

    std::array<bool, kCurves> shown_ = {true, true, true, true};
    std::optional<Zoomed> zoomed_;  // empty: all of the axis
    uint64_t image_ = 0;            // the id of that shown last
    bool zooms_ = true;             // into the next deep one
    size_t read_bin_ = 0;           // by keys
};

/// What of the image is filtered: a region with a feathered edge, and a mask.
class PartPanel {
  public:
    /// `image`: the whole of it.
    void draw(Frame& ui, const RunModel& run, const ImageSpec& image);

    Area mask_place;  // an image that is dropped there is the mask; as of the last frame, empty: not shown
};

/// How many pixels are clipped, by which thresholds, and the stripes over them. Says in `view` that they are to be
/// counted.
void draw_clipped_pixels(Frame& ui, const HistogramModel& model, const ViewsModel& views, View& view,
                         ClippingMarks& marks);

/// Figures of before and after, of what the histograms are of. Says in `view` that they are to be measured.
void draw_figures(Frame& ui, const ViewsModel& views, View& view, const Selection& selection);

/// Ranges of samples that a window can be set to; those of the histogram are of what it counts.
enum class RangeChoice : uint8_t { full, automatic, used };
/// Which samples are shown from black to white.
void draw_windows(Frame& ui, const HistogramModel& model, const ViewsModel& views);
/// Sets both windows; linked ones take the counts of before. The full range is the way back: nothing is inverse then.
void choose_range(Frame& ui, const ViewsModel& views, const HistogramModel& model, RangeChoice choice);
void toggle_inverse(Frame& ui, const ViewsModel& views);
void link_windows(Frame& ui, const ViewsModel& views, bool linked);
/// While the mouse drags a side's window.
void drag_range(Frame& ui, const ViewsModel& views, bool is_after, const SampleRange& range);

/// What each stage cost.
class TimingsPanel {
  public:
    void draw(Frame& ui, const Timings& now);
    /// What is shown stands still, or goes on. The measuring goes on.
    void pause(const Timings& now);
    /// Opens the details of the next stage; after the last one closes them.
    void open_next_stage(const Timings& now);
    /// What panel and copies show of the times.
    const Timings& shown(const Timings& now) const { return paused_ ? frozen_ : now; }

  private:
    bool paused_ = false;
    Timings frozen_;          // what is shown while paused
    std::string open_stage_;  // whose details are open; empty: none
};

/// What a frame's time goes to, for everyone who works on it.
void draw_frame_times(Frame& ui, const std::vector<FrameRow>& rows);
/// What each kernel of the last run takes of a multiprocessor.
void draw_kernels(Frame& ui, const std::vector<KernelResources>& kernels);
/// What is known about the image and its file.
void draw_details(Frame& ui, const DetailsModel& details);

/// Decimals that suit the largest number of a column, so that its points stand under each other.
int decimals_for(double largest_ms);
/// "21 %": of the measured bandwidth; empty where either is not known.
std::string share_text(double gb_s, double copy_gb_s);
/// What was measured, and aligned tables of the stages and of the frame, as text.
std::string timings_text(const Timings& timings);

// In place of an image -----------------------------------------------------------------------------------------------
/// Without an image: open, drop, recent files, samples. `asked`: the thumbnails have been asked for since the page is
/// shown.
void draw_start_page(Frame& ui, const StartPageModel& model, const std::string& opened_formats, const Area& area,
                     bool& asked);

/// In place of an image that cannot be shown, or not yet.
void draw_empty_state(Frame& ui, const ImagesModel& images, const WorkModel& work, const Area& area);

// Below and over the views -------------------------------------------------------------------------------------------
/// The pixel under the mouse, zoom, image, backend.
class StatusBar {
  public:
    /// `hovered`: the pixel of the image under the mouse. `pointed`: the pane that the mouse is on, where that shows
    /// neither before nor after.
    void draw(Frame& ui, const Model& model, const View& view, const std::optional<Pixel>& hovered,
              const std::optional<PointedPane>& pointed, const Area& area);
    /// The list of zooms over the figure.
    void open_zoom_menu() { zoom_menu_requested_ = true; }

  private:
    void draw_zoom_menu(Frame& ui, const View& view, const Area& figure);
    /// Where the figure begins, which a click opens the list on, at the right end of the bar.
    float draw_zoom(Frame& ui, const View& view, const Area& bar, float left);

    bool zoom_menu_requested_ = false, zoom_menu_open_ = false;
};

/// Below the views of a presentation: operator, variant, parameters and time, large, and the slider of one parameter.
class PresentationStrip {
  public:
    /// That it needs at this width, pixels.
    float height(const Frame& ui, const RunModel& run, float width) const;
    /// Returns the parameter that the user has changed in this frame.
    std::optional<ParamPlace> draw(Frame& ui, const RunModel& run, const ViewsModel& views, const Area& area);
    /// Brings up the slider of the next parameter, first that of the one changed last; after the last one, none.
    void show_next(const RunModel& run);
    void param_changed(const ParamPlace& param) { last_changed_ = param; }

  private:
    /// Nothing where it is of another operator, or does not matter now.
    std::optional<ParamPlace> shown_slider(const RunModel& run) const;

    std::optional<ParamPlace> slider_, last_changed_;
};

/// Messages: errors and warnings stay until they are dismissed, others for a few seconds.
class Notices {
  public:
    /// `keeps_top_free`: the messages stand at the bottom of the views.
    void draw(Frame& ui, const std::vector<Notice>& notices, const Area& views, bool keeps_top_free);

  private:
    /// Returns the height of the notice, the one at `place` from above.
    float draw_one(Frame& ui, const Notice& notice, int place, ImVec2 at, float width, float alpha);

    std::map<uint64_t, double> first_seen_s_;
    uint64_t copied_ = 0;  // the last one whose text was taken; 0: none
};

/// Parameters by name.
class PresetsPanel {
  public:
    /// Below the parameters: a click takes a preset, and while the mouse or the keyboard rests on one, the result shows
    /// it.
    void draw_list(Frame& ui, const PresetsModel& model, const RunModel& run);
    /// At the end of a frame: begins or ends what draw_list() has found.
    void update_preview(Frame& ui);
    void open();
    /// Returns the name of the preset that the user wants to export; empty: none.
    std::string draw(Frame& ui, const PresetsModel& model, const RunModel& run);

  private:
    /// True when the dialog is done: the preset was loaded, or is to be exported, as `to_export` then says.
    bool draw_row(Frame& ui, const PresetEntry& preset, bool is_set, std::string& to_export);
    /// Names the preset that keeps what is set now.
    void draw_save_row(Frame& ui, const PresetsModel& presets);

    bool requested_ = false;
    std::string name_;                         // of the one to be saved
    std::string to_delete_;                    // waits for a second click
    const PresetEntry* pointed_at_ = nullptr;  // in this frame
    std::string rests_on_;                     // name of the one before this frame, and since when
    double since_s_ = 0;
    PreviewPreset previewed_;  // what the application was asked for
};

/// Many files through the operator as it is set. The dialog also asks what has to be asked about them.
class BatchPanel {
  public:
    void open(Frame& ui, const Model& model);
    bool is_shown() const { return shown_; }
    /// True where the dialog gives way to the choice of a folder; come_back() then tells that folder.
    bool draw(Frame& ui, const Model& model);
    /// `folder` is empty where none was chosen.
    void come_back(const std::string& folder);

  private:
    struct Choice {
        const char* text;
        std::function<void()> act;
        ButtonStyle style = ButtonStyle::normal;
        bool enabled = true;
    };
    void draw_setup(Frame& ui, const Model& model);
    void draw_images(Frame& ui, const Model& model, const Area& row);
    void draw_results(Frame& ui, const Model& model, const Area& row);
    void draw_masks(Frame& ui, const Area& row);
    void start(Frame& ui, const Model& model);
    std::vector<Choice> choices(Frame& ui, const Model& model);

    bool requested_ = false, shown_ = false, browses_ = false;
    bool entered_ = false;                    // in one of its fields, in this frame
    std::string suggested_, suggested_mask_;  // what was suggested last
    BatchSetup setup_;
};

/// How the window looks: theme, scale, presentation. Opens where that is requested.
void draw_settings(Frame& ui, bool& requested);
/// By one step of the scales on offer.
void step_scale(Frame& ui, int by);

}  // namespace tonescope::ui
