// Programs that do with another library what an operator does with its parameters.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tonescope {

struct OperatorInfo;
class ParamBlock;
struct ResultPart;

enum class CodeTarget : uint8_t { opencv_python, opencv_cpp, scikit_image, kornia, imagej, matlab };

struct CodeTargetInfo {
    std::string_view id, name;
};
inline constexpr CodeTargetInfo kCodeTargets[] = {
    {"opencv-python", "OpenCV in Python"},
    {"opencv-cpp", "OpenCV in C++"},
    {"scikit-image", "scikit-image"},
    {"kornia", "kornia"},
    {"imagej", "ImageJ macro"},
    {"matlab", "MATLAB"},
};

/// What an operator says of itself in a target's language (OperatorInfo::code).
struct CodeParts {
    /// What becomes of the planes of colors: ColorMode's values. `whole`: the function takes the image as it is.
    enum class Planes : uint8_t { luma, channels, gray, ratio, value, lab, whole };
    /// A function `filtered` of a plane, or of the image; for ImageJ statements on the open image. Empty: the library
    /// has nothing like the operator.
    std::string function;
    /// How near the result comes, and why no nearer: whole sentences in one line.
    std::string nearness;
    Planes planes = Planes::luma;
    int amount = 100;  // of the result, in percent
};

/// Whether the library has something like the operator.
bool has_code(const OperatorInfo& op, CodeTarget target, const ParamBlock& params);

/// A program that reads an image of 8 bits, filters it and writes it; paths are its arguments. Throws UserError where
/// the library has nothing like the operator. In Python it filters the part's region alone; in other languages a
/// comment says that it does not, and in all that the mask is left out.
std::string program_for(const OperatorInfo& op, CodeTarget target, const ParamBlock& params, const ResultPart& part);

/// `text` with {name} replaced by each name's value.
std::string filled(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>> values);

}  // namespace tonescope
