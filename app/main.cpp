// Tonescope: chooses the mode and turns errors into one line and an exit status.
#include <cxxabi.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>
#include <typeinfo>

#include "app/batch/mask.h"
#include "app/cli/modes.h"
#include "app/image_io/decoding/decoding.h"
#include "app/image_io/temporary_name.h"
#include "app/options/options.h"
#include "app/system/device_answer.h"
#include "app/system/ending.h"
#include "app/system/text_file.h"
#include "app/window/window.h"
#include "gpu/core/error.h"

namespace {

using namespace tonescope;

/// Where memory runs out and no exception can pass (the start before main(), a library's noexcept code, an exception
/// that finds no room itself), the program ends as after any error. It takes no memory.
class MemoryEnd {
  public:
    MemoryEnd() { usual_ = std::set_terminate(end); }

  private:
    [[noreturn]] static void end() {
        const std::type_info* const thrown = abi::__cxa_current_exception_type();
        void* const probe = std::malloc(kProbe_bytes);
        std::free(probe);
        if (probe != nullptr && (thrown == nullptr || *thrown != typeid(std::bad_alloc))) usual_();
        constexpr std::string_view line = "tonescope: not enough memory\n";  // std::cerr may not be there yet
        (void)!write(STDERR_FILENO, line.data(), line.size());
        image_io::remove_temporary_files();
        _exit(1);
    }

    static constexpr size_t kProbe_bytes = 4096;
    inline static std::terminate_handler usual_ = nullptr;
};
// Before operators and variants register themselves.
[[gnu::init_priority(101)]] const MemoryEnd memory_end;

int run(int argc, char** argv) {
    Options options;
    if (const std::optional<int> status = parse_options(argc, argv, options)) return *status;
    if (options.mode != Options::Mode::list && options.mode != Options::Mode::source &&
        options.mode != Options::Mode::code)
        sandbox::start();
    std::optional<SilenceGuard> silence;
    if (options.mode != Options::Mode::window && options.mode != Options::Mode::screenshot) silence.emplace();
    switch (options.mode) {
        case Options::Mode::window:
        case Options::Mode::screenshot:
            check_window_outputs(options);
            return run_window(options);
        case Options::Mode::headless:
            read_mask(options.part);
            return run_headless(options);
        case Options::Mode::sweep:
            read_mask(options.part);
            return run_sweep(options);
        case Options::Mode::suggest:
            return run_suggest(options);
        case Options::Mode::compare:
            return run_compare(options);
        case Options::Mode::list:
            return run_list(options);
        case Options::Mode::source:
            return run_source(options);
        case Options::Mode::code:
            return run_code(options);
        case Options::Mode::info:
            return run_info(options);
    }
    return 2;
}

/// Errors are told in one line.
int run_and_tell(int argc, char** argv) {
    try {
        const int status = run(argc, argv);
        if (!std::cout.flush()) throw UserError("standard output cannot be written");
        return status;
    } catch (const UsageError& error) {
        print_error(error.what());
        return 2;
    } catch (const std::bad_alloc&) {
        print_error("not enough memory");
    } catch (const std::system_error& error) {
        print_error(error.code() == std::errc::resource_unavailable_try_again ? "no more threads can be started"
                                                                              : error.what());
    } catch (const std::exception& error) {
        print_error(error.what());
    }
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (sandbox::is_supervisor(argc, argv)) {
        image_io::prepare_decoding();
        sandbox::supervise([](sandbox::Channel& channel) { image_io::serve_decoding(channel); });
    }
    prepare_to_end();
    const int status = run_and_tell(argc, argv);
    end_soon(status);
    return status;
}
