// Opens image files, chooses the one that is shown, reads it again when it changes on disk.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/system/file_watch.h"
#include "app/viewer/files/folder_steps.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/open_images.h"
#include "app/viewer/files/recent_files.h"
#include "app/viewer/files/thumbnails.h"
#include "ui/model/files.h"

namespace tonescope {

/// Used from the UI thread alone; only open_now() waits.
class Images {
  public:
    /// What others do about it.
    struct Events {
        /// These pixels are the current image's from now on; null: there is none.
        std::function<void(std::shared_ptr<const HostImage>)> show;
        /// Preset files were among those to open.
        std::function<void(const std::vector<std::string>& paths)> found_presets;
    };
    /// `wake` may be called from any thread.
    Images(Tasks& tasks, Notices& notices, RecentFiles& recent, Events events, std::function<void()> wake);
    /// Nothing more is read, and files that were pasted go: nobody looks for them later.
    ~Images();
    Images(const Images&) = delete;
    Images& operator=(const Images&) = delete;

    /// Looks for files and folders first: on a worker, or at once, before there is anything to show.
    void open(const std::vector<std::string>& paths);
    void open_now(const std::vector<std::string>& paths);
    /// The clipboard's image.
    void paste();
    /// The image that was on screen stays there until the new one is decoded.
    void select(int index);
    void close(int index);
    /// Next and previous image of the list, or where only one is open, of its folder.
    void step(int by);
    void reload();
    /// Gives up reading the current image. False: it is not being read.
    bool cancel_loading();
    /// Between frames: reads the current image again when its file has changed.
    void update();

    const OpenImages& list() const { return images_; }
    const OpenImage* current() const { return images_.current(); }
    bool take_freed() { return images_.take_freed(); }
    /// Files that could not be opened so far, a line each.
    const std::vector<std::string>& failures() const { return failures_; }
    /// Into the same model each time: its entries are made anew only when there is something new in them.
    void fill(ui::ImagesModel& model, const Thumbnails& thumbnails);
    void fill(ui::DetailsModel& model) const;

  private:
    struct Found {
        std::vector<std::string> images, presets, problems;
    };
    static Found find_files(const std::vector<std::string>& paths);
    void open_found(const Found& found, uint64_t order);
    void load(OpenImage& image);
    void loaded(uint64_t id, const Outcome<std::shared_ptr<LoadedImage>>& outcome);
    void show(const OpenImage& image);
    void go_back(bool failed);

    Tasks& tasks_;
    Notices& notices_;
    RecentFiles& recent_;
    Events events_;
    OpenImages images_;
    FolderSteps steps_;
    FileWatch watch_;
    uint64_t next_order_ = 0, shown_order_ = 0;  // in which the user has asked for images
    uint64_t shown_id_ = 0;                      // of the image that is on screen
    std::vector<std::string> failures_, pasted_;
    uint64_t filled_revision_ = 0;
};

}  // namespace tonescope
