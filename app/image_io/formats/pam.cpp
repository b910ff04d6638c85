// PAM: gray and RGB, with and without alpha, and any maxval.
#include <charconv>

#include "app/image_io/formats/netpbm.h"

namespace tonescope::image_io {
namespace {

constexpr size_t kLine_bytes = 1024;

std::string read_line(FileReader& file) {
    std::string line;
    for (int c = file.get(); c != '\n'; c = file.get()) {
        file.check();
        if (c == -1) refuse_damaged("it ends too early");
        if (line.size() == kLine_bytes) refuse_damaged("a line of its header is too long");
        line += char(c);
    }
    return line;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_netpbm_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_netpbm_space(text.back())) text.remove_suffix(1);
    return text;
}

struct TupleType {
    std::string_view name;
    int channels;
};
constexpr TupleType kTupleTypes[] = {
    {"BLACKANDWHITE", 1}, {"GRAYSCALE", 1},           {"RGB", 3},
    {"RGB_ALPHA", 4},     {"BLACKANDWHITE_ALPHA", 2}, {"GRAYSCALE_ALPHA", 2},
};

NetpbmHeader read_pam_header(FileReader& file) {
    read_line(file);  // "P7", known to the caller
    NetpbmHeader header{.channels = 0, .max = 0};
    uint32_t depth = 0;
    std::string type;
    while (true) {
        const std::string line = read_line(file);
        const std::string_view text = trimmed(line);
        if (text.empty() || text.front() == '#') continue;
        const size_t end = std::min(text.find_first_of(" \t"), text.size());
        const std::string_view key = text.substr(0, end), value = trimmed(text.substr(end));
        if (key == "ENDHDR") break;
        uint32_t* const number = key == "WIDTH"    ? &header.width
                                 : key == "HEIGHT" ? &header.height
                                 : key == "DEPTH"  ? &depth
                                 : key == "MAXVAL" ? &header.max
                                                   : nullptr;
        if (number != nullptr) {
            const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), *number);
            if (error != std::errc() || stop != value.data() + value.size())
                refuse_damaged("its " + std::string(key) + " is not a number");
        } else if (key == "TUPLTYPE") {
            type += (type.empty() ? "" : " ") + std::string(value);
        }
    }
    check_size(header.width, header.height);
    const auto* const known = std::ranges::find(kTupleTypes, type, &TupleType::name);
    const bool named = known != std::end(kTupleTypes);
    if (!type.empty() && !named)
        throw UserError("PAM with pixels of the kind " + clean_text(type) + " is not supported; save it as PNG");
    header.channels = int(std::min(depth, 5u));
    if (depth < 1 || depth > 4 || (named && known->channels != header.channels))
        refuse_damaged("its pixels have " + std::to_string(depth) + " channels");
    return header;
}

}  // namespace

LoadedImage load_pam(FileReader& file, const LoadRequest& request) {
    return read_netpbm_raster(file, read_pam_header(file), request.max_side_px);
}

void save_pam(FileWriter& file, const ImageView& image, const ParamBlock&) {
    const int channels = image.spec.channels();
    const std::string header = "P7\nWIDTH " + std::to_string(image.spec.width) + "\nHEIGHT " +
                               std::to_string(image.spec.height) + "\nDEPTH " + std::to_string(channels) + "\nMAXVAL " +
                               std::to_string(image.spec.max_sample) + "\nTUPLTYPE " +
                               (channels == 1   ? "GRAYSCALE"
                                : channels == 3 ? "RGB"
                                                : "RGB_ALPHA") +
                               "\nENDHDR\n";
    file.write(header.data(), header.size());
    write_rows(file, image, {.channels = channels, .big_endian = true});
}

}  // namespace tonescope::image_io
