#include "tb/plug_ins.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <iterator>
#include <set>

#include "config/decoder.h"
#include "config/merge.h"
#include "config/schema.h"
#include "core/data_files.h"
#include "core/error.h"
#include "core/foreign_code.h"
#include "core/json.h"
#include "core/registry.h"
#include "nodes/node_description.h"
#include "routing/relation.h"
#include "tb/options.h"
#include "tb/plug_in_end.h"

namespace noctule {
namespace {

constexpr int kLoaded = 77;            ///< exit code; an initializer may end the process with 0
constexpr unsigned kLongestLoad = 60;  ///< seconds

/// Loads the library in a child process first: what its initializers throw leaves the loader in a state that
/// nothing can go on from.
void try_library(const std::string& library, const std::string& path) {
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child == 0) {
    std::set_terminate([] { _exit(kDoesNotHold); });
    ::alarm(kLongestLoad);
    try {
      (void)dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);  // whoever asks again gets the reason of a failure
    } catch (...) {
      _exit(kDoesNotHold);
    }
    _exit(kLoaded);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kLoaded) return;
  throw ConfigError("--load " + library,
                    WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM
                        ? fmt::format("an initializer of the library has not ended after {} s", kLongestLoad)
                        : "an initializer of the library threw an exception, crashed or ended the program "
                          "while it was loaded");
}

void* open_library(const std::string& library) {
  if (is_cxx_source(library))
    throw ConfigError(
        "--load " + library,
        fmt::format("this is C++, and no library; `noctule plug-in {}` makes one of it", library));
  // Without a slash dlopen would search the system's folders.
  const std::string path = library.find('/') == std::string::npos ? "./" + library : library;
  try_library(library, path);
  return dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
}

/// The keys that every entry of a kind has besides its own, the one that chooses it among them.
std::set<std::string> common_keys(const std::string& kind) {
  std::set<std::string> keys;
  visit_keys([&](const std::string&, const Parameter& p) {
    if (p.type != Parameter::Type::kVariant || p.registry != kind) return;
    keys.insert(p.discriminator);
    for (const auto& field : p.fields) keys.insert(field.name);
  });
  return keys;
}

/// What is wrong with the keys that an entry declares; empty: nothing.
std::string wrong_declaration(const std::string& kind, const RegistryEntryInfo& entry) {
  if (entry.name.empty()) return "has no name";
  std::set<std::string> names = common_keys(kind);
  for (const auto& p : entry.parameters) {
    if (p.name.empty()) return "declares a key without a name";
    if (!names.insert(p.name).second)
      return fmt::format("declares the key '{}', which every {} has, or which it declares twice", p.name,
                         kind);
    if (p.default_value->is_null()) continue;
    Faults faults;
    (void)decode_value(p, node_from_json(p.default_value, {}), p.name, faults);
    if (!faults.empty())
      return fmt::format("declares the key '{}' with a default that it does not allow: {}", p.name,
                         faults.front().message);
  }
  return {};
}

/// What is wrong with the preset of a node model; empty: nothing.
std::string wrong_preset(const std::string& name) {
  const NodePreset preset = ask_part("node.model", "the preset", NodeRegistry::instance().at(name).make);
  const auto& routing = preset.routing.empty() ? std::string("dimension_order") : preset.routing;
  const auto* relation = RoutingRegistry::instance().find(routing);
  if (relation == nullptr) return fmt::format("presets routing '{}', which nobody has registered", routing);
  const auto wrong = [](const Parameters& keys, const std::vector<Parameter>& declared, const char* section) {
    if (!keys.json().is_object()) return fmt::format("presets a {} that is no set of keys", section);
    for (const auto& [key, value] : keys.json().items()) {
      const auto p = std::ranges::find(declared, key, &Parameter::name);
      if (p == declared.end()) return fmt::format("presets {}.{}, and there is no such key", section, key);
      Faults faults;
      (void)decode_value(*p, node_from_json(value, {}), key, faults);
      if (!faults.empty()) return fmt::format("presets {}.{}: {}", section, key, faults.front().message);
    }
    return std::string();
  };
  const auto text = wrong(preset.keys, node_parameters(), "node");
  return text.empty() ? wrong(preset.routing_keys, relation->parameters, "routing") : text;
}

void add(std::vector<Diagnostic>& wrong, const std::string& library, std::string text) {
  wrong.push_back({"--load " + library, std::move(text), ""});
}

}  // namespace

Entries registered_entries() {
  Entries all;
  for (const auto& kind : Catalog::instance().kinds())
    for (const auto* entry : Catalog::instance().entries(kind)) all.emplace(kind, entry->name);
  return all;
}

bool is_cxx_source(const std::string& file) {
  return file.ends_with(".cpp") || file.ends_with(".cc") || file.ends_with(".cxx");
}

std::filesystem::path plug_in_headers() {
  const std::filesystem::path header = "routing/relation.h";
  for (const char* folder : {"models", "../../include/noctule"})
    if (const auto found = find_data(folder / header); !found.empty())
      return found.parent_path().parent_path();
  return {};
}

void load_plug_ins(const std::vector<std::string>& libraries) {
  if (!libraries.empty()) tell_of_sudden_ends(libraries);
  std::vector<Diagnostic> wrong;
  std::set<void*> loaded;
  const auto& problems = Catalog::instance().problems();
  wrong.reserve(problems.size());
  for (const auto& problem : problems) wrong.push_back({"", problem, ""});
  std::vector<std::pair<std::string, std::string>> models;  // (library, node model)
  for (const auto& library : libraries) {
    const Entries before = registered_entries();
    const std::size_t known = problems.size();
    void* const handle = open_library(library);
    if (handle == nullptr) {
      add(wrong, library, fmt::format("cannot be loaded: {}", dlerror()));
      continue;
    }
    if (!loaded.insert(handle).second) continue;  // named twice
    for (std::size_t i = known; i < problems.size(); ++i) add(wrong, library, problems[i]);
    Entries added;
    const Entries after = registered_entries();
    std::ranges::set_difference(after, before, std::inserter(added, added.end()));
    if (added.empty() && known == problems.size())
      add(wrong, library,
          "registers nothing: a plug-in has at least one Registration object of a topology, routing "
          "relation, "
          "pattern, source, sink, multicast planner or node model");
    for (const auto& [kind, name] : added) {
      if (kind == NodeTraits::kind) models.emplace_back(library, name);
      if (const auto text = wrong_declaration(kind, *Catalog::instance().find(kind, name)); !text.empty())
        add(wrong, library, fmt::format("the {} '{}' {}", kind, name, text));
    }
  }
  for (const auto& [library, name] : models) {
    std::string text;
    try {
      text = wrong_preset(name);
    } catch (const ConfigError& error) {
      text = error.diagnostics().front().message;
    }
    if (!text.empty()) add(wrong, library, fmt::format("the node model '{}': {}", name, text));
  }
  if (!wrong.empty()) throw ConfigError(std::move(wrong));
}

}  // namespace noctule
