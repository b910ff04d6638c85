// --code: the operator and its parameters in another library's words.
#include <iostream>

#include "app/cli/modes.h"
#include "gpu/core/code/code.h"

namespace tonescope {

int run_code(const Options& options) {
    const RunSpec spec = resolve_run(options, BackendKind::cpu);
    std::cout << program_for(*spec.op, options.code, spec.params, spec.part);
    return 0;
}

}  // namespace tonescope
