// Every CUDA variant that makes an image, writing into surfaces instead of memory, as it does for OpenGL textures. The
// surfaces belong to CUDA's own arrays, so that no display is needed.
#include <algorithm>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/check.h"
#include "tests/differential/gpu_check.h"

namespace tonescope::test {
namespace {

/// A CUDA array of an image's size and format, with a surface on it.
class SurfaceImage {
  public:
    explicit SurfaceImage(const ImageSpec& spec) : spec_(spec) {
        const int bits = 8, more = spec.format == PixelFormat::rgba8 ? 8 : 0;
        const cudaChannelFormatDesc format =
            cudaCreateChannelDesc(bits, more, more, more, cudaChannelFormatKindUnsigned);
        TONESCOPE_CUDA(
            cudaMallocArray(&array_, &format, size_t(spec.width), size_t(spec.height), cudaArraySurfaceLoadStore));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array_;
        TONESCOPE_CUDA(cudaCreateSurfaceObject(&surface_, &resource));
    }
    ~SurfaceImage() {
        TONESCOPE_CUDA_LOG(cudaDestroySurfaceObject(surface_));
        TONESCOPE_CUDA_LOG(cudaFreeArray(array_));
    }
    SurfaceImage(const SurfaceImage&) = delete;
    SurfaceImage& operator=(const SurfaceImage&) = delete;

    cudaSurfaceObject_t surface() const { return surface_; }
    void fill(uint8_t value) const {
        const std::vector<uint8_t> bytes(spec_.row_bytes() * size_t(spec_.height), value);
        TONESCOPE_CUDA(cudaMemcpy2DToArray(array_, 0, 0, bytes.data(), spec_.row_bytes(), spec_.row_bytes(),
                                           size_t(spec_.height), cudaMemcpyHostToDevice));
        // The copy may go on behind the call's end, and other streams do not wait for it.
        TONESCOPE_CUDA(cudaDeviceSynchronize());
    }
    HostImage fetch() const {
        HostImage image(spec_);
        TONESCOPE_CUDA(cudaMemcpy2DFromArray(image.data(), image.pitch_bytes(), array_, 0, 0, spec_.row_bytes(),
                                             size_t(spec_.height), cudaMemcpyDeviceToHost));
        return image;
    }

  private:
    ImageSpec spec_;
    cudaArray_t array_ = nullptr;
    cudaSurfaceObject_t surface_ = 0;
};

class SurfaceSanitizer : public testing::TestWithParam<OperatorVariant> {
  protected:
    struct Device {
        DeviceProperties device = select_device(-1);
        Stream stream;
        StageRecorder stages{stream};
        ScratchArena scratch;
        DeviceImage input;
    };

    void SetUp() override {
        try {
            device_ = std::make_unique<Device>();
        } catch (const DeviceError& error) {
            GTEST_SKIP() << error.what();
        }
    }

    HostImage run(const HostImage& image, const ParamBlock& params) {
        const OperatorInfo& op = *GetParam().op;
        Device& d = *device_;
        d.input.reshape(image.spec());
        TONESCOPE_CUDA(cudaMemcpy2DAsync(d.input.d_data(), d.input.pitch_bytes, image.data(), image.pitch_bytes(),
                                         image.spec().row_bytes(), size_t(image.height()), cudaMemcpyHostToDevice,
                                         d.stream));
        const ImageSpec output_spec = op.output_spec(image.spec(), params);
        const SurfaceImage output(output_spec);
        output.fill(0xA5);
        CudaJob job{.d_input = d.input.d_data(),
                    .input_pitch_bytes = d.input.pitch_bytes,
                    .input_spec = image.spec(),
                    .output = {nullptr, 0, output.surface(), output_spec},
                    .params = params,
                    .variant_params = default_values(GetParam().variant->params),
                    .stream = d.stream,
                    .device = d.device,
                    .scratch = d.scratch,
                    .stages = d.stages};
        GetParam().variant->run_cuda(job);
        d.stream.synchronize();
        return output.fetch();
    }

    void check(Content content, Channels channels, int width, int height, const ParamBlock& params) {
        const OperatorInfo& op = *GetParam().op;
        const HostImage image = make_image(content, channels, width, height, base_seed() + uint32_t(width));
        if (!refusal(op, *GetParam().variant, params, image.spec()).empty()) return;
        const Case c{&op, params, &image, {}};
        SCOPED_TRACE(to_string(content) + " " + to_string(channels) + " " + std::to_string(width) + "x" +
                     std::to_string(height) + ", " + describe(op.params, params));
        expect_same(run(image, params), reference_answer(c).image);
    }

    std::unique_ptr<Device> device_;
};

TEST_P(SurfaceSanitizer, DefaultsAndColors) {
    const OperatorInfo& op = *GetParam().op;
    std::vector<ParamBlock> all = {defaults_of(op)};
    if (const ParamInfo* color = find_param(op.params, "color")) {
        for (int32_t value = color->min; value <= color->max; ++value) {
            all.push_back(defaults_of(op));
            all.back().set(*color, value);
            if (const ParamInfo* amount = find_param(op.params, "amount")) {
                all.push_back(all.back());
                all.back().set(*amount, 35);
            }
        }
    }
    for (const ParamBlock& params : all)
        for (Channels channels : kChannels) check(Content::photo, channels, 257, 131, params);
}

/// The sides stay below a vector's width, and on either side of its multiples.
TEST_P(SurfaceSanitizer, Sizes) {
    constexpr int kSizes[][2] = {{1, 1}, {2, 1}, {1, 33}, {15, 3}, {16, 16}, {17, 5}, {63, 65}, {129, 7}};
    for (const auto& [width, height] : kSizes)
        for (Channels channels : kChannels) check(Content::noise, channels, width, height, defaults_of(*GetParam().op));
}

std::vector<OperatorVariant> image_variants() {
    std::vector<OperatorVariant> variants = all_cuda_variants();
    std::erase_if(variants, [](const OperatorVariant& r) { return r.op->makes_bins || r.variant->wrong_by_design; });
    return variants;
}

INSTANTIATE_TEST_SUITE_P(All, SurfaceSanitizer, testing::ValuesIn(image_variants()), variant_name);

/// Sizes that take the paths of large images.
class Surface : public SurfaceSanitizer {};

TEST_P(Surface, Large) {
    for (Channels channels : kChannels)
        for (Content content : {Content::photo, Content::noise, Content::constant})
            check(content, channels, 1031, 517, defaults_of(*GetParam().op));
}

INSTANTIATE_TEST_SUITE_P(All, Surface, testing::ValuesIn(image_variants()), variant_name);

}  // namespace
}  // namespace tonescope::test
