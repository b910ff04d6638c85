// The Kuwahara filter in other libraries' words (OperatorInfo::code). None of them has it, so that their sums of boxes
// stand for it.
#include "gpu/ops/kuwahara/kuwahara.h"

namespace tonescope::kuwahara {
namespace {

constexpr std::string_view kPython = R"(RADIUS = {radius}


def box_sums(plane, y0, y1, x0, x1):
    """Of each pixel's box: rows y0 to y1 and columns x0 to x1, without the last ones."""
    sums = {sums}
    return sums[np.ix_(y1, x1)] - sums[np.ix_(y0, x1)] - sums[np.ix_(y1, x0)] + sums[np.ix_(y0, x0)]


def filtered(image):
    """The mean of that quadrant around each pixel whose brightness varies least; the first one on a tie."""
    planes = [image] if image.ndim == 2 else [image[..., c] for c in range(3)]
    value = np.max(planes, axis=0)
    height, width = value.shape
    y, x = np.arange(height), np.arange(width)
    top, bottom = (np.maximum(y - RADIUS, 0), y + 1), (y, np.minimum(y + RADIUS, height - 1) + 1)
    left, right = (np.maximum(x - RADIUS, 0), x + 1), (x, np.minimum(x + RADIUS, width - 1) + 1)
    least = np.full(value.shape, np.inf)
    result = image.copy()
    for rows, columns in (top, left), (top, right), (bottom, left), (bottom, right):
        box = (*rows, *columns)
        pixels = np.outer(rows[1] - rows[0], columns[1] - columns[0])
        variance = (pixels * box_sums(value.astype(np.int64) ** 2, *box) - box_sums(value, *box) ** 2) / pixels**2
        better = variance < least
        least[better] = variance[better]
        for c, plane in enumerate(planes):
            mean = (2 * box_sums(plane, *box) + pixels) // (2 * pixels)
            (result if image.ndim == 2 else result[..., c])[better] = mean[better]
    return result
)";
constexpr std::string_view kOpenCvCpp = R"(constexpr int kRadius = {radius};

/// The mean of that quadrant around each pixel whose brightness varies least; the first one on a tie.
cv::Mat filtered(const cv::Mat& image) {
    std::vector<cv::Mat> planes;
    cv::split(image, planes);
    planes.resize(std::min<size_t>(planes.size(), 3));
    cv::Mat value = planes[0].clone();
    for (const cv::Mat& plane : planes) cv::max(value, plane, value);
    cv::Mat sums, squares;
    cv::integral(value, sums, squares, CV_64F, CV_64F);
    std::vector<cv::Mat> color_sums(planes.size());
    for (size_t c = 0; c < planes.size(); ++c) cv::integral(planes[c], color_sums[c], CV_64F);
    const auto box = [](const cv::Mat& of, int y0, int y1, int x0, int x1) {
        return int64_t(of.at<double>(y1, x1) - of.at<double>(y0, x1) - of.at<double>(y1, x0) + of.at<double>(y0, x0));
    };
    cv::Mat result = image.clone();
    for (int y = 0; y < image.rows; ++y)
        for (int x = 0; x < image.cols; ++x) {
            double least = -1;
            for (int quadrant = 0; quadrant < 4; ++quadrant) {  // top left, top right, bottom left, bottom right
                const int y0 = quadrant < 2 ? std::max(y - kRadius, 0) : y;
                const int y1 = quadrant < 2 ? y + 1 : std::min(y + kRadius, image.rows - 1) + 1;
                const int x0 = quadrant % 2 == 0 ? std::max(x - kRadius, 0) : x;
                const int x1 = quadrant % 2 == 0 ? x + 1 : std::min(x + kRadius, image.cols - 1) + 1;
                const int64_t n = int64_t(y1 - y0) * (x1 - x0), s = box(sums, y0, y1, x0, x1);
                const double variance = double(n * box(squares, y0, y1, x0, x1) - s * s) / (double(n) * double(n));
                if (least >= 0 && variance >= least) continue;
                least = variance;
                for (size_t c = 0; c < planes.size(); ++c)
                    result.ptr(y, x)[c] = uchar((2 * box(color_sums[c], y0, y1, x0, x1) + n) / (2 * n));
            }
        }
    return result;
}
)";
constexpr std::string_view kMatlab = R"(function result = filtered(image)
    % The mean of that quadrant around each pixel whose brightness varies least; the first one on a tie.
    radius = {radius};
    value = double(max(image, [], 3));
    [height, width] = size(value);
    y = 1:height;
    x = 1:width;
    top = {max(y - radius, 1), y};
    bottom = {y, min(y + radius, height)};
    left = {max(x - radius, 1), x};
    right = {x, min(x + radius, width)};
    quadrants = {top, left; top, right; bottom, left; bottom, right};
    least = inf(height, width);
    result = image;
    for k = 1:4
        rows = quadrants{k, 1};
        columns = quadrants{k, 2};
        pixels = (rows{2} - rows{1} + 1)' * (columns{2} - columns{1} + 1);
        variance = (pixels .* box_sums(value .^ 2, rows, columns) - box_sums(value, rows, columns) .^ 2) ./ pixels .^ 2;
        better = variance < least;
        least(better) = variance(better);
        for c = 1:size(image, 3)
            plane = result(:, :, c);
            mean = floor((2 * box_sums(double(image(:, :, c)), rows, columns) + pixels) ./ (2 * pixels));
            plane(better) = mean(better);
            result(:, :, c) = plane;
        end
    end
end

function sums = box_sums(plane, rows, columns)
    all = zeros(size(plane) + 1);
    all(2:end, 2:end) = cumsum(cumsum(plane, 1), 2);
    sums = all(rows{2} + 1, columns{2} + 1) - all(rows{1}, columns{2} + 1) - all(rows{2} + 1, columns{1}) ...
        + all(rows{1}, columns{1});
end
)";
constexpr std::string_view kNearness = "Each pixel is Tonescope's: the sums are exact.";

}  // namespace

CodeParts code(CodeTarget target, const ParamBlock& params) {
    const std::string radius = std::to_string(params.as<Params>().radius), nearness(kNearness);
    constexpr auto planes = CodeParts::Planes::whole;
    switch (target) {
        case CodeTarget::opencv_python:
            return {filled(kPython,
                           {{"radius", radius}, {"sums", "cv2.integral(plane.astype(np.float64)).astype(np.int64)"}}),
                    nearness, planes};
        case CodeTarget::scikit_image:
            return {
                filled(kPython, {{"radius", radius},
                                 {"sums", "np.pad(np.cumsum(np.cumsum(plane, 0, np.int64), 1), ((1, 0), (1, 0)))"}}),
                nearness, planes};
        case CodeTarget::opencv_cpp:
            return {filled(kOpenCvCpp, {{"radius", radius}}), nearness, planes};
        case CodeTarget::matlab:
            return {filled(kMatlab, {{"radius", radius}}), "The sums are exact. This was not run.", planes};
        default:
            return {};
    }
}

}  // namespace tonescope::kuwahara
