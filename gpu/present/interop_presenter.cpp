// The presenter whose textures CUDA writes. Host images take the copying presenter's way.
#include <glad/gl.h>
// after glad: it stands in for the system's OpenGL header
#include <cuda_gl_interop.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/session/result_textures.h"
#include "gpu/present/presenter.h"
#include "gpu/present/textures.h"

namespace tonescope {
namespace {

/// A picture's textures, registered with CUDA: allocated and registered once for a size, then mapped and unmapped again
/// and again.
class InteropTextures {
  public:
    InteropTextures() = default;
    ~InteropTextures() { release(); }
    InteropTextures(const InteropTextures&) = delete;
    InteropTextures& operator=(const InteropTextures&) = delete;

    /// Throws DeviceError when CUDA cannot register them; false when OpenGL has no memory.
    bool allocate(const ImageSpec& spec, int max_tile_px);
    bool is_allocated(const ImageSpec& spec) const { return cuda_ && picture.spec == spec; }
    /// Gives back what is CUDA's; the picture stays.
    void let_go() noexcept;
    /// Forgets what is CUDA's, without a call of it; the picture stays unless CUDA has it.
    void leave_behind() noexcept;
    void release() noexcept;
    std::span<const ResultTextures::Mapped> map(cudaStream_t stream);
    void unmap(cudaStream_t stream);
    void generate_mipmaps();

    Picture picture;  // empty until allocate()

  private:
    bool has_ended() const noexcept;
    void make_surfaces();
    void destroy_surfaces() noexcept;

