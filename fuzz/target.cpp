#include "fuzz/target.h"

#include <cstdio>
#include <cstdlib>

namespace tonescope::fuzz {
namespace {

/// Called once everything that registers itself before main() is there.
using Adders = std::vector<void (*)(std::vector<Target>&)>;
Adders& adders() {
    static Adders all;
    return all;
}

}  // namespace

Registration::Registration(void (*add)(std::vector<Target>&)) {
    adders().push_back(add);
}

std::vector<Target>& targets() {
    static std::vector<Target> all = [] {
        std::vector<Target> made;
        for (const auto add : adders()) add(made);
        std::ranges::sort(made, {}, &Target::name);
        return made;
    }();
    return all;
}

const Target& find_target(const std::string& name) {
    for (const Target& target : targets())
        if (target.name == name) return target;
    std::fprintf(stderr, "no target %s\n", name.c_str());
    std::exit(2);
}

void fail(const std::string& what) {
    std::fprintf(stderr, "DEFECT: %s\n", what.c_str());
    std::abort();
}

}  // namespace tonescope::fuzz
