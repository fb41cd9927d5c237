// completion: a script for bash, from the commands, the declared keys and the registries.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <map>
#include <set>
#include <string>

#include "config/schema.h"
#include "core/registry.h"
#include "tb/command_line.h"

namespace noctule {
namespace {

/// Dotted keys that --set and --axis take, each with the words that it takes; none: it takes numbers or text.
std::map<std::string, std::set<std::string>> keys() {
  std::map<std::string, std::set<std::string>> all;
  visit_keys([&](const std::string& path, const Parameter& declaration) {
    if (path.find("[]") != std::string::npos || path.find('*') != std::string::npos) return;
    std::string key;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (path[i] == '{')
        i = path.find('}', i);
      else
        key += path[i];
    }
    if (declaration.type == Parameter::Type::kVariant) {
      for (const auto& name : entry_names(declaration)) all[key].insert(name);
      return;
    }
    if (declaration.holds_keys()) return;
    auto& words = all[key];
    words.insert(declaration.choices.begin(), declaration.choices.end());
    if (declaration.type == Parameter::Type::kBoolean) words.insert({"true", "false"});
  });
  // `node=four_classes` is short for `node.model=four_classes`; the name itself is a key, too.
  for (const Parameter& section : configuration_schema().fields)
    if (section.type == Parameter::Type::kVariant && !section.discriminator.empty())
      all[join_key(section.name, section.discriminator)] = all[section.name];
  return all;
}

std::set<std::string> names() {
  std::set<std::string> all;
  for (const auto& kind : Catalog::instance().kinds()) {
    all.insert(kind);
    for (const auto* entry : Catalog::instance().entries(kind)) all.insert(entry->name);
  }
  return all;
}

}  // namespace

int completion_command(const Options&) {
  std::string commands_text;
  std::string options_text;
  for (const Command& command : commands()) {
    commands_text += fmt::format("{}{}", commands_text.empty() ? "" : " ", command.name);
    options_text += fmt::format("    {}) options='{} --help' ;;\n", command.name, command.options);
  }
  std::string key_list;
  std::string values;
  for (const auto& [key, words] : keys()) {
    key_list += fmt::format("{}{}", key_list.empty() ? "" : " ", key);
    if (!words.empty()) values += fmt::format("    {}) words='{}' ;;\n", key, fmt::join(words, " "));
  }
  std::cout << fmt::format(R"(# Completion of noctule for bash. Made by `noctule completion`.
_noctule_values() {{
  local words=''
  case $1 in
{1}  esac
  COMPREPLY=($(compgen -W "$words" -- "${{2##*,}}"))
}}
_noctule() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before='' two='' three='' command='' format='' options='' i
  ((COMP_CWORD > 0)) && before=${{COMP_WORDS[COMP_CWORD - 1]}}
  ((COMP_CWORD > 1)) && two=${{COMP_WORDS[COMP_CWORD - 2]}}
  ((COMP_CWORD > 2)) && three=${{COMP_WORDS[COMP_CWORD - 3]}}
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in
      -* | = | '') ;;
      *) if [ -z "$command" ]; then command=${{COMP_WORDS[i]}}; elif [ -z "$format" ]; then format=${{COMP_WORDS[i]}}; fi ;;
    esac
  done
  case $command in
{0}  esac
  # Bash takes key=value for three words.
  if [ "$before" = = ] && [[ $three = --set || $three = --axis ]]; then _noctule_values "$two" "$word"; return; fi
  if [ "$word" = = ] && [[ $two = --set || $two = --axis ]]; then _noctule_values "$before" ''; return; fi
  case $before in
    --set | --axis)
      COMPREPLY=($(compgen -S = -W '{2}' -- "$word"))
      type compopt >/dev/null 2>&1 && compopt -o nospace 2>/dev/null
      return ;;
    --out) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --load | --events) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --seed | --threads | --message | --overhead) return ;;
  esac
  case $word in -*) COMPREPLY=($(compgen -W "${{options:---help --version}}" -- "$word")); return ;; esac
  case $command in
    '') COMPREPLY=($(compgen -W '{3}' -- "$word")) ;;
    list) COMPREPLY=($(compgen -W '{4}' -- "$word")) ;;
    import)
      if [ -z "$format" ]; then COMPREPLY=($(compgen -W 'booksim noxim' -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi ;;
    plug-in) COMPREPLY=($(compgen -f -X '!*.c[pcx]*' -- "$word") $(compgen -d -S / -- "$word")) ;;
    doctor | completion | man) ;;
    *)
      COMPREPLY=($(compgen -f -X '!*.yaml' -- "$word") $(compgen -d -S / -- "$word"))
      type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null ;;
  esac
  return 0
}}
complete -F _noctule noctule
)",
                           options_text, values, key_list, commands_text, fmt::join(names(), " "));
  return kDone;
}

}  // namespace noctule
