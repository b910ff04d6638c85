// How kernels read and write images, so that one kernel serves pitched memory and OpenGL textures (surfaces).
// Pixel is uint8_t (gray) or uchar4 (RGBA), in deep images uint16_t or ushort4.
#pragma once

#include <cstdint>
#include <utility>

#include "gpu/cuda/kernels/job.h"

namespace tonescope {

template <class Pixel_>
struct PitchedSource {
    using Pixel = Pixel_;
    const uint8_t* d_data;
    size_t pitch_bytes;
    __device__ Pixel load(int x, int y) const {
        return reinterpret_cast<const Pixel*>(d_data + size_t(y) * pitch_bytes)[x];
    }
};

template <class Pixel_>
struct PitchedSink {
    using Pixel = Pixel_;
    uint8_t* d_data;
    size_t pitch_bytes;
    __device__ void store(int x, int y, Pixel pixel) const {
        reinterpret_cast<Pixel*>(d_data + size_t(y) * pitch_bytes)[x] = pixel;
    }
};

template <class Pixel_>
struct SurfaceSink {
    using Pixel = Pixel_;
    cudaSurfaceObject_t surface;
    __device__ void store(int x, int y, Pixel pixel) const {
        surf2Dwrite(pixel, surface, x * int(sizeof(Pixel)), y);  // surfaces count x in bytes
    }
};

template <class Pixel>
PitchedSource<Pixel> source_of(const CudaJob& job) {
    return {job.d_input, job.input_pitch_bytes};
}

/// Calls launch(source) with the input's gray or RGBA pixels of 8 bits.
template <class Launch>
void with_source(const CudaJob& job, Launch&& launch) {
    if (job.input_spec.format == PixelFormat::gray8)
        launch(source_of<uint8_t>(job));
    else
        launch(source_of<uchar4>(job));
}

/// The same for images of any depth.
template <class Launch>
void with_any_source(const CudaJob& job, Launch&& launch) {
    switch (job.input_spec.format) {
        case PixelFormat::gray8:
            return launch(source_of<uint8_t>(job));
        case PixelFormat::rgba8:
            return launch(source_of<uchar4>(job));
        case PixelFormat::gray16:
            return launch(source_of<uint16_t>(job));
        case PixelFormat::rgba16:
            return launch(source_of<ushort4>(job));
    }
}

/// Calls launch(sink) with the sink that the output asks for.
template <class Pixel, class Launch>
void with_sink(const DeviceOutput& output, Launch&& launch) {
    if (output.surface != 0) {
        launch(SurfaceSink<Pixel>{output.surface});
    } else {
        launch(PitchedSink<Pixel>{output.d_data, output.pitch_bytes});
    }
}

/// One thread a pixel. Rows number at most 65535, so the grid's y never overflows.
struct PixelGrid {
    dim3 grid, block;
    PixelGrid(int width, int height, dim3 threads = {32, 8})
        : grid((unsigned(width) + threads.x - 1) / threads.x, (unsigned(height) + threads.y - 1) / threads.y),
          block(threads) {}
};

}  // namespace tonescope
