#include "core/json.h"

#include <istream>
#include <ostream>

template class nlohmann::basic_json<nlohmann::ordered_map>;
