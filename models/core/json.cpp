#include "core/json.h"

#include <istream>
#include <ostream>

template class nlohmann::basic_json<nlohmann::ordered_map>;
template nlohmann::json nlohmann::json::parse<const char*>(const char*, const char*,
                                                           nlohmann::json::parser_callback_t, bool, bool);
