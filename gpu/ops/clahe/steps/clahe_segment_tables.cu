// CLAHE, after report A: blocks follow the rectangles between the centers of four tiles, whose pixels all blend the
// same four tables. A block packs the four into one in shared memory, a word of four entries for each value, so that
// a pixel costs one look-up in place of four, and what the place between the tiles needs is worked out once for the
// block (packed_blend.cuh). The tables are made as before (word_tables.cuh).
#include "gpu/ops/clahe/clahe_planes.cuh"
#ifdef __CUDACC__
#include "gpu/ops/clahe/steps/packed_blend.cuh"
#include "gpu/ops/clahe/steps/word_tables.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
void run_packed_tables(CudaJob& job) {
    run_on_planes(job, make_tables_from_words, blend_packed);
}
#endif

const VariantRegistration segment_tables_variant({
    .op = "clahe",
    .id = "packed-tables",
    .name = "Packed tables",
    .follows = "four-pixels",
    .builds_on = "four-pixels",
    .idea = "A block blends the pixels between the centers of four tiles: it packs their four tables into one in "
            "shared memory, so that a pixel costs one look-up.",
    .cost = "1 KiB read and packed for each block, which tiles of 8 pixels notice.",
    .flaw = "Making a table takes 18 barriers for its prefix sum, and all threads add to the one word of the excess.",
    .work =
        [](const WorkCase& whole) {
            return work_by_lightness<Params>(
                whole, [](const WorkCase& c) { return plane_work(c, counting(c, 12.4, 68900, 37000), kPackedBlend); });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_packed_tables>),
});

}  // namespace
}  // namespace tonescope::clahe
