// Histogram equalization in other libraries' words (OperatorInfo::code).
#include "gpu/ops/he/he.h"

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
    planes = torch.from_numpy(plane)[None, None].float() / 255
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
    const auto planes = CodeParts::Planes(params.as<Params>().color);
    switch (target) {
        case CodeTarget::opencv_python:
            return {std::string(kOpenCvPython), "Each plane is within one level of Tonescope's: OpenCV rounds floats.",
                    planes};
        case CodeTarget::opencv_cpp:
            return {std::string(kOpenCvCpp), "Each plane is within one level of Tonescope's: OpenCV rounds floats.",
                    planes};
        case CodeTarget::scikit_image:
            return {std::string(kScikitImage),
                    "scikit-image counts the pixels of the darkest value too, which become brighter than 0 by their "
                    "share of the image.",
                    planes};
        case CodeTarget::kornia:
            return {std::string(kKornia),
                    "kornia's table has whole steps, as that of Pillow, and is some levels away from Tonescope's.",
                    planes};
        case CodeTarget::imagej:
            return {std::string(kImageJ),
                    "ImageJ takes the square roots of the counts, and of colors the brightness of HSB: the result "
                    "only resembles Tonescope's.",
                    planes};
        case CodeTarget::matlab:
            return {std::string(kMatlab),
                    "histeq chooses the nearest of 256 levels by the cumulative histogram, with the darkest value "
                    "counted. This was not run.",
                    planes};
    }
    return {};
}

}  // namespace tonescope::he
