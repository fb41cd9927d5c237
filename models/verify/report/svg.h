#pragma once
// Elements of SVG documents. Written here: a picture needs some ten kinds of elements, and a library that
// lays out graphs (Graphviz) puts routers where its forces want them, not where the topology has them.

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "verify/report/drawing_layout.h"

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

/// A router; `half`: half its side.
inline std::string box(Point at, double half, const char* fill, const char* stroke) {
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\" stroke=\"{}\"/>\n",
      number(at.x - half), number(at.y - half), number(2 * half), number(2 * half), fill, stroke);
}

inline std::string caption(const Caption& caption) {
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"{}\" fill=\"#555\">{}</text>\n",
                     number(caption.at.x), number(caption.at.y), caption.anchor, escaped(caption.text));
}

inline constexpr double kMargin = 24;         ///< around a page
inline constexpr double kNoteLetter = 6.6;    ///< width of a letter of a note, generously
inline constexpr double kTitleLetter = 10.5;  ///< and of the title

/// What is below the title and so many notes begins here.
inline double below_notes(std::size_t notes) {
  return 40 + 18 * static_cast<double>(notes);
}

/// A document: the title, notes below it, then the body, then what has its own place. Without margins.
inline std::string page(double width, double height, const std::string& title,
                        const std::vector<std::string>& notes, const std::string& body,
                        const std::string& rest = "") {
  std::string head;
  double y = 42;
  for (const auto& note : notes) {
    head += fmt::format("<text x=\"0\" y=\"{}\" font-size=\"12\" fill=\"#555\">{}</text>\n", number(y),
                        escaped(note));
    y += 18;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n<g transform=\"translate({3} {3})\">\n"
      "<text x=\"0\" y=\"16\" font-size=\"17\" font-weight=\"bold\">{2}</text>\n{4}"
      "<g transform=\"translate(0 {5})\">\n{6}</g>\n{7}</g>\n</svg>\n",
      number(std::ceil(width + 2 * kMargin)), number(std::ceil(height + 2 * kMargin)), escaped(title),
      number(kMargin), head, number(below_notes(notes.size())), body, rest);
}

}  // namespace noctule::svg