    std::vector<cudaGraphicsResource_t> resources_;
    std::vector<ResultTextures::Mapped> mapped_;
    struct CudaSide {
        DeviceUse use;
        Event last_use;  // behind what was queued between the last map() and unmap()
    };
    std::unique_ptr<CudaSide> cuda_;
    bool is_mapped_ = false;
    bool mipmaps_stale_ = true;
};

bool InteropTextures::allocate(const ImageSpec& spec, int max_tile_px) {
    if (is_allocated(spec)) return true;
    release();
    cuda_ = std::make_unique<CudaSide>();
    picture.spec = spec;
    for (const Rect& rect : split_into_tiles(spec, max_tile_px)) {
        const unsigned texture = create_texture(spec.format, rect.width, rect.height);
        if (texture == 0) {
            release();
            return false;
        }
        picture.tiles.push_back({texture, rect});
        cudaGraphicsResource_t resource = nullptr;
        // Not WriteDiscard, which promises that CUDA does not read: the panels' counts read the surface.
        const cudaError_t status =
            cudaGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, cudaGraphicsRegisterFlagsSurfaceLoadStore);
        if (status != cudaSuccess) release();
        TONESCOPE_CUDA(status);
        resources_.push_back(resource);
    }
    mapped_.resize(resources_.size());
    for (size_t i = 0; i < mapped_.size(); ++i) mapped_[i] = {nullptr, 0, picture.tiles[i].rect};
    return true;
}

/// Waits for what writes the textures, which takes milliseconds. False where the device does not answer.
bool InteropTextures::has_ended() const noexcept {
    constexpr std::chrono::seconds kPatience(2);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    cudaError_t status = cudaSuccess;
    while ((status = cudaEventQuery(cuda_->last_use)) == cudaErrorNotReady) {
        cudaGetLastError();
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (status != cudaSuccess) {
        cudaGetLastError();
        TONESCOPE_CUDA_LOG(cudaDeviceSynchronize());
    }
    return true;
}

void InteropTextures::let_go() noexcept {
    if (!cuda_) return;
    // cudaGraphicsUnregisterResource does not promise to wait for kernels that write the texture.
    if (!has_ended()) return leave_behind();
    if (is_mapped_) TONESCOPE_CUDA_LOG(cudaGraphicsUnmapResources(int(resources_.size()), resources_.data(), nullptr));
    is_mapped_ = false;
    destroy_surfaces();
    mapped_.clear();
    for (cudaGraphicsResource_t resource : resources_) TONESCOPE_CUDA_LOG(cudaGraphicsUnregisterResource(resource));
    resources_.clear();
    cuda_.reset();
}

void InteropTextures::leave_behind() noexcept {
    if (!cuda_) return;
    (void)cuda_.release();
    if (std::exchange(is_mapped_, false)) picture = {};
    mapped_.clear();
    resources_.clear();
}

void InteropTextures::release() noexcept {
    let_go();
    delete_textures(picture.tiles);
    picture = {};
}

std::span<const ResultTextures::Mapped> InteropTextures::map(cudaStream_t stream) {
    if (is_mapped_) return mapped_;
    // Those of the map before: the run that wrote through them has ended, since the session begins one run at a time.
    destroy_surfaces();
    TONESCOPE_CUDA(cudaGraphicsMapResources(int(resources_.size()), resources_.data(), stream));
    try {
        make_surfaces();
        cuda_->last_use.record(stream);
    } catch (...) {
        TONESCOPE_CUDA_LOG(cudaGraphicsUnmapResources(int(resources_.size()), resources_.data(), stream));
        throw;
    }
    is_mapped_ = true;
    return mapped_;
}

/// Anew at every map: "The value set in array may change every time that resource is mapped"
/// (cudaGraphicsSubResourceGetMappedArray), and one that did not may still stand for other memory.
void InteropTextures::make_surfaces() {
    for (size_t i = 0; i < resources_.size(); ++i) {
        ResultTextures::Mapped& tile = mapped_[i];
        TONESCOPE_CUDA(cudaGraphicsSubResourceGetMappedArray(&tile.array, resources_[i], 0, 0));
        cudaResourceDesc description{};
        description.resType = cudaResourceTypeArray;
        description.res.array.array = tile.array;
        TONESCOPE_CUDA(cudaCreateSurfaceObject(&tile.surface, &description));
    }
}

void InteropTextures::destroy_surfaces() noexcept {
    for (ResultTextures::Mapped& tile : mapped_)
        if (tile.surface != 0) TONESCOPE_CUDA_LOG(cudaDestroySurfaceObject(std::exchange(tile.surface, 0)));
}

void InteropTextures::unmap(cudaStream_t stream) {
    cuda_->last_use.record(stream);  // first: where unmapping fails, let_go() still waits for the kernels
    is_mapped_ = false;
    TONESCOPE_CUDA(cudaGraphicsUnmapResources(int(resources_.size()), resources_.data(), stream));
    mipmaps_stale_ = true;
}

void InteropTextures::generate_mipmaps() {
    if (!mipmaps_stale_) return;
    for (const Tile& tile : picture.tiles) {
        glBindTexture(GL_TEXTURE_2D, tile.texture);
        glGenerateMipmap(GL_TEXTURE_2D);
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    mipmaps_stale_ = !opengl_worked();
}

class InteropPresenter final : public Presenter, public ResultTextures {
  public:
    InteropPresenter(int device, int max_tile_px) : Presenter("", max_tile_px), device_(device) {}

    std::string id() const override { return "interop"; }
    ResultTextures* result_textures() override { return this; }
    void let_go() override {
        for (InteropTextures& set : sets_) set.let_go();
    }
    void leave_behind() override {
        for (InteropTextures& set : sets_) set.leave_behind();
    }

    void show(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial) override {
        if (role == PictureRole::after) awaited_copy_ = serial;
        Presenter::show(role, std::move(image), serial);
        take_copy();
    }
    bool step(size_t budget_bytes) override {
        const bool more = Presenter::step(budget_bytes);
        take_copy();
        return more;
    }
    const Picture& picture(PictureRole role) const override {
        return shows_own(role) ? sets_[front_].picture : Presenter::picture(role);
    }
    void prepare_minified(PictureRole role) override {
        if (shows_own(role)) sets_[front_].generate_mipmaps();
    }
    void clear(PictureRole role) override {
        Presenter::clear(role);
        if (role != PictureRole::after) return;
        for (InteropTextures& set : sets_) set.release();
        shows_result_ = false;
        awaited_copy_.reset();
    }

    int device() const override { return device_; }
    int tile_count(const ImageSpec& spec) const override { return int(split_into_tiles(spec, max_tile_px()).size()); }
    bool prepare(const ImageSpec& spec) override { return back().allocate(spec, max_tile_px()); }
    bool is_prepared(const ImageSpec& spec) const override { return sets_[1 - front_].is_allocated(spec); }
    std::span<const Mapped> map(cudaStream_t stream) override { return back().map(stream); }
    void unmap(cudaStream_t stream) override { back().unmap(stream); }
    void flip(uint64_t serial) override {
        front_ = 1 - front_;
        sets_[front_].picture.serial = serial;
        shows_result_ = true;
        awaited_copy_.reset();
        Presenter::clear(PictureRole::after);  // an older host image that is still on its way
    }

  private:
    InteropTextures& back() { return sets_[1 - front_]; }
    bool shows_own(PictureRole role) const { return role == PictureRole::after && shows_result_; }

    void take_copy() {
        const Picture& copied = Presenter::picture(PictureRole::after);
        if (!awaited_copy_ || copied.empty() || copied.serial != *awaited_copy_) return;
        shows_result_ = false;
        awaited_copy_.reset();
    }

    int device_;
    std::array<InteropTextures, 2> sets_;
    size_t front_ = 0;
    bool shows_result_ = false;             // else the copied picture is shown
    std::optional<uint64_t> awaited_copy_;  // serial of a host image that replaces the result once it is complete
};

/// The CUDA device that OpenGL draws on. Throws DeviceError.
int find_drawing_device(int wanted) {
    select_device(-1);  // a clear message where there is no driver or GPU
    std::array<int, 16> devices{};
    unsigned count = 0;
    const cudaError_t status = cudaGLGetDevices(&count, devices.data(), unsigned(devices.size()), cudaGLDeviceListAll);
    if (status != cudaSuccess || count == 0) {
        cudaGetLastError();
        const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
        throw DeviceError(std::string("OpenGL is not drawn by a CUDA device (") + (renderer ? renderer : "unknown") +
                          ")");
    }
    const auto end = devices.begin() + std::min<ptrdiff_t>(count, ptrdiff_t(devices.size()));
    if (wanted < 0) return devices[0];
    if (std::find(devices.begin(), end, wanted) == end)
        throw DeviceError("OpenGL is drawn by CUDA device " + std::to_string(devices[0]) + ", not by device " +
                          std::to_string(wanted));
    return wanted;
}

/// Registers and maps a small texture. Throws DeviceError.
void try_texture() {
    InteropTextures textures;
    const Stream stream;
    if (!textures.allocate({16, 16, PixelFormat::rgba8, true}, 1024)) throw DeviceError("OpenGL gives no texture");
    textures.map(stream);
    textures.unmap(stream);
    stream.synchronize();
}

}  // namespace

std::unique_ptr<Presenter> make_interop_presenter(int device, std::string* reason, int max_tile_px) {
    try {
        const int drawing = find_drawing_device(device);
        select_device(drawing);
        try_texture();
        return std::make_unique<InteropPresenter>(drawing, max_tile_px);
    } catch (const DeviceError& error) {
        *reason = error.what();
        return nullptr;
    }
}

void await_device(int device) {
    select_device(device);
    const Stream stream;
    const Event event;
    event.record(stream);
    event.synchronize();
}

}  // namespace tonescope
