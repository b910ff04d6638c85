#include "app/batch/output_names.h"

#include <cctype>
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

std::string pattern_from(const std::string& path, const std::string& input) {
    const std::string stem = std::filesystem::path(input).stem().string();
    const auto is_word = [&](size_t at) {
        const auto c = static_cast<unsigned char>(path[at]);
        return std::isalnum(c) != 0 || c >= 0x80;
    };
    const size_t name = path.rfind('/') + 1;  // 0 where there is none
    for (size_t at = path.find(stem, name); at != std::string::npos && !stem.empty(); at = path.find(stem, at + 1)) {
        const size_t end = at + stem.size();
        if ((at == name || !is_word(at - 1)) && (end == path.size() || !is_word(end)))
            return path.substr(0, at) + std::string(kStem) + path.substr(end);
    }
    return path;
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
