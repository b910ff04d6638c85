// One lambda for each alternative of a std::variant.
#pragma once

namespace tonescope {

template <class... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};

}  // namespace tonescope
