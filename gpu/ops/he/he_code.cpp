// Histogram equalization in other libraries' words (OperatorInfo::code).
#include "gpu/ops/he/he.h"
#include "gpu/ops/no_data_code.h"

namespace tonescope::he {
namespace {

constexpr std::string_view kOpenCvPython = R"(def filtered(plane):
    return cv2.equalizeHist(plane)
)";
constexpr std::string_view kOpenCvCpp = R"(cv::Mat filtered(const cv::Mat& plane) {
    cv::Mat result;
    cv::equalizeHist(plane, result);
    return result;
}
)";
constexpr std::string_view kScikitImage = R"(def filtered(plane):
    return np.round(255 * exposure.equalize_hist(plane, nbins=256)).astype(np.uint8)
)";
constexpr std::string_view kKornia = R"(def filtered(plane):
    planes = torch.tensor(plane)[None, None].float() / 255
    return (255 * kornia.enhance.equalize(planes)[0, 0]).round().byte().numpy()
)";
constexpr std::string_view kImageJ = R"(run("Enhance Contrast...", "saturated=0 equalize");
)";
constexpr std::string_view kMatlab = R"(function result = filtered(plane)
    result = histeq(plane, 256);
end
)";

}  // namespace

CodeParts code(CodeTarget target, const ParamBlock& params) {
    const auto p = params.as<Params>();
    const auto with = [&](std::string_view function, std::string_view nearness) {
        return CodeParts{std::string(function),
                         std::string(nearness) +
                             (p.range == range_used ? " The range of values is the whole one." : "") +
                             std::string(no_data_nearness(p.no_data)),
                         CodeParts::Planes(p.color), p.amount};
    };
    constexpr std::string_view kOpenCv = "Each plane is within one level of Tonescope's: OpenCV rounds floats.";
    switch (target) {
        case CodeTarget::opencv_python:
            return with(kOpenCvPython, kOpenCv);
        case CodeTarget::opencv_cpp:
            return with(kOpenCvCpp, kOpenCv);
        case CodeTarget::scikit_image:
            return with(kScikitImage,
                        "scikit-image counts the pixels of the darkest value too, which become brighter than 0 by "
                        "their share of the image: two levels at most on Tonescope's samples.");
        case CodeTarget::kornia:
            return with(
                kKornia,
                "kornia's table has whole steps, as that of Pillow: on Tonescope's samples the result is 2 to 19 "
                "levels away in the mean, mostly darker.");
        case CodeTarget::imagej:
            return with(kImageJ,
                        "ImageJ takes the square roots of the counts, and of colors the brightness of HSB: the result "
                        "only resembles Tonescope's. This was not run.");
        case CodeTarget::matlab:
            return with(kMatlab,
                        "histeq chooses the nearest of 256 levels by the cumulative histogram, with the darkest value "
                        "counted. This was not run.");
    }
    return {};
}

}  // namespace tonescope::he
