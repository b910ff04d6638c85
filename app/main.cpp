// Tonescope: chooses the mode and turns errors into one line and an exit status.
#include <exception>
#include <iostream>
#include <new>

#include "app/cli/modes.h"
#include "app/options/options.h"
#include "app/system/ending.h"
#include "app/system/text_file.h"
#include "app/window/window.h"
#include "gpu/core/error.h"

namespace {

using namespace tonescope;

int run(int argc, char** argv) {
    Options options;
    if (const std::optional<int> status = parse_options(argc, argv, options)) return *status;
    switch (options.mode) {
        case Options::Mode::window:
        case Options::Mode::screenshot:
            check_window_outputs(options);
            return run_window(options);
        case Options::Mode::headless:
            return run_headless(options);
        case Options::Mode::compare:
            return run_compare(options);
        case Options::Mode::list:
            return run_list(options);
        case Options::Mode::info:
            return run_info(options);
    }
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    prepare_to_end();
    try {
        const int status = run(argc, argv);
        if (!std::cout.flush()) throw UserError("standard output cannot be written");
        return status;
    } catch (const UsageError& error) {
        print_error(error.what());
        return 2;
    } catch (const std::bad_alloc&) {
        print_error("not enough memory");
    } catch (const std::exception& error) {
        print_error(error.what());
    }
    return 1;
}
