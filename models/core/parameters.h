#pragma once
// What a configurable thing says about its own keys. Decoding, error messages, `noctule list NAME`, the
// commented reference and the fuzz tests are all derived from these declarations.

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace noctule {

/// Resolved values, in the order of their declaration. Complete in core/json.h.
using Json = nlohmann::ordered_json;

/// A constant JSON value, for those who only write one down: they need not compile core/json.h.
class Value {
 public:
  Value(std::nullptr_t = nullptr);  // NOLINT(google-explicit-constructor): as Json
  Value(bool value);                // NOLINT(google-explicit-constructor)
  Value(std::int64_t value);        // NOLINT(google-explicit-constructor)
  Value(std::uint64_t value);       // NOLINT(google-explicit-constructor)
  Value(double value);              // NOLINT(google-explicit-constructor)
  Value(const char* value);         // NOLINT(google-explicit-constructor)
  Value(const std::string& value);  // NOLINT(google-explicit-constructor)
  Value(const Json& value);         // NOLINT(google-explicit-constructor)
  template <std::integral T>
  Value(T value)  // NOLINT(google-explicit-constructor)
      : Value(static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value)) {}

  operator const Json&() const { return *json_; }  // NOLINT(google-explicit-constructor)
  const Json& operator*() const { return *json_; }
  const Json* operator->() const { return json_.get(); }

 private:
  std::shared_ptr<const Json> json_;
};

/// Declaration of one key. Build with the named constructors below and refine with the setters.
struct Parameter {
  enum class Type {
    kBoolean,
    kInteger,   ///< 64-bit, within [minimum, maximum]
    kReal,      ///< finite, within [minimum, maximum]
    kText,      ///< any string
    kChoice,    ///< one of `choices`
    kList,      ///< list of `fields[0]`, between minimum and maximum elements
    kSection,   ///< map with exactly the keys of `fields`
    kNamed,     ///< map of names that the user chooses to sections of `fields[0]`, at most `maximum`
    kSettings,  ///< map of dotted configuration keys to values, lists or ranges (sweep axes, overrides)
    kLabels,    ///< map of free field names to a scalar or a list of scalars (VC selectors)
    kVariant    ///< one entry of registry `registry`, chosen by the key `discriminator`
  };

  std::string name;
  Type type = Type::kText;
  std::string unit;     ///< "flits", "cycles", ...; empty: a pure number or no number
  Value default_value;  ///< null and !required: the key may be absent and then has no value
  bool required = false;
  double minimum = std::numeric_limits<double>::lowest();
  double maximum = std::numeric_limits<double>::max();
  bool above_minimum = false;        ///< the minimum itself is not allowed
  std::vector<std::string> choices;  ///< kChoice: the values; numbers: words allowed besides ("all", "auto")
  std::vector<Parameter> fields;     ///< kSection: its keys; kList, kNamed: one element declaration
  std::string registry;              ///< kVariant: kind of the registry, e.g. "routing"
  std::string discriminator;         ///< kVariant: the key that holds the entry's name, e.g. "algorithm"
  std::string description;           ///< one line; what it stands for in hardware where that applies
  std::string alternative;           ///< key of the same section that this one stands in place of, if any
  bool optional = false;             ///< kSection: absent, with all that is in it, unless it is given
  bool or_list = false;              ///< kText: a list of texts is allowed, too
  bool is_file = false;              ///< kText: path of a file, relative to the configuration that gives it

