#include "app/batch/output_names.h"

#include <filesystem>
#include <utility>

#include "gpu/core/error.h"

namespace tonescope {

std::string filled_in(std::string pattern, std::string_view field, const std::string& value) {
    for (size_t at = pattern.find(field); at != std::string::npos; at = pattern.find(field, at + value.size()))
        pattern.replace(at, field.size(), value);
    return pattern;
}

std::string pattern_of(const std::string& name) {
    std::error_code error;
    const bool is_folder = name.ends_with('/') || std::filesystem::is_directory(name, error);
    return is_folder ? (std::filesystem::path(name) / kStem).string() + ".png" : name;
}

std::string named_after(const std::string& pattern, const std::string& input) {
    return filled_in(pattern_of(pattern), kStem, std::filesystem::path(input).stem().string());
}

bool has_page(const std::string& output) {
    return output.find(kPage) != std::string::npos;
}

std::string output_of_page(const std::string& output, int page) {
    return filled_in(output, kPage, std::to_string(page + 1));
}

void refuse_inputs(const image_io::FileSet& inputs, const std::string& option, const std::string& output) {
    const std::string* input = nullptr;
    try {
        input = inputs.find(output);
    } catch (const UserError& error) {
        throw UserError(option + output + ": " + error.what());
    }
    if (input != nullptr)
        throw UsageError(option + output + ": it would overwrite the input " + *input + "; choose another name");
}

std::string OutputNames::name(const std::string& pattern, const std::string& input, int page) {
    std::string output = filled_in(pattern, kStem, std::filesystem::path(input).stem().string());
    if (page >= 0) output = output_of_page(output, page);
    refuse_inputs(inputs_, option_, output);
    const auto [other, is_new] = taken_.emplace(image_io::final_path(output), input);
    if (!is_new)
        throw UsageError(option_ + output + ": it would be the output of both " + other->second + " and " + input +
                         "; give the inputs different names");
    return output;
}

void PageOutputs::take(const std::string& output) {
    refuse_inputs(inputs_, "-o ", output);
    const std::lock_guard lock(mutex_);
    if (!taken_.insert(image_io::final_path(output)).second)
        throw UserError("-o " + output + ": it is the output of another page; put {stem} and {page} apart");
}

}  // namespace tonescope
