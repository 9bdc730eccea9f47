// SPDX-License-Identifier: MIT
#include "common/support/svg.hpp"

#include <cmath>

#include "common/support/words.hpp"

namespace plot {
namespace {

std::string escape(const Letters& text) { return escape_html(encode(text)); }

}  // namespace

// Colours after Okabe and Ito (2008), told apart with every kind of colour vision; darkened or lightened where the
// originals have too little contrast to the background.
const std::string_view svg_style =
    ".plot{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}"
    ".plot-page{fill:#fff}.plot-ink{fill:#1f2328}.plot-soft{fill:#59636e}.plot-title{font-size:16px;font-weight:600}"
    ".plot-grid{stroke:#e4e8ec}.plot-minor{stroke:#f1f3f5}.plot-axis{stroke:#818b98}.plot-level{stroke:#59636e}"
    ".plot-path{fill:none;stroke-linejoin:round}.plot-line{fill:none;stroke:currentColor;stroke-width:2;"
    "stroke-linejoin:round}.plot-dot{fill:currentColor;stroke:currentColor}"
    ".plot-0{color:#0072b2}.plot-1{color:#d55e00}.plot-2{color:#008a64}.plot-3{color:#b3588a}.plot-4{color:#a87400}"
    ".plot-5{color:#4a4f55}.plot-box{fill:#f3f5f7;stroke:#818b98}"
    "@media(prefers-color-scheme:dark){.plot-page{fill:#15191f}.plot-ink{fill:#e6edf3}.plot-soft{fill:#a0aab5}"
    ".plot-grid{stroke:#2b323b}.plot-minor{stroke:#1f252c}.plot-axis{stroke:#6e7884}.plot-level{stroke:#a0aab5}"
    ".plot-0{color:#56b4e9}.plot-1{color:#f0883e}.plot-2{color:#2fc79a}.plot-3{color:#e29cc4}.plot-4{color:#f0c24a}"
    ".plot-5{color:#cdd3da}.plot-box{fill:#1f252c;stroke:#6e7884}}";

std::string without_style(std::string svg) {
  const std::size_t from = svg.find(style_begins), end = svg.find(style_ends, from);
  if (end != std::string::npos) svg.erase(from, end + style_ends.size() - from);
  return svg;
}

std::string colour(std::size_t k) { return "plot-" + std::to_string(k % colours); }

void Svg::text(double x, double y, const Letters& words, const std::string& classes, const std::string& anchor,
               const std::string& more) {
  element("<text x=\"" + fixed(x) + "\" y=\"" + fixed(y) + "\" class=\"" + classes + "\" text-anchor=\"" + anchor +
          "\"" + more + ">" + escape(words) + "</text>");
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& classes, const std::string& more) {
  element("<path class=\"plot-path " + classes + "\" d=\"M" + fixed(x1) + " " + fixed(y1) + "L" + fixed(x2) + " " +
          fixed(y2) + "\"" + more + "/>");
}

void Svg::paragraph(double x, const Letters& words, const std::string& classes, double size) {
  const double letter = letter_width * size / 13;
  for (const Letters& part : wrap(words, static_cast<std::size_t>((width - x - 16) / letter))) {
    height += line_height * size / 13;
    text(x, height, part, classes);
  }
}

void Svg::title(const std::string& words) {
  height = 12;
  paragraph(16, letters(words), "plot-ink plot-title", 17);
  height += 10;
}

std::string Svg::str(const std::string& title) const {
  const std::string w = fixed(width), h = fixed(std::ceil(height + 14));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" width=\"" + w + "\" height=\"" + h +
         "\" viewBox=\"0 0 " + w + " " + h + "\">\n<title>" + escape(title.empty() ? U"Chart" : letters(title)) +
         "</title>\n" + std::string(style_begins) + std::string(svg_style) + std::string(style_ends) +
         "<rect class=\"plot-page\" width=\"" + w + "\" height=\"" + h + "\"/>\n" + body_ + "</svg>\n";
}

}  // namespace plot
