#pragma once
// Calls into parts that somebody else may have written: whatever they throw becomes a message that names the
// key under which the part was chosen. Costs nothing where nothing is thrown.

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "core/error.h"

namespace noctule {

/// Returns f(). What it throws, other than ConfigError, InternalError and lack of memory, becomes a
/// ConfigError of `key`: "PART failed: it threw '...'". `part`: "the relation", "the pattern", ...
template <class F>
decltype(auto) ask_part(const char* key, const char* part, F&& f) {
  try {
    return std::forward<F>(f)();
  } catch (const ConfigError&) {
    throw;
  } catch (const InternalError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw ConfigError(key, std::string(part) + " failed: it threw '" + error.what() + "'");
  } catch (...) {
    throw ConfigError(key, std::string(part) + " failed: it threw something that is no std::exception");
  }
}

/// The same for a function that makes a part; making none is refused too.
template <class F>
auto make_part(const char* key, const char* part, F&& f) {
  auto made = ask_part(key, part, std::forward<F>(f));
  if (made == nullptr) throw ConfigError(key, std::string(part) + " failed: its factory made nothing");
  return made;
}

}  // namespace noctule
