#pragma once
// The declaration of the whole configuration file. Everything that is known about keys derives from it:
// decoding, messages, the commented reference, `noctule list`, the mutations of the fuzz test.

#include <functional>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "core/registry.h"

namespace noctule {

/// The whole file as one section. Entries of registries (topologies, relations, ...) are looked up by name
/// when they are needed, so that what a plug-in registers later is part of it.
const Parameter& configuration_schema();

/// The entry of a variant's registry, or null.
const RegistryEntryInfo* find_entry(const Parameter& variant, const std::string& name);
/// Names of all entries of a variant's registry, sorted.
std::vector<std::string> entry_names(const Parameter& variant);
/// Keys of a variant once its entry is known (null: unknown): the discriminator, the common keys, its own.
std::vector<Parameter> variant_fields(const Parameter& variant, const RegistryEntryInfo* entry);

/// Declarations that a dotted key can mean, e.g. "routing.vc_rule". Variants are searched through all their
/// entries, so there may be several; none: no such key, and `nearest` is set to what was probably meant.
std::vector<Parameter> find_declarations(const std::string& dotted_key, std::string& nearest);

/// The key that a dotted key stands for where it names a variant, the one that chooses its entry:
/// "routing.algorithm" of "routing". Others, and what is no key, stay.
std::string choosing_key(const std::string& dotted_key);

/// Calls f(dotted key, declaration) for every key, sections before what is in them; elements of lists are
/// "key[]". Each entry of a variant is visited as "routing{oblivious}.key".
void visit_keys(const std::function<void(const std::string&, const Parameter&)>& f);

/// What a declaration allows, in words: "an integer, 1 to 64 cycles, or auto".
std::string allowed_values(const Parameter& declaration);

/// Is it a list of numbers of terminals or routers, by the name of its elements? Ranges may stand in such a
/// list.
bool takes_ranges(const Parameter& declaration);

/// "topology.radix" from "topology" and "radix".
std::string join_key(const std::string& parent, const std::string& key);
/// Splits at dots; "a..b" gives an empty part.
std::vector<std::string> split_key(const std::string& dotted_key);
/// Is `key` this one, or in it, as "links[0].set" is in "links"?
bool is_within(const std::string& key, const std::string& section);
/// Does one of two dotted keys stand in place of the other (Parameter::alternative)?
bool displace_each_other(const std::string& key, const std::string& other);

}  // namespace noctule
