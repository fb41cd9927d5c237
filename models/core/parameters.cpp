#include "core/parameters.h"

#include <algorithm>

#include "core/error.h"
#include "core/json.h"

namespace noctule {

Value::Value(std::nullptr_t) : json_(std::make_shared<const Json>()) {}
Value::Value(bool value) : json_(std::make_shared<const Json>(value)) {}
Value::Value(std::int64_t value) : json_(std::make_shared<const Json>(value)) {}
Value::Value(std::uint64_t value) : json_(std::make_shared<const Json>(value)) {}
Value::Value(double value) : json_(std::make_shared<const Json>(value)) {}
Value::Value(const char* value) : json_(std::make_shared<const Json>(value)) {}
Value::Value(const std::string& value) : json_(std::make_shared<const Json>(value)) {}
Value::Value(const Json& value) : json_(std::make_shared<const Json>(value)) {}

Parameters::Parameters() : values_(std::make_unique<Json>(Json::object())) {}
Parameters::Parameters(const Json& values) : values_(std::make_unique<Json>(values)) {}
Parameters::Parameters(const Parameters& other) : Parameters(*other.values_) {}
Parameters::Parameters(Parameters&&) noexcept = default;
Parameters& Parameters::operator=(const Parameters& other) {
  values_ = std::make_unique<Json>(*other.values_);
  return *this;
}
Parameters& Parameters::operator=(Parameters&&) noexcept = default;
Parameters::~Parameters() = default;

bool Parameters::has(const std::string& name) const {
  return values_->contains(name) && !values_->at(name).is_null();
}

void Parameters::set(const std::string& name, const Value& value) {
  (*values_)[name] = *value;
}

Parameters Parameters::defaults(const std::vector<Parameter>& declared) {
  Parameters p;
  for (const auto& d : declared) p.set(d.name, d.default_value);
  return p;
}

template bool Parameters::get(const std::string&) const;
template int Parameters::get(const std::string&) const;
template std::uint16_t Parameters::get(const std::string&) const;
template unsigned Parameters::get(const std::string&) const;
template std::int64_t Parameters::get(const std::string&) const;
template std::uint64_t Parameters::get(const std::string&) const;
template double Parameters::get(const std::string&) const;
template std::string Parameters::get(const std::string&) const;
template std::vector<bool> Parameters::get(const std::string&) const;
template std::vector<std::int64_t> Parameters::get(const std::string&) const;
template std::vector<std::uint64_t> Parameters::get(const std::string&) const;
template std::vector<double> Parameters::get(const std::string&) const;
template std::vector<std::string> Parameters::get(const std::string&) const;

std::size_t choice_index(const Parameters& parameters, const std::string& name,
                         const std::vector<std::string>& choices, const std::string& section) {
  const auto given = parameters.get<std::string>(name);
  const auto found = std::find(choices.begin(), choices.end(), given);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  std::string known;
  for (const auto& c : choices) known += (known.empty() ? "" : ", ") + c;
  throw ConfigError(section + "." + name, "'" + given + "' is not allowed; allowed: " + known);
}

}  // namespace noctule
