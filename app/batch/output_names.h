// Where the results of a batch go: names after a pattern, checked before anything is written.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/image_io/file.h"

namespace tonescope {

inline constexpr std::string_view kStem = "{stem}", kPage = "{page}";

/// The pattern with every `field` replaced.
std::string filled_in(std::string pattern, std::string_view field, const std::string& value);
/// The pattern itself; FOLDER/{stem}.png for an existing folder and for a name that ends in a slash.
std::string pattern_of(const std::string& name);
/// That pattern with {stem} filled in for an input.
std::string named_after(const std::string& pattern, const std::string& input);
/// The pattern that makes `path` of the input: {stem} in place of the input's stem in the name, where that stands there
/// by itself, between characters that are no letters and no digits. Else the path.
std::string pattern_from(const std::string& path, const std::string& input);
/// Whether pages go into files of their own: {page} is in the name.
bool has_page(const std::string& output);
/// The file of one page, counted from 0.
std::string output_of_page(const std::string& output, int page);

/// Throws UsageError where the output is one of the inputs; `option` is what the user knows it by.
void refuse_inputs(const image_io::FileSet& inputs, const std::string& option, const std::string& output);

/// Outputs as they are given out, no two of which are the same file, and none of them an input.
class OutputNames {
  public:
    OutputNames(const std::vector<std::string>& inputs, std::string option)
        : inputs_(inputs), option_(std::move(option)) {}
    /// The name for this input, of this page unless `page` is negative. Throws UsageError.
    std::string name(const std::string& pattern, const std::string& input, int page);

  private:
    const image_io::FileSet inputs_;
    const std::string option_;
    std::map<std::string, std::string> taken_;  // final path of an output: its input
};

/// Whether the files of pages may be written, which are known only once a file was read.
class PageOutputs {
  public:
    explicit PageOutputs(const std::vector<std::string>& inputs) : inputs_(inputs) {}
    /// Throws UsageError for an input, UserError for the file of another page.
    void take(const std::string& output);

  private:
    const image_io::FileSet inputs_;
    std::mutex mutex_;
    std::set<std::string> taken_;
};

}  // namespace tonescope
