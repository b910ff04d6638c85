// The table of formats, and what has to agree with it: files, samples, documents and the desktop file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "app/image_io/formats.h"
#include "gpu/core/text.h"
#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

using image_io::Format;
using image_io::formats;

std::string read_text(const std::string& path) {
    const Bytes bytes = read_bytes(path);
    EXPECT_FALSE(bytes.empty()) << path;
    return {bytes.begin(), bytes.end()};
}

TEST(FormatTable, EveryFormatHasAFileAndSamples) {
    for (const Format& format : formats()) {
        std::string file(format.name);
        for (char& c : file) c = char(std::tolower(static_cast<unsigned char>(c)));
        EXPECT_TRUE(std::filesystem::exists(TONESCOPE_SOURCE_DIR "/app/image_io/formats/" + file + ".cpp"))
            << format.name;
        int samples = 0;
        for (const Sample& sample : all_samples()) {
            const bool named = std::ranges::count(format.extensions, extension_of(sample.name)) > 0;
            const std::string_view head(reinterpret_cast<const char*>(sample.bytes.data()), sample.bytes.size());
            samples += named ? 1 : 0;
            if (!named && !format.has_magic) continue;
            EXPECT_EQ(format.recognizes(head), named) << format.name << " and " << sample.name;
        }
        EXPECT_GT(samples, 0) << format.name;
    }
}

TEST(FormatTable, ExtensionsAndTypesAreUnique) {
    std::set<std::string_view> extensions, types;
    for (const Format& format : formats()) {
        EXPECT_FALSE(format.extensions.empty() || format.mime_types.empty()) << format.name;
        for (const auto& list : {format.extensions, format.opened_extensions})
            for (const std::string_view extension : list) {
                EXPECT_TRUE(extensions.insert(extension).second) << extension;
                EXPECT_TRUE(looks_like_image("a." + std::string(extension))) << extension;
                EXPECT_EQ(can_save_as("a." + std::string(extension)),
                          format.save != nullptr && std::ranges::count(format.extensions, extension) > 0)
                    << extension;
            }
        for (const std::string_view type : format.mime_types) EXPECT_TRUE(types.insert(type).second) << type;
    }
}

TEST(FormatTable, TheDesktopFileNamesItsTypes) {
    std::string expected = "\nMimeType=";
    for (const Format& format : formats())
        for (const std::string_view type : format.mime_types) expected += std::string(type) + ";";
    EXPECT_NE(read_text(TONESCOPE_DESKTOP_FILE).find(expected), std::string::npos) << expected;
}

TEST(FormatTable, TheReadmeNamesItsFormats) {
    EXPECT_NE(read_text(TONESCOPE_SOURCE_DIR "/README.md").find(format_names(image_io::Use::open, "and")),
              std::string::npos);
}

}  // namespace
}  // namespace tonescope::test
