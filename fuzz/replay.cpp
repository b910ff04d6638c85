// replay FOLDER: runs all targets over their seeds, and over what lies in FOLDER/TARGET.
// replay --write FOLDER: writes the seeds to FOLDER/TARGET and the dictionaries to FOLDER/TARGET.dict.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/target.h"

namespace {
namespace fs = std::filesystem;
using namespace tonescope::fuzz;

Bytes read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), {});
}

void write_file(const fs::path& path, const auto& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    if (!file.flush()) fail("cannot write " + path.string());
}

void write_all(const fs::path& folder) {
    for (const Target& target : targets()) {
        fs::create_directories(folder / target.name);
        for (size_t i = 0; i < target.seeds.size(); ++i)
            write_file(folder / target.name / ("seed-" + std::to_string(i)), target.seeds[i]);
        std::string words;
        for (const std::string& word : target.dictionary) {
            if (word.empty()) continue;  // libFuzzer would refuse the file
            words += '"';
            for (const char c : word) {
                char hex[5];
                std::snprintf(hex, sizeof hex, "\\x%02x", unsigned(uint8_t(c)));
                words += hex;
            }
            words += "\"\n";
        }
        write_file(folder / (target.name + ".dict"), words);
    }
}

void run_all(const fs::path& folder) {
    for (const Target& target : targets()) {
        const auto run = [&](const std::string& name, const Bytes& bytes) {
            std::printf("%s\n", name.c_str());  // the last one of a run that ends here is the guilty one
            std::fflush(stdout);
            target.run(bytes);
        };
        run(target.name + ", nothing", {});
        for (size_t i = 0; i < target.seeds.size(); ++i)
            run(target.name + ", seed " + std::to_string(i), target.seeds[i]);
        if (!fs::is_directory(folder / target.name)) continue;
        for (const auto& entry : fs::directory_iterator(folder / target.name))
            run(entry.path().string(), read_file(entry.path()));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "--write") {
        write_all(argv[2]);
        return 0;
    }
    run_all(argc == 2 ? argv[1] : ".");
}
