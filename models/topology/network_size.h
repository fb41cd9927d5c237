#pragma once
// How large a network is, before it is built.

namespace noctule {

struct NetworkSize {
  double routers = 0;
  double links = 0;  ///< directed
};

}  // namespace noctule
