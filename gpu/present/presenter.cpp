#include "gpu/present/presenter.h"

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
/// So many cells may take as much each; more share that among them.
constexpr size_t kWholeCells = 4;

/// The first picture of a role, when it is first drawn, costs the driver as much time as a frame's copies (9 ms for 96
/// MB): it gets a frame of its own.
constexpr size_t kLargePicture_bytes = size_t{16} << 20;

/// The side of a tile where the CPU draws: OpenGL clears a texture when it is made, which takes 80 ms for 24 MPixel.
constexpr int kTileOnCpu_px = 1024;

int usual_tile_px() {
    const int largest = int(std::bit_floor(unsigned(max_texture_size_px())));
    return cpu_draws() ? std::min(largest, kTileOnCpu_px) : largest;
}

}  // namespace

Presenter::Presenter(std::string reason, int max_tile_px)
    : reason_(std::move(reason)), max_tile_px_(max_tile_px > 0 ? max_tile_px : usual_tile_px()) {}

Presenter::~Presenter() {
    for (size_t role = 0; role < kPictureRoles; ++role) Presenter::clear(PictureRole(role));
    delete_textures(discarded_);
    glDeleteBuffers(1, &buffer_);
}

void Presenter::clear(PictureRole role) {
    PictureState& state = pictures_[size_t(role)];
    drop_upload(state);
    discard(state.front.picture.tiles);
    discard(state.spare.picture.tiles);
    state.front = {};
}

/// A texture each step: the driver takes its time to free one.
void Presenter::discard(std::vector<Tile>& tiles) {
    if (tiles.size() == 1) return delete_textures(tiles);
    discarded_.insert(discarded_.end(), tiles.begin(), tiles.end());
    tiles.clear();
}

/// Its textures are kept for the upload that follows.
void Presenter::drop_upload(PictureState& state) {
    state.next.reset();
    if (!state.upload) return;
    discard(state.spare.picture.tiles);
    state.spare = std::move(state.upload->back);
    state.upload.reset();
}

void Presenter::show(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial) {
    is_told_ = false;
    PictureState& state = pictures_[size_t(role)];
    // Under a moving slider pictures may come faster than they can be copied: none would ever be complete.
    if (state.upload && state.upload->has_begun() && state.upload->back.picture.spec == image->spec) {
        state.next = Next{std::move(image), serial};
        return;
    }
    drop_upload(state);
    begin(role, std::move(image), serial);
}

void Presenter::begin(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial) {
    PictureState& state = pictures_[size_t(role)];
    const bool is_cell = role >= PictureRole::cell;
    const size_t max_bytes =
        is_cell ? kMaxPictureBytes * kWholeCells / std::max(cells_, kWholeCells) : kMaxPictureBytes;
    Upload& upload = *(state.upload = Upload{});
    upload.image = std::move(image);
    upload.back.picture.spec = upload.image->spec;
    upload.back.picture.serial = serial;
    int& level = upload.back.base_level;
    level = upload.image->first;
    while (level < upload.image->levels() - 1 && upload.image->level(level).size_bytes() > max_bytes) ++level;
    if (!allocate(state, upload)) lower(state, upload);
}

/// Starts anew at the next lower resolution that there is memory for.
void Presenter::lower(PictureState& state, Upload& upload) {
    int& level = upload.back.base_level;
    do {
        if (++level == upload.image->levels()) return refuse(upload);
        discard(upload.back.picture.tiles);
        upload.tile = 0;
    } while (!allocate(state, upload));
    problem_ = "the graphics driver lacks memory: the picture is shown at a lower resolution";
}

void Presenter::refuse(Upload& upload) {
    discard(upload.back.picture.tiles);
    upload.is_refused = true;
    if (!std::exchange(is_told_, true))
        problem_ = "the graphics driver lacks memory or refuses the picture: the one before it stays until it is shown";
}

bool Presenter::lacks_picture() const {
    return std::ranges::any_of(pictures_, [](const PictureState& s) { return s.upload && s.upload->is_refused; });
}

void Presenter::retry() {
    for (size_t role = 0; role < kPictureRoles; ++role) {
        const std::optional<Upload>& upload = pictures_[role].upload;
        if (upload && upload->is_refused) begin(PictureRole(role), upload->image, upload->back.picture.serial);
    }
}

