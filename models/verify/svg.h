#pragma once
// Elements of SVG documents.

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "verify/drawing_layout.h"

namespace noctule::svg {

/// As text or attribute of an XML document.
inline std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:  // XML 1.0 has no way to write control characters
        safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  return safe;
}

/// A coordinate, to a tenth of a pixel.
inline std::string number(double v) {
  return fmt::format("{:g}", std::round(v * 10) / 10 + 0.0);
}

inline std::string polyline(const std::vector<Point>& line, const std::string& style) {
  std::string points;
  for (const Point p : line)
    points += fmt::format("{}{},{}", points.empty() ? "" : " ", number(p.x), number(p.y));
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>\n", points, style);
}

inline std::string arrow_head(Point tip, Point along, double size, const std::string& paint) {
  const Point base = tip - along * size;
  const Point left = base - right_of(along) * (size * 0.5);
  const Point right = base + right_of(along) * (size * 0.5);
  return fmt::format("<polygon points=\"{},{} {},{} {},{}\" fill=\"{}\"/>\n", number(tip.x), number(tip.y),
                     number(right.x), number(right.y), number(left.x), number(left.y), paint);
}

}  // namespace noctule::svg
