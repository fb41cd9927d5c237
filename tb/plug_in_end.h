#pragma once
// A plug-in that ends the program: a message instead of silence.

#include <string>
#include <vector>

namespace noctule {

/// From now on, what crashes or calls exit() says so, and names these libraries; there are some. The process
/// that calls this ends with exit code 2 then; its children die of their signal, as without.
void tell_of_sudden_ends(const std::vector<std::string>& libraries);

}  // namespace noctule