/// The first tile's texture; the others are made when they are filled.
bool Presenter::allocate(PictureState& state, Upload& upload) {
    Picture& picture = upload.back.picture;
    Picture& spare = state.spare.picture;
    const int base_level = upload.back.base_level;
    if (spare.spec == picture.spec && state.spare.base_level == base_level && !spare.empty()) {
        picture.tiles = std::exchange(spare.tiles, {});
        return true;
    }
    discard(spare.tiles);
    const ImageSpec &full = picture.spec, &stored = upload.image->level(base_level).spec();
    for (const Rect& part : split_into_tiles(stored, max_tile_px_)) {
        Rect rect{part.x << base_level, part.y << base_level, part.width << base_level, part.height << base_level};
        if (part.x + part.width == stored.width) rect.width = full.width - rect.x;
        if (part.y + part.height == stored.height) rect.height = full.height - rect.y;
        picture.tiles.push_back({0, rect});
    }
    const Rect first{0, 0, std::min(stored.width, max_tile_px_), std::min(stored.height, max_tile_px_)};
    return (picture.tiles[0].texture = create_texture(full.format, first.width, first.height)) != 0;
}

bool Presenter::step(size_t budget_bytes) {
    rests_ = false;
    if (!discarded_.empty()) {
        glDeleteTextures(1, &discarded_.back().texture);
        discarded_.pop_back();
    }
    bool more = false;
    opengl_worked();  // what went wrong before is no matter of the copies
    for (size_t k = 0; k < kPictureRoles; ++k) {
        const auto role = PictureRole(k);
        PictureState& state = pictures_[size_t(role)];
        while (state.upload && !state.upload->is_refused && budget_bytes > 0 && !rests_) {
            const bool opens =
                state.front.picture.empty() && state.upload->image->spec.size_bytes() >= kLargePicture_bytes;
            if (state.upload->is_complete()) {
                finish(role);
                rests_ = opens;
            } else {
                budget_bytes -= std::min(budget_bytes, copy_rows(state, budget_bytes));
                rests_ = opens && state.upload->is_complete();
            }
        }
        more |= state.upload && !state.upload->is_refused;
    }
    return more || !discarded_.empty();
}

size_t Presenter::copy_rows(PictureState& state, size_t budget_bytes) {
    Upload& upload = *state.upload;
    Tile& tile = upload.back.picture.tiles[upload.tile];
    const int base_level = upload.back.base_level, shift = base_level + upload.level;
    const HostImage &base = upload.image->level(base_level), &source = upload.image->level(shift);
    const int x = tile.rect.x >> shift, y = tile.rect.y >> shift;
    // A tile's own chain halves its width; the image's chain may have one more column, which the tile leaves out.
    const int base_width = std::min(max_tile_px_, base.width() - (tile.rect.x >> base_level));
    const int base_height = std::min(max_tile_px_, base.height() - (tile.rect.y >> base_level));
    const int width = std::max(base_width >> upload.level, 1), height = std::max(base_height >> upload.level, 1);
    const PixelType type = pixel_type(source.spec().format);
    const size_t row_bytes = size_t(width) * size_t(bytes_per_pixel(source.spec().format));
    const int rows = std::clamp(int(std::min<size_t>(budget_bytes / row_bytes, 1 << 20)), 1, height - upload.row);
    const size_t bytes = size_t(rows) * row_bytes;
    if (tile.texture == 0) {
        tile.texture = create_texture(source.spec().format, base_width, base_height);
        if (tile.texture == 0) lower(state, upload);
        return bytes;  // which it has taken the time of
    }

    if (buffer_ == 0) glGenBuffers(1, &buffer_);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, GLsizeiptr(bytes), nullptr, GL_STREAM_DRAW);
    bool is_filled = false;
    if (void* mapped = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, GLsizeiptr(bytes),
                                        GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT)) {
        for (int r = 0; r < rows; ++r) {
            const uint8_t* from = source.view().pixel(std::min(x, source.width() - width),
                                                      std::min(y + upload.row + r, source.height() - 1));
            std::memcpy(static_cast<uint8_t*>(mapped) + size_t(r) * row_bytes, from, row_bytes);
        }
        is_filled = glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER) == GL_TRUE;
        glBindTexture(GL_TEXTURE_2D, tile.texture);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexSubImage2D(GL_TEXTURE_2D, upload.level, 0, upload.row, width, rows, type.order, type.sample, nullptr);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (!opengl_worked() || !is_filled) {
        refuse(upload);
        return bytes;
    }

    upload.row += rows;
    if (upload.row == height) {
        upload.row = 0;
        if (++upload.level == std::min(level_count(base_width, base_height), upload.image->levels() - base_level)) {
            upload.level = 0;
            ++upload.tile;
        }
    }
    return bytes;
}

void Presenter::finish(PictureRole role) {
    PictureState& state = pictures_[size_t(role)];
    discard(state.spare.picture.tiles);
    std::swap(state.front, state.spare);
    if (role != PictureRole::after && role != PictureRole::preview)
        discard(state.spare.picture.tiles);  // seldom replaced
    state.front = std::move(state.upload->back);
    state.upload.reset();
    if (!state.next) return;
    Next next = std::move(*state.next);
    state.next.reset();
    begin(role, std::move(next.image), next.serial);
}

}  // namespace tonescope
