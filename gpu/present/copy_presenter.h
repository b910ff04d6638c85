// The presenter that copies host images through a pixel buffer object, a few megabytes a frame.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/present/presenter.h"

namespace tonescope {

class CopyPresenter : public Presenter {
  public:
    /// `max_tile_px`: 0 takes OpenGL's limit; tests take a smaller power of two.
    explicit CopyPresenter(std::string reason, int max_tile_px = 0);
    ~CopyPresenter() override;

    std::string id() const override { return "copy"; }
    std::string reason() const override { return reason_; }
    void show(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial) override;
    bool step(size_t budget_bytes) override;
    bool rests() const override { return rests_; }
    const Picture& picture(PictureRole role) const override { return pictures_[size_t(role)].front; }
    void prepare_minified(PictureRole) override {}  // show() brings the mipmaps along
    void clear(PictureRole role) override;

  protected:
    int max_tile_px() const { return max_tile_px_; }

  private:
    struct Upload {
        std::shared_ptr<const Pyramid> image;
        Picture back;
        int base_level = 0;  // pyramid level shown as the texture's level 0
        size_t tile = 0;
        int level = 0, row = 0;
        bool has_begun() const { return tile > 0 || level > 0 || row > 0; }
        bool is_complete() const { return tile == back.tiles.size(); }
    };
    /// What comes after the upload.
    struct Next {
        std::shared_ptr<const Pyramid> image;
        uint64_t serial = 0;
    };
    struct PictureState {
        Picture front;
        std::vector<Tile> spare;  // textures of the picture before, to be filled again
        ImageSpec spare_spec;
        int spare_base_level = 0, front_base_level = 0;
        std::unique_ptr<Upload> upload;
        std::optional<Next> next;
    };

    static void drop_upload(PictureState& state);
    void begin(PictureState& state, std::shared_ptr<const Pyramid> image, uint64_t serial) const;
    bool allocate(PictureState& state, Upload& upload) const;
    size_t copy_rows(Upload& upload, size_t budget_bytes);
    void finish(PictureRole role);

    std::string reason_;
    int max_tile_px_;
    unsigned buffer_ = 0;
    bool rests_ = false;
    std::array<PictureState, kPictureRoles.size()> pictures_;
};

}  // namespace tonescope
