// SPDX-License-Identifier: MIT
#include "common/frame/plot/svg.hpp"

namespace plot {

// Colours after Okabe and Ito (2008), told apart with every kind of colour vision.
const std::string_view svg_style =
    ".plot{font:17px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}"
    ".plot-page{fill:#fff}.plot-ink{fill:#1f2328}.plot-soft{fill:#59636e}.plot-title{font-size:19px;font-weight:600}"
    ".plot-grid{stroke:#e4e8ec}.plot-minor{stroke:#f1f3f5}.plot-axis{stroke:#818b98}.plot-level{stroke:#59636e}"
    ".plot-path{fill:none;stroke-linejoin:round}.plot-line{fill:none;stroke:currentColor;stroke-width:2;"
    "stroke-linejoin:round}.plot-dot{fill:currentColor;stroke:currentColor}"
    ".plot-0{color:#0072b2}.plot-1{color:#d55e00}.plot-2{color:#008a64}.plot-3{color:#b3588a}.plot-4{color:#a87400}"
    ".plot-5{color:#4a4f55}.plot-box{fill:#f3f5f7;stroke:#818b98}"
    ".plot-more{stroke:#08306b}.plot-cold{stroke:#135a9e}.plot-hot{stroke:#a3142a}"
    ".plot-halo{stroke-width:5;stroke-opacity:.6}.plot-open{fill:none}"
    ".plot-grip{fill:#fff;stroke:#1f2328;stroke-width:2}.plot-hold{fill:transparent}"
    ".plot-end{fill:currentColor;font-size:15px}.plot-note{fill:#1f2328;font-size:15px;font-style:italic}"
    // Words in these colours need a contrast of 4.5.
    "@media(prefers-color-scheme:light){.plot-end.plot-1{color:#bb4a00}.plot-end.plot-2{color:#14724a}"
    ".plot-end.plot-3{color:#a84e80}.plot-end.plot-4{color:#8f6200}}"
    "@media(prefers-color-scheme:dark){.plot-page{fill:#15191f}.plot-ink{fill:#e6edf3}.plot-soft{fill:#a0aab5}"
    ".plot-grid{stroke:#2b323b}.plot-minor{stroke:#1f252c}.plot-axis{stroke:#6e7884}.plot-level{stroke:#a0aab5}"
    ".plot-0{color:#56b4e9}.plot-1{color:#f0883e}.plot-2{color:#2fc79a}.plot-3{color:#e29cc4}.plot-4{color:#f0c24a}"
    ".plot-5{color:#cdd3da}.plot-box{fill:#1f252c;stroke:#6e7884}"
    ".plot-more{stroke:#b5dcff}.plot-cold{stroke:#7cc0ff}.plot-hot{stroke:#ff9a8c}"
    ".plot-grip{fill:#15191f;stroke:#e6edf3}.plot-note{fill:#e6edf3}}";

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
  std::string words;
  for (const double v : numbers) words += (words.empty() ? "" : " ") + significant(v, digits);
  return data(name, words);
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
  paragraph(16, title, "plot-ink plot-title", 19);
  height += 10;
}

void Svg::text(double x, double y, const std::string& words, const std::string& anchor,
               const std::string& classes, const std::string& more) {
  element(R"(<text x="@" y="@" class="@" text-anchor="@"@>@</text>)", x, y, classes, anchor, more,
          escape_html(one_line(words)));
}

double Svg::lines(double x, double y, const Lines& lines, const std::string& anchor,
                  const std::string& classes) {
  for (std::size_t k = 0; k < lines.size(); ++k)
    text(x, y + line_height * double(k), lines[k], anchor, classes);
  return y + line_height * (double(lines.size()) - 1);
}

void Svg::line(Spot from, Spot to, const std::string& classes, const std::string& more) {
  element(R"(<path class="plot-path @" d="M@ @L@ @"@/>)", classes, from.x, from.y, to.x, to.y,
          more);
}

void Svg::paragraph(double x, const std::string& words, const std::string& classes, double size) {
  const double scale = size / text_size;
  for (const std::string& part : lines_in(words, (width - x - 16) / scale)) {
    height += line_height * scale;
    text(x, height, part, "start", classes);
  }
}

void Svg::grip(Spot at, const Grip& grip) {
  const bool held = !grip.moves.empty() || !grip.sets.empty();
  element(R"_(<g@ transform="translate(@ @)"@@>)_", held ? " class=\"plot-held\"" : "", at.x, at.y,
          data("moves", grip.moves), data("sets", grip.sets));
  const double half = width_of({grip.name}) / 2 + 4;
  std::string shape = R"(<circle class="plot-grip" r="6"/>)";
  if (!grip.name.empty())
    shape = markup(R"(<rect class="plot-grip" x="@" y="-12" width="@" height="24" rx="9"/>)"
                   R"(<text class="plot-ink" y="6" text-anchor="middle">@</text>)",
                   -half, 2 * half, escape_html(one_line(grip.name)));
  // A finger finds 25 px on a telephone.
  const bool wide = held || grip.name.empty();
  element("@@</g>", wide ? R"(<circle class="plot-hold" r="18"/>)" : "", shape);
}

std::string Svg::str() const {
  const double bottom = std::ceil(height + 14);
  const bool wide = width > svg_width;
  // A wide picture scrolls on a telephone, where its letters would be below 11 px.
  const std::string least =
      wide ? markup(" style=\"min-width:@px\"", std::ceil(width * 11.2 / text_size)) : "";
  const std::string title = title_.empty() ? "Chart" : one_line(title_);
  return markup(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="plot@" role="img" width="@" height="@"@)"
      " viewBox=\"0 0 @ @\">\n<title>@</title>\n@@@"
      "<rect class=\"plot-page\" width=\"@\" height=\"@\"/>\n@</svg>\n",
      wide ? " plot-wide" : "", width, bottom, least, width, bottom, escape_html(title),
      style_begins, style, style_ends, width, bottom, body_);
}

}  // namespace plot
