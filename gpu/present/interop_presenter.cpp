// The presenter whose textures CUDA writes. Host images take the copying presenter's way.
#include <glad/gl.h>
// after glad: it stands in for the system's OpenGL header
#include <cuda_gl_interop.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/present/copy_presenter.h"
#include "gpu/present/interop_presenter.h"
#include "gpu/present/interop_textures.h"
#include "gpu/present/textures.h"

namespace tonescope {
namespace {

class InteropPresenter final : public Presenter, public InteropTarget {
  public:
    InteropPresenter(int device, int max_tile_px)
        : device_(device),
          max_tile_px_(max_tile_px > 0 ? max_tile_px : int(std::bit_floor(unsigned(max_texture_size_px())))),
          copy_("", max_tile_px) {}

    std::string id() const override { return "interop"; }
    std::string reason() const override { return {}; }

    void show(Slot slot, std::shared_ptr<const Pyramid> image, uint64_t serial) override {
        state(slot).awaited_copy = serial;
        copy_.show(slot, std::move(image), serial);
        take_copies();
    }
    bool step(size_t budget_bytes) override {
        const bool more = copy_.step(budget_bytes);
        take_copies();
        return more;
    }
    bool rests() const override { return copy_.rests(); }
    const Picture& picture(Slot slot) const override {
        const SlotState& s = slots_[size_t(slot)];
        return s.shows_own ? s.sets[s.front].picture : copy_.picture(slot);
    }
    void prepare_minified(Slot slot) override {
        SlotState& s = state(slot);
        if (s.shows_own) {
            s.sets[s.front].generate_mipmaps();
        } else {
            copy_.prepare_minified(slot);
        }
    }
    void clear(Slot slot) override {
        SlotState& s = state(slot);
        for (InteropTextures& set : s.sets) set.release();
        s.shows_own = false;
        s.awaited_copy.reset();
        copy_.clear(slot);
    }

    int device() const override { return device_; }
    int tile_count(const ImageSpec& spec) const override { return int(split_into_tiles(spec, max_tile_px_).size()); }
    bool prepare(Slot slot, const ImageSpec& spec) override { return back(slot).allocate(spec, max_tile_px_); }
    bool is_prepared(Slot slot, const ImageSpec& spec) const override {
        const SlotState& s = slots_[size_t(slot)];
        const Picture& picture = s.sets[1 - s.front].picture;
        return !picture.empty() && picture.spec == spec;
    }
    std::span<const Mapped> map(Slot slot, cudaStream_t stream) override { return back(slot).map(stream); }
    void unmap(Slot slot, cudaStream_t stream) override { back(slot).unmap(stream); }
    void flip(Slot slot, uint64_t serial) override {
        SlotState& s = state(slot);
        s.front = 1 - s.front;
        s.sets[s.front].picture.serial = serial;
        s.shows_own = true;
        s.awaited_copy.reset();
        copy_.clear(slot);  // an older host image that is still on its way
    }

  private:
    struct SlotState {
        std::array<InteropTextures, 2> sets;
        size_t front = 0;
        bool shows_own = false;                // else the copying presenter's picture is shown
        std::optional<uint64_t> awaited_copy;  // serial of a host image that replaces our own once it is complete
    };
    SlotState& state(Slot slot) { return slots_[size_t(slot)]; }
    InteropTextures& back(Slot slot) { return state(slot).sets[1 - state(slot).front]; }

    void take_copies() {
        for (const Slot slot : kAllSlots) {
            SlotState& s = state(slot);
            const Picture& copied = copy_.picture(slot);
            if (!s.awaited_copy || copied.empty() || copied.serial != *s.awaited_copy) continue;
            s.shows_own = false;
            s.awaited_copy.reset();
        }
    }

    int device_;
    int max_tile_px_;
    CopyPresenter copy_;
    std::array<SlotState, kSlots> slots_;
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

std::unique_ptr<Presenter> make_interop_presenter(int device, int max_tile_px, std::string* reason) {
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

std::unique_ptr<Presenter> make_interop_presenter(int device, std::string* reason) {
    return make_interop_presenter(device, 0, reason);
}

}  // namespace tonescope
