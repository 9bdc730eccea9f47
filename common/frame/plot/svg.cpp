// SPDX-License-Identifier: MIT
#include "common/frame/plot/svg.hpp"

namespace plot {

// Colours of lines after Okabe and Ito (2008), told apart with every kind of colour vision. All in
// which words are written contrast with the paper by at least 4.5. The dark scheme is for screens.
const std::string_view svg_style =
    ".plot{font:15px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}"
    ".plot-page{fill:#fff}.plot-ink{color:#1f2328;fill:currentColor}.plot-soft{color:#59636e;fill:currentColor}"
    ".plot-title{font-size:19px;font-weight:600}.plot-strong{font-weight:650}.plot-slant{font-style:italic}"
    ".plot-grid{stroke:#e4e8ec}.plot-minor{stroke:#f1f3f5}.plot-axis{stroke:#818b98}.plot-rule{stroke:#c3c8ce}"
    ".plot-level{stroke:#59636e;stroke-dasharray:4 3}.plot-path{fill:none;stroke-linejoin:round}"
    ".plot-line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}"
    ".plot-halo{stroke-width:5;stroke-opacity:.6}.plot-dot{fill:currentColor;stroke:currentColor}"
    ".plot-0{color:#0072b2}.plot-1{color:#bb4a00}.plot-2{color:#14724a}.plot-3{color:#a84e80}.plot-4{color:#8f6200}"
    ".plot-5{color:#4a4f55}.plot-value{color:#0b5cad}.plot-gradient{color:#bb4a00}.plot-gate{color:#14724a}"
    ".plot-minus{color:#a3264f}.plot-fill{fill:currentColor}.plot-box{fill:#f3f5f7;stroke:#818b98}"
    ".plot-shade{fill:none;stroke:currentColor}.plot-cell{fill:currentColor;fill-opacity:.13;stroke:currentColor}"
    ".plot-stroke{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}"
    ".plot-open{fill:none}.plot-clear{paint-order:stroke;stroke:#fff;stroke-width:4;stroke-linejoin:round}"
    ".plot-grip{fill:#fff;stroke:#1f2328;stroke-width:2}.plot-hold{fill:transparent}"
    ".plot-touch{fill:transparent;stroke:none}"
    "@media screen and (prefers-color-scheme:dark){.plot-page{fill:#15191f}.plot-ink{color:#e6edf3}.plot-soft{color:#a0aab5}"
    ".plot-grid{stroke:#2b323b}.plot-minor{stroke:#1f252c}.plot-axis{stroke:#6e7884}.plot-rule{stroke:#4a525c}"
    ".plot-level{stroke:#a0aab5}.plot-0{color:#56b4e9}.plot-1{color:#f0883e}.plot-2{color:#2fc79a}"
    ".plot-3{color:#e29cc4}.plot-4{color:#f0c24a}.plot-5{color:#cdd3da}.plot-value{color:#82b8ff}"
    ".plot-gradient{color:#ffa15c}.plot-gate{color:#5fd6a0}.plot-minus{color:#ff8fb0}"
    ".plot-box:not(.plot-touch){fill:#1f252c;stroke:#6e7884}.plot-clear{stroke:#15191f}.plot-grip{fill:#15191f;stroke:#e6edf3}}";

constexpr std::string_view style_begins = "<style>", style_ends = "</style>\n";

std::string without_style(std::string svg) {
  const std::size_t from = svg.find(style_begins), end = svg.find(style_ends, from);
  if (end != std::string::npos) svg.erase(from, end + style_ends.size() - from);
  return svg;
}

double width_of(const Lines& lines) {
  std::size_t most = 0;
  for (const std::string& line : lines) most = std::max(most, columns_of(line));
  return letter_width * double(most);
}

Lines lines_in(const std::string& label, double width) {
  return lines_of(label, std::size_t(width / letter_width));
}

std::string colour(std::size_t k) { return join("plot-", k % colours); }

std::string data(const std::string& name, const std::string& words) {
  return words.empty() ? "" : join(" data-", name, "=\"", escape_html(one_line(words)), "\"");
}

std::string data(const std::string& name, const std::vector<double>& numbers, int digits) {
  return data(name, joined(numbers, " ", [&](double v) { return significant(v, digits); }));
}

std::string data(const std::string& name, const Lines& names) {
  std::string words;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string own = names[k];
    std::replace(own.begin(), own.end(), '|', '/');  // which parts them
    words += (k > 0 ? "|" : "") + own;
  }
  return data(name, words);
}

Svg::Svg(const std::string& title) : title_(title) {
  for (const std::string& line : lines_in(title, (svg_width - 32) * text_size / title_size)) {
    height += 24.6;
    text({16, height}, line, "start", "plot-ink plot-title");
  }
  height += 10;
}

void Svg::text(Spot at, const std::string& words, const std::string& anchor,
               const std::string& classes, const std::string& more) {
  element(R"(<text x="@" y="@" class="@" text-anchor="@"@>@</text>)", at.x, at.y, classes, anchor,
          more, escape_html(one_line(words)));
}

double Svg::lines(Spot at, const Lines& lines, const std::string& anchor) {
  at.y -= line_height;
  for (const std::string& line : lines) text({at.x, at.y += line_height}, line, anchor);
  return at.y;
}

void Svg::line(Spot from, Spot to, const std::string& classes, const std::string& more) {
  element(R"(<path class="plot-path @" d="M@ @L@ @"@/>)", classes, from.x, from.y, to.x, to.y,
          more);
}

void Svg::rect(Spot corner, Spot size, const std::string& classes, double round,
               const std::string& more) {
  element(R"(<rect class="@" x="@" y="@" width="@" height="@" rx="@"@/>)", classes, corner.x,
          corner.y, size.x, size.y, round, more);
}

void Svg::grip(Spot at, const Grip& grip) {
  const bool held = !grip.moves.empty() || !grip.sets.empty(), named = !grip.name.empty();
  element(R"_(<g@ transform="translate(@ @)"@@>)_", held ? " class=\"plot-held\"" : "", at.x, at.y,
          data("moves", grip.moves), data("sets", grip.sets));
  // A finger finds 25 px on a telephone.
  if (held || !named) element(R"(<circle class="plot-hold" r="18"/>)");
  const double half = width_of({grip.name}) / 2 + 4;
  if (named) {
    rect({-half, -12}, {2 * half, 24}, "plot-grip", 9);
    text({0, to_foot}, grip.name, "middle", "plot-ink");
  } else {
    element(R"(<circle class="plot-grip" r="6"/>)");
  }
  element("</g>");
}

std::string Svg::str() const {
  const double bottom = std::ceil(height + 14);
  return markup(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" width="@" height="@")"
      " viewBox=\"0 0 @ @\">\n<title>@</title>\n@@@"
      "<rect class=\"plot-page\" width=\"@\" height=\"@\"/>\n@</svg>\n",
      svg_width, bottom, svg_width, bottom,
      title_.empty() ? "Chart" : escape_html(one_line(title_)), style_begins, svg_style, style_ends,
      svg_width, bottom, body_);
}

}  // namespace plot
