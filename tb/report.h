#pragma once
// What a run says on the terminal when it is done.

#include <initializer_list>
#include <string>
#include <vector>

#include "core/parameters.h"

namespace noctule {

/// One line per point, aligned, units in the header; below them what a reader has to know of some of them.
/// `points`: the array of results.json; `config`: what all of them have in common.
std::string points_table(const Json& points, const Json& config);

/// Throughput and latency of each message class, and what single requesters get, of a few points; else empty.
std::string classes_text(const Json& points);

/// The value at a path, or null.
const Json* value_at(const Json& json, std::initializer_list<const char*> path);
/// The number at a path, or `otherwise`.
double number_at(const Json& json, std::initializer_list<const char*> path, double otherwise);
/// A number with so many digits behind the point; "-" for anything else.
std::string number_text(const Json* value, int digits);
/// A value as a table shows it.
std::string plain_text(const Json& value);
/// Keys of "set" in which the points, or rows with a "label" and a "set", differ, in order of first
/// appearance, without those that only repeat the label.
std::vector<std::string> swept_keys(const Json& points);
/// Rows of one length as columns.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// "3 stable, 1 saturated".
std::string status_summary(const Json& points);

}  // namespace noctule