  static Parameter boolean(std::string name, bool value, std::string description) {
    return make(std::move(name), Type::kBoolean, value, std::move(description));
  }
  static Parameter integer(std::string name, Value value, std::int64_t low, std::int64_t high,
                           std::string unit, std::string description) {
    auto p = make(std::move(name), Type::kInteger, std::move(value), std::move(description));
    p.minimum = static_cast<double>(low);
    p.maximum = static_cast<double>(high);
    p.unit = std::move(unit);
    return p;
  }
  static Parameter real(std::string name, Value value, double low, double high, std::string unit,
                        std::string description) {
    auto p = make(std::move(name), Type::kReal, std::move(value), std::move(description));
    p.minimum = low;
    p.maximum = high;
    p.unit = std::move(unit);
    return p;
  }
  static Parameter text(std::string name, Value value, std::string description) {
    return make(std::move(name), Type::kText, std::move(value), std::move(description));
  }
  /// Path of a file to read; resolved values are absolute.
  static Parameter file(std::string name, std::string description) {
    auto p = text(std::move(name), nullptr, std::move(description));
    p.is_file = true;
    return p;
  }
  static Parameter choice(std::string name, Value value, std::vector<std::string> choices,
                          std::string description) {
    auto p = make(std::move(name), Type::kChoice, std::move(value), std::move(description));
    p.choices = std::move(choices);
    return p;
  }
  static Parameter list(std::string name, Value value, Parameter element, std::size_t least, std::size_t most,
                        std::string description) {
    auto p = make(std::move(name), Type::kList, std::move(value), std::move(description));
    p.fields.push_back(std::move(element));
    p.minimum = static_cast<double>(least);
    p.maximum = static_cast<double>(most);
    return p;
  }
  static Parameter section(std::string name, std::vector<Parameter> fields, std::string description) {
    auto p = make(std::move(name), Type::kSection, nullptr, std::move(description));
    p.fields = std::move(fields);
    return p;
  }
  static Parameter named(std::string name, Parameter element, std::size_t most, std::string description) {
    auto p = make(std::move(name), Type::kNamed, nullptr, std::move(description));
    p.fields.push_back(std::move(element));
    p.maximum = static_cast<double>(most);
    return p;
  }
  /// `fields` are keys that every entry of the registry understands, besides its own.
  static Parameter variant(std::string name, std::string registry, std::string discriminator, Value value,
                           std::vector<Parameter> fields, std::string description) {
    auto p = make(std::move(name), Type::kVariant, std::move(value), std::move(description));
    p.registry = std::move(registry);
    p.discriminator = std::move(discriminator);
    p.fields = std::move(fields);
    return p;
  }
  static Parameter settings(std::string name, std::string description) {
    return make(std::move(name), Type::kSettings, nullptr, std::move(description));
  }
  static Parameter labels(std::string name, std::string description) {
    return make(std::move(name), Type::kLabels, nullptr, std::move(description));
  }

  /// Of a text that may be several: the list of them.
  [[nodiscard]] static Parameter several_of(const Parameter& text) {
    return list(text.name, nullptr, Parameter::text("text", nullptr, ""), 1, 4096, text.description);
  }

  /// Whether its value is a map of further keys.
  [[nodiscard]] bool holds_keys() const {
    return type == Type::kSection || type == Type::kVariant || type == Type::kSettings ||
           type == Type::kNamed;
  }

  /// Words that are allowed in place of a number, such as "auto".
  Parameter& or_word(std::string word) {
    choices.push_back(std::move(word));
    return *this;
  }
  Parameter& or_several() {
    or_list = true;
    return *this;
  }
  Parameter& mandatory() {
    required = true;
    return *this;
  }
  /// A section that stands for something by being there.
  Parameter& only_if_given() {
    optional = true;
    return *this;
  }
  /// Not both: giving this key drops an inherited or default `other`; giving both is an error.
  Parameter& instead_of(std::string other) {
    alternative = std::move(other);
    return *this;
  }
  Parameter& exclusive_minimum() {
    above_minimum = true;
    return *this;
  }

 private:
  static Parameter make(std::string name, Type type, Value value, std::string description) {
    Parameter p;
    p.name = std::move(name);
    p.type = type;
    p.default_value = std::move(value);
    p.description = std::move(description);
    return p;
  }
};

/// The resolved keys of one object: every declared key is present, with its default filled in.
class Parameters {
 public:
  Parameters();
  explicit Parameters(const Json& values);
  Parameters(const Parameters& other);
  Parameters(Parameters&&) noexcept;
  Parameters& operator=(const Parameters& other);
  Parameters& operator=(Parameters&&) noexcept;
  ~Parameters();

  [[nodiscard]] bool has(const std::string& name) const;
  /// T: bool, an integer, double, std::string or a vector of them; others need core/json.h.
  template <class T>
  [[nodiscard]] T get(const std::string& name) const;
  template <class T>
  [[nodiscard]] T get(const std::string& name, T otherwise) const {
    return has(name) ? get<T>(name) : std::move(otherwise);
  }
  [[nodiscard]] const Json& json() const noexcept { return *values_; }
  void set(const std::string& name, const Value& value);

  /// The defaults of a list of declarations; for building objects from C++ without a file.
  static Parameters defaults(const std::vector<Parameter>& declared);

 private:
  std::unique_ptr<Json> values_;
};

/// Value of a choice parameter, as an index into `choices`; ConfigError (key "SECTION.NAME") for anything
/// else.
std::size_t choice_index(const Parameters& parameters, const std::string& name,
                         const std::vector<std::string>& choices, const std::string& section = "routing");

}  // namespace noctule
