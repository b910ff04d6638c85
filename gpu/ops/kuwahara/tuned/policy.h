// The numbers of the tuned variant that were found by measuring.
#pragma once

namespace tonescope::kuwahara::tuned {

struct Policy {
    /// Up to radius 32: a box is evaluated once and kept, not once for each half.
    static constexpr bool kKeepBoxes = true;

    // Blocks. Shared memory bounds the warps that filter strips, registers those at the border.
    static constexpr int kStripWarps = 4;  // of a block at most; fewer where shared memory is short
    static constexpr bool has_border_room(int reach, bool keeps) { return keeps && reach > 2; }
    /// Warps of a border block, for each that a strip block has.
    static constexpr int border_warps(int reach, bool keeps) { return has_border_room(reach, keeps) ? 2 : 1; }
    static constexpr int threads(int reach, bool keeps) { return 32 * kStripWarps * border_warps(reach, keeps); }
    /// Blocks of a multiprocessor at least: what bounds the registers of a thread.
    static constexpr int min_blocks(int reach, bool keeps) { return has_border_room(reach, keeps) ? 1 : 2; }

    static constexpr int kRowsAhead = 4;          // rows that are asked for before they are added
    static constexpr int kSharedRowsAhead = 3;    // the same for the rows that two segments share
    static constexpr int kMinSegmentRows = 8;     // a segment has `radius` rows too
    static constexpr int kMaxWaves = 4;           // of blocks that are resident together
    static constexpr int kSegmentCounts = 12;     // numbers of segments that are tried, each less than the one before
    static constexpr int kSegmentCountStep = 24;  // by a 24th of the largest
    static constexpr int kMinBorderRows = 4;      // of a piece
    /// Neighboring pixels of a row that a lane at the border loads: 2 or 4.
    static constexpr int border_run(int reach) { return reach <= 3 ? 2 : 4; }
    /// Rows that a chain is made shorter by for the boxes that its neighbor evaluates too.
    static constexpr int rows_evaluated_twice(int radius) { return 3 * radius / 4; }
    /// Rows that a segment with two neighbors has less than the others: it writes shared rows at either end.
    static constexpr int rows_for_second_neighbor(int radius) { return radius / 16; }

    // What a row costs a warp, in units of a strip's row that is evaluated and written, on an H200. To measure them
    // again, change one by a tenth either way, and keep what makes the sum of these medians least:
    //
    //     tonescope_bench --cache cold --seconds 0.04 --backend cuda --no-peers --op kuwahara --variant tuned
    //         --sweep radius=1,4,8,15,32,64 --size 4k,24m --content noise --format gray,rgba
    //
    // The other numbers of this struct are found in the same way.
    static constexpr float kAddedRow = 0.3F;       // only added to the sums
    static constexpr float kEvaluatedRow = 0.75F;  // evaluated, and written by a neighbor
    static constexpr float kWrittenRow = 0.25F;    // written, and evaluated by a neighbor
    static constexpr float kRowOfTwo = 1.6F;       // evaluated twice and written
    static constexpr float kAddedBorderRow = 0.35F;
    static constexpr float border_row(int radius) { return radius <= 8 ? 1.6F : 1.7F; }
};

}  // namespace tonescope::kuwahara::tuned
