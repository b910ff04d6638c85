// From an image to OpenGL textures. Needs a current OpenGL 3.3 context; all calls come from its thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope {

class ResultTextures;  // gpu/cuda/session/result_textures.h

/// Pictures that are on screen at the same time, in the order in which they are brought there. `preview` is drawn over
/// part of `after`; `basis` may take the place of `before`; the cells, of which the first is named, hold results of
/// several parameter values.
enum class PictureRole : uint8_t { preview, after, basis, before, cell };
inline constexpr size_t kMaxCells = 144;
inline constexpr size_t kPictureRoles = size_t(PictureRole::cell) + kMaxCells;
/// `k`: below kMaxCells.
constexpr PictureRole cell_role(size_t k) {
    return PictureRole(size_t(PictureRole::cell) + k);
}

struct Tile {
    unsigned texture = 0;  // OpenGL name; as create_texture() makes it
    Rect rect;             // the part of the image it holds, pixels
};

/// An image as one texture, or as several where a side passes GL_MAX_TEXTURE_SIZE or the CPU draws.
struct Picture {
    ImageSpec spec;
    uint64_t serial = 0;  // what show() was given
    std::vector<Tile> tiles;
    bool empty() const { return tiles.empty(); }
};

/// An image with its successive halvings (box filter), made on a worker so that showing it costs the UI thread copies
/// only.
struct Pyramid {
    ImageSpec spec = {};                          // of the image
    std::shared_ptr<const HostImage> image = {};  // level 0; null where first > 0
    std::vector<HostImage> halvings = {};         // halving k is level k + 1 of the mipmap; down to 1x1
    int first = 0;                                // the least level that is there
    int levels() const { return 1 + int(halvings.size()); }
    const HostImage& level(int k) const { return k == 0 ? *image : halvings[size_t(k) - 1]; }
};
/// Levels that together would take more than `max_bytes` are left out, the largest first; one is always there.
std::shared_ptr<const Pyramid> make_pyramid(std::shared_ptr<const HostImage> image, int threads,
                                            size_t max_bytes = SIZE_MAX);

/// Copies host images through a pixel buffer object, a few megabytes a frame.
class Presenter {
  public:
    /// `reason`: why interop is not used. `max_tile_px`: 0 takes OpenGL's limit, or 1,024 where the CPU draws; tests
    /// take a smaller power of two.
    explicit Presenter(std::string reason, int max_tile_px = 0);
    virtual ~Presenter();
    Presenter(const Presenter&) = delete;
    Presenter& operator=(const Presenter&) = delete;

    /// "interop" or "copy".
    virtual std::string id() const { return "copy"; }
    /// Why it is not interop; empty where it is.
    const std::string& reason() const { return reason_; }
    /// CUDA's index of the GPU that draws; -1: unknown.
    virtual int device() const { return -1; }
    /// Where a CUDA session may write its results; null where it may not.
    virtual ResultTextures* result_textures() { return nullptr; }
    /// Gives back what is CUDA's. Pictures stay.
    virtual void let_go() {}
    /// As let_go() where the device does not answer: without a call of CUDA, so that nothing is given back.
    virtual void leave_behind() {}
    /// Starts to bring a host image on screen. The old picture stays until the new one is complete. A picture of
    /// the same size that is being copied comes before it; any other that is not complete is dropped.
    virtual void show(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial);
    /// Copies at most about `budget_bytes`, once a frame or, until it rests(), more often. True while there is more to
    /// do.
    virtual bool step(size_t budget_bytes);
    /// What OpenGL has refused since the last call, in one line; empty: nothing. Those that retry() begins are
    /// not told again.
    std::string take_problem() { return std::exchange(problem_, {}); }
    /// Whether OpenGL refuses a picture. The one before it stays.
    bool lacks_picture() const;
    /// Starts anew what OpenGL refused.
    void retry();
    /// Whether the last step() leaves what remains to the next frame.
    bool rests() const { return rests_; }
    /// What to draw now; stays valid until the next call of show(), step() or a session's poll().
    virtual const Picture& picture(PictureRole role) const { return pictures_[size_t(role)].front.picture; }
    /// Makes minified drawing of the picture smooth (mipmaps) where they are stale. Called when it is drawn
    /// below 1:1.
    virtual void prepare_minified(PictureRole) {}  // show() brings the mipmaps along
    virtual void clear(PictureRole role);
    /// How many cells share what the cells' pictures may take, for those that are shown from now on.
    void share_among(size_t cells) { cells_ = cells; }

  protected:
    int max_tile_px() const { return max_tile_px_; }

  private:
    struct Textures {
        Picture picture;
        int base_level = 0;  // pyramid level held as the textures' level 0
    };
    struct Upload {
        std::shared_ptr<const Pyramid> image;
        Textures back;
        size_t tile = 0;
        int level = 0, row = 0;
        bool is_refused = false;
        bool has_begun() const { return tile > 0 || level > 0 || row > 0; }
        bool is_complete() const { return tile == back.picture.tiles.size(); }
    };
    /// What comes after the upload.
    struct Next {
        std::shared_ptr<const Pyramid> image;
        uint64_t serial = 0;
    };
    struct PictureState {
        Textures front;
        Textures spare;  // of the picture before, to be filled again
        std::optional<Upload> upload;
        std::optional<Next> next;
    };

    void discard(std::vector<Tile>& tiles);
    void drop_upload(PictureState& state);
    void begin(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial);
    bool allocate(PictureState& state, Upload& upload);
    void lower(PictureState& state, Upload& upload);
    size_t copy_rows(PictureState& state, size_t budget_bytes);
    void refuse(Upload& upload);
    void finish(PictureRole role);

    std::string reason_;
    int max_tile_px_;
    unsigned buffer_ = 0;
    bool rests_ = false, is_told_ = false;
    std::string problem_;
    size_t cells_ = 1;
    std::array<PictureState, kPictureRoles> pictures_;
    std::vector<Tile> discarded_;
};

/// A presenter whose textures CUDA writes. Null where OpenGL and CUDA are not on the same device; *reason then says
/// why. Also null in builds without CUDA.
std::unique_ptr<Presenter> make_interop_presenter(int device, std::string* reason, int max_tile_px = 0);

/// Waits until the CUDA device has done something small, beside what is under way on it: for ever where it does not
/// answer. On a thread of its own. Throws DeviceError. `device`: -1: the first one.
void await_device(int device);

}  // namespace tonescope
