#include "gpu/present/copy_presenter.h"

#include <glad/gl.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "gpu/present/textures.h"

namespace tonescope {
namespace {

/// Larger pictures are shown at half size or less. The image that is computed and saved keeps its size.
constexpr size_t kMaxPictureBytes = size_t{512} << 20;

/// The first picture of a role, when it is first drawn, costs the driver as much time as a frame's copies (9 ms for 96
/// MB): it gets a frame of its own.
constexpr size_t kLargePicture_bytes = size_t{16} << 20;

const HostImage& level_of(const Pyramid& pyramid, int level) {
    return level == 0 ? *pyramid.image : pyramid.levels[size_t(level) - 1];
}

}  // namespace

CopyPresenter::CopyPresenter(std::string reason, int max_tile_px)
    : reason_(std::move(reason)),
      max_tile_px_(max_tile_px > 0 ? max_tile_px : int(std::bit_floor(unsigned(max_texture_size_px())))) {
    glGenBuffers(1, &buffer_);
}

CopyPresenter::~CopyPresenter() {
    for (PictureRole role : kPictureRoles) CopyPresenter::clear(role);
    glDeleteBuffers(1, &buffer_);
}

void CopyPresenter::clear(PictureRole role) {
    PictureState& state = pictures_[size_t(role)];
    drop_upload(state);
    delete_textures(state.front.tiles);
    delete_textures(state.spare);
    state.front = {};
}

/// Its textures are kept for the upload that follows.
void CopyPresenter::drop_upload(PictureState& state) {
    state.next.reset();
    if (!state.upload) return;
    delete_textures(state.spare);
    state.spare = std::move(state.upload->back.tiles);
    state.spare_spec = state.upload->back.spec;
    state.spare_base_level = state.upload->base_level;
    state.upload.reset();
}

void CopyPresenter::show(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial) {
    PictureState& state = pictures_[size_t(role)];
    // Under a moving slider pictures may come faster than they can be copied: none would ever be complete.
    if (state.upload && state.upload->has_begun() && state.upload->back.spec == image->image->spec()) {
        state.next = Next{std::move(image), serial};
        return;
    }
    drop_upload(state);
    begin(state, std::move(image), serial);
}

void CopyPresenter::begin(PictureState& state, std::shared_ptr<const Pyramid> image, uint64_t serial) const {
    state.upload = std::make_unique<Upload>();
    Upload& upload = *state.upload;
    upload.back.spec = image->image->spec();
    upload.back.serial = serial;
    upload.image = std::move(image);
    const int levels = 1 + int(upload.image->levels.size());
    while (upload.base_level + 1 < levels && level_of(*upload.image, upload.base_level).size_bytes() > kMaxPictureBytes)
        ++upload.base_level;
    while (!allocate(state, upload) && upload.base_level + 1 < levels) ++upload.base_level;
}

bool CopyPresenter::allocate(PictureState& state, Upload& upload) const {
    const ImageSpec& full = upload.back.spec;
    if (state.spare_spec == full && state.spare_base_level == upload.base_level && !state.spare.empty()) {
        upload.back.tiles = std::exchange(state.spare, {});
        return true;
    }
    delete_textures(state.spare);
    const ImageSpec& stored = level_of(*upload.image, upload.base_level).spec();
    const int scale = 1 << upload.base_level;
    for (const Rect& part : split_into_tiles(stored, max_tile_px_)) {
        const unsigned texture =
            create_texture(full.format, part.width, part.height, level_count(part.width, part.height));
        if (texture == 0) {
            delete_textures(upload.back.tiles);
            return false;
        }
        Rect rect{part.x * scale, part.y * scale, part.width * scale, part.height * scale};
        if (part.x + part.width == stored.width) rect.width = full.width - rect.x;
        if (part.y + part.height == stored.height) rect.height = full.height - rect.y;
        upload.back.tiles.push_back({texture, rect});
    }
    return true;
}

bool CopyPresenter::step(size_t budget_bytes) {
    bool more = false;
    rests_ = false;
    for (PictureRole role : kPictureRoles) {
        PictureState& state = pictures_[size_t(role)];
        while (state.upload && budget_bytes > 0 && !rests_) {
            const bool opens = state.front.empty() && state.upload->image->image->size_bytes() >= kLargePicture_bytes;
            if (state.upload->is_complete()) {
                finish(role);
                rests_ = opens;
            } else {
                budget_bytes -= std::min(budget_bytes, copy_rows(*state.upload, budget_bytes));
                rests_ = opens && state.upload->is_complete();
            }
        }
        more |= state.upload != nullptr;
    }
    return more;
}

size_t CopyPresenter::copy_rows(Upload& upload, size_t budget_bytes) {
    const Tile& tile = upload.back.tiles[upload.tile];
    const HostImage& source = level_of(*upload.image, upload.base_level + upload.level);
    const int shift = upload.base_level + upload.level;
    const int x = tile.rect.x >> shift, y = tile.rect.y >> shift;
    // A tile's own chain halves its width; the image's chain may have one more column, which the tile leaves out.
    const int base_width =
        std::min(max_tile_px_, level_of(*upload.image, upload.base_level).width() - (tile.rect.x >> upload.base_level));
    const int base_height = std::min(
        max_tile_px_, level_of(*upload.image, upload.base_level).height() - (tile.rect.y >> upload.base_level));
    const int width = std::max(base_width >> upload.level, 1), height = std::max(base_height >> upload.level, 1);
    const size_t pixel_bytes = size_t(bytes_per_pixel(upload.back.spec.format));
    const size_t row_bytes = size_t(width) * pixel_bytes;
    const int rows = std::clamp(int(std::min<size_t>(budget_bytes / row_bytes, 1 << 20)), 1, height - upload.row);
    const size_t bytes = size_t(rows) * row_bytes;

    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, GLsizeiptr(bytes), nullptr, GL_STREAM_DRAW);
    if (void* mapped = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, GLsizeiptr(bytes),
                                        GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT)) {
        for (int r = 0; r < rows; ++r) {
            const uint8_t* from = source.data() +
                                  size_t(std::min(y + upload.row + r, source.height() - 1)) * source.pitch_bytes() +
                                  size_t(std::min(x, source.width() - width)) * pixel_bytes;
            std::memcpy(static_cast<uint8_t*>(mapped) + size_t(r) * row_bytes, from, row_bytes);
        }
        glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
        glBindTexture(GL_TEXTURE_2D, tile.texture);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexSubImage2D(GL_TEXTURE_2D, upload.level, 0, upload.row, width, rows, pixel_bytes == 1 ? GL_RED : GL_RGBA,
                        GL_UNSIGNED_BYTE, nullptr);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);

    upload.row += rows;
    if (upload.row == height) {
        upload.row = 0;
        const int available = 1 + int(upload.image->levels.size()) - upload.base_level;
        if (++upload.level == std::min(level_count(base_width, base_height), available)) {
            upload.level = 0;
            ++upload.tile;
        }
    }
    return bytes;
}

void CopyPresenter::finish(PictureRole role) {
    PictureState& state = pictures_[size_t(role)];
    delete_textures(state.spare);
    if (role != PictureRole::after && role != PictureRole::preview) {  // seldom replaced
        delete_textures(state.front.tiles);
    } else {
        state.spare = std::move(state.front.tiles);
        state.spare_spec = state.front.spec;
        state.spare_base_level = state.front_base_level;
    }
    state.front = std::move(state.upload->back);
    state.front_base_level = state.upload->base_level;
    state.upload.reset();
    if (!state.next) return;
    Next next = std::move(*state.next);
    state.next.reset();
    begin(state, std::move(next.image), next.serial);
}

std::unique_ptr<Presenter> make_copy_presenter(std::string reason) {
    return std::make_unique<CopyPresenter>(std::move(reason));
}

}  // namespace tonescope
