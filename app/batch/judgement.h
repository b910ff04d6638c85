// Figures of what a run makes: beside its image, or beside another program's result.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "app/options/report.h"
#include "gpu/core/figures/figures.h"

namespace tonescope {

/// What is asked for.
struct Judging {
    std::vector<const FigureInfo*> figures = {};  // none: nothing is measured
    std::string reference = {};  // the file that results are held against, in which {stem} is that of the input; a
                                 // folder holds {stem}.png. Empty: the image that was filtered
    bool all_pages = false;      // the reference has the pages of the input; else its first one is taken
};

struct Judgement {
    std::string reference;  // the file; empty: the figures are beside the image that was filtered
    FigureValues figures;
};

/// The figures of `result`, beside the reference where there is one, else beside `image`, which may be null; of its
/// pixels in the region, where that is not empty. `page`: of the input, from 0. From any thread. Throws UserError,
/// which names the input, where the reference cannot be read or has another size, MemoryError, Canceled.
Judgement judge(const Judging& wanted, const std::string& input, int page, const ImageView* image,
                const ImageView& result, const Rect& region, int threads, const std::stop_token& stop);

/// "; against b.png: Changed 3.20 %, PSNR 41.20 dB"; empty without figures.
std::string text_of(const Judgement& judgement);
/// {"before": {ID: VALUE}, "after", "reference": null or the file}: as figures_json().
Json json_of(const Judgement& judgement);

}  // namespace tonescope
