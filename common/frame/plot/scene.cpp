// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"

#include <map>

namespace plot {

// Contrasts with the paper of at least 5 in light, 7 in dark.
const std::string_view scene_style =
    ".plot-small{font-size:15px}.plot-strong{font-weight:650}.plot-slant{font-style:italic}"
    ".plot-main{color:#1f2328}.plot-aside{color:#59636e}.plot-value{color:#0b5cad}"
    ".plot-gradient{color:#bb4a00}.plot-gate{color:#14724a}.plot-minus{color:#a3264f}"
    ".plot-fill{fill:currentColor}.plot-cell{fill:currentColor;fill-opacity:.13;stroke:currentColor}"
    ".plot-stroke{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}"
    ".plot-rule{stroke:#c3c8ce}.plot-touch{fill:transparent;stroke:none}"
    ".plot-clear{paint-order:stroke;stroke:#fff;stroke-width:4;stroke-linejoin:round}"
    "@media(prefers-color-scheme:dark){.plot-main{color:#e6edf3}.plot-aside{color:#a0aab5}"
    ".plot-value{color:#82b8ff}.plot-gradient{color:#ffa15c}.plot-gate{color:#5fd6a0}"
    ".plot-minus{color:#ff8fb0}.plot-rule{stroke:#4a525c}.plot-clear{stroke:#15191f}}";

namespace {

constexpr double scene_letter = 8.8;  // of the letters of a scene, 15 px high
constexpr double to_foot = 5.3;       // from the middle of a letter down to its foot

std::string class_of(Tone tone) {
  constexpr const char* all[] = {"plot-main",     "plot-aside", "plot-value",
                                 "plot-gradient", "plot-gate",  "plot-minus"};
  return all[std::size_t(tone)];
}

std::string class_of(Fill fill) {
  constexpr const char* all[] = {"plot-open plot-rule",     "plot-box",
                                 "plot-open plot-rule",     "plot-cell plot-value",
                                 "plot-cell plot-gradient", "plot-cell plot-gate",
                                 "plot-cell plot-minus"};
  return all[std::size_t(fill)];
}

std::string class_of(const Type& type) {
  return join("plot-fill plot-small ", class_of(type.tone), type.strong ? " plot-strong" : "",
              type.slant ? " plot-slant" : "", type.clear ? " plot-clear" : "");
}

std::string style_of(const Pen& pen) {
  return markup(R"( stroke-width="@"@)", pen.width, pen.dashed ? " stroke-dasharray=\"3 4\"" : "");
}

std::string class_of(const Pen& pen) { return "plot-stroke " + class_of(pen.tone); }

// Returns -8 to 8 for numbers from -1 to 1.
int shade_of(double number) { return int(std::lround(8 * std::clamp(number, -1.0, 1.0))); }

Tone tone_of(int shade) { return shade < 0 ? Tone::minus : Tone::value; }

double opacity_of(int shade) { return std::abs(shade) * 0.1; }

}  // namespace

Fill fill_of(double number) {
  if (number == 0) return Fill::none;
  return number > 0 ? Fill::value : Fill::minus;
}

std::string short_number(double number) {
  const double size = std::abs(number);
  if (size > 0 && size < 0.0005) return "~0";
  const int decimals = size < 0.0995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  std::string words = decimal(std::atof(fixed(size, decimals).c_str()), false);
  if (words.starts_with("0.")) words.erase(0, 1);
  return (number < 0 ? "−" : "") + words;
}

double width_of_flow(double size, double most) {
  if (!(most > 0)) return 1.2;
  return 1.2 + 6.8 * std::min(std::abs(size) / most, 1.0);
}

Scene::Scene(const std::string& finding) : title(finding), svg_(finding), top_(svg_.height + 4) {
  svg_.style += scene_style;
}

void Scene::end(double y) { svg_.height = top_ + y; }

void Scene::text(Spot at, const std::string& words, const Type& type) {
  const Spot place = down(at);
  svg_.text(place.x, place.y, words, type.anchor, class_of(type));
}

void Scene::text_up(Spot at, const std::string& words, const Type& type) {
  const Spot place = down(at);
  svg_.text(0, 0, words, type.anchor, class_of(type),
            markup(R"_( transform="translate(@ @) rotate(-90)")_", place.x, place.y));
}

void Scene::label(Spot at, const std::vector<Piece>& pieces, const char* anchor) {
  std::string all;
  for (const Piece& piece : pieces)
    all += markup(R"(<tspan class="@">@</tspan>)", class_of(piece.type),
                  escape_html(one_line(piece.words)));
  const Spot place = down(at);
  svg_.element(R"(<text x="@" y="@" text-anchor="@" xml:space="preserve">@</text>)", place.x,
               place.y, anchor, all);
}

void Scene::chip(Spot at, const std::string& words, const Type& type) {
  const double width = scene_letter * double(columns_of(words)) + 5;
  const Spot place = down(at);
  svg_.element(R"(<rect class="plot-page" x="@" y="@" width="@" height="19"/>)",
               place.x - width / 2, place.y - 9.5, width);
  text({at.x, at.y + to_foot}, words, type);
}

void Scene::cell(const Cell& cell) {
  const Spot place = down(cell.corner);
  svg_.element(R"(<rect class="@" x="@" y="@" width="@" height="@" rx="@"@/>)", class_of(cell.fill),
               place.x, place.y, cell.size.x, cell.size.y, cell.round,
               cell.fill == Fill::absent ? " stroke-dasharray=\"3 4\"" : "");
  if (cell.words.empty()) return;
  const double x = cell.corner.x + cell.size.x / 2, y = cell.corner.y + cell.size.y / 2;
  text({x, y + to_foot}, cell.words, cell.type);
}

void Scene::grid(const Cell& cell, const Words& rows) {
  const std::size_t columns = rows.empty() ? 0 : rows[0].size();
  const auto [width, height] = cell.size;
  const Spot from = cell.corner, size{width * double(columns), height * double(rows.size())};
  Cell outline = cell;
  outline.size = size;
  outline.words = "";
  this->cell(outline);
  const auto rule = [&](Spot a, Spot b) { svg_.line(down(a), down(b), "plot-rule"); };
  for (std::size_t j = 1; j < columns; ++j) {
    const double x = from.x + width * double(j);
    rule({x, from.y}, {x, from.y + size.y});
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double y = from.y + height * double(i);
    rule({from.x, y}, {from.x + size.x, y});
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      const Spot at{from.x + width * (double(j) + 0.5), from.y + height * (double(i) + 0.5)};
      text({at.x, at.y + to_foot}, rows[i][j], cell.type);
    }
}

void Scene::band(Spot corner, Spot size, Tone tone, double round) {
  const Spot place = down(corner);
  svg_.element(
      R"(<rect class="plot-fill @" opacity=".13" x="@" y="@" width="@" height="@" rx="@"/>)",
      class_of(tone), place.x, place.y, size.x, size.y, round);
}

void Scene::bar(Spot corner, Spot size, Tone tone, double opacity) {
  const Spot place = down(corner);
  svg_.element(R"(<rect class="plot-fill @" opacity="@" x="@" y="@" width="@" height="@"/>)",
               class_of(tone), opacity, place.x, place.y, size.x, size.y);
}

void Scene::frame(Spot corner, Spot size, const Pen& pen, double round) {
  const Spot place = down(corner);
  svg_.element(R"(<rect class="@" x="@" y="@" width="@" height="@" rx="@"@/>)", class_of(pen),
               place.x, place.y, size.x, size.y, round, style_of(pen));
}

void Scene::line(Spot from, Spot to, const Pen& pen) {
  svg_.line(down(from), down(to), class_of(pen), style_of(pen));
}

std::string Scene::points(const Path& path) const {
  std::string all;
  for (const Spot& at : path) {
    const Spot place = down(at);
    all += markup("@@,@", all.empty() ? "" : " ", place.x, place.y);
  }
  return all;
}

void Scene::curve(const Path& path, const Pen& pen) {
  svg_.element(R"(<polyline class="@"@ points="@"/>)", class_of(pen), style_of(pen), points(path));
}

// It hides what lies behind it.
void Scene::facet(const Path& corners, double height) {
  const std::string place = points(corners);
  const int shade = shade_of(height);
  svg_.element(R"(<polygon class="plot-page" points="@"/>)", place);
  svg_.element(R"(<polygon class="plot-fill @ plot-rule" fill-opacity="@" points="@"/>)",
               class_of(tone_of(shade)), opacity_of(shade), place);
}

void Scene::arrow(Spot from, Spot to, const Pen& pen) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (length == 0) return;
  const Spot middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
  turn(from, {middle.x + dy / length * pen.bend, middle.y - dx / length * pen.bend}, to, pen);
}

// The line ends within the head, whose tip lies at `to`.
void Scene::turn(Spot from, Spot by, Spot to, const Pen& pen) {
  const double last = std::hypot(to.x - by.x, to.y - by.y);
  if (last == 0) return;
  const Spot way{(to.x - by.x) / last, (to.y - by.y) / last};
  const double head = std::max(9.0, 1.8 * pen.width), half = head / 2;
  const Spot stop = down({to.x - way.x * head * 0.8, to.y - way.y * head * 0.8});
  const Spot start = down(from), corner = down(by), tip = down(to);
  svg_.element(R"(<path class="@" d="M@ @Q@ @ @ @"@/>)", class_of(pen), start.x, start.y, corner.x,
               corner.y, stop.x, stop.y, style_of(pen));
  const Spot back{tip.x - way.x * head, tip.y - way.y * head};
  svg_.element(R"(<path class="plot-fill @" d="M@ @L@ @L@ @z"/>)", class_of(pen.tone), tip.x, tip.y,
               back.x - way.y * half, back.y + way.x * half, back.x + way.y * half,
               back.y - way.x * half);
}

void Scene::valve(Spot at, bool open) {
  const Pen pen{Tone::gate, 4};
  if (!open) return line({at.x, at.y - 16}, {at.x, at.y + 16}, pen);
  line({at.x, at.y - 16}, {at.x, at.y - 7}, pen);
  line({at.x, at.y + 7}, {at.x, at.y + 16}, pen);
}

void Scene::dot(Spot at, double radius, Tone tone) {
  const Spot place = down(at);
  svg_.element(R"(<circle class="plot-fill @" cx="@" cy="@" r="@"/>)", class_of(tone), place.x,
               place.y, radius);
}

void Scene::pin(Spot at, const std::string& words, bool firm) {
  const Pen pen{firm ? Tone::ink : Tone::soft, 2, !firm};
  const double half = std::max(12.0, scene_letter * double(columns_of(words)) / 2 + 4);
  const Spot place = down(at);
  svg_.element(R"(<rect class="plot-page" x="@" y="@" width="@" height="24" rx="12"/>)",
               place.x - half, place.y - 12, 2 * half);
  frame({at.x - half, at.y - 12}, {2 * half, 24}, pen, 12);
  text({at.x, at.y + to_foot}, words, {.strong = firm});
}

// Each shade is one path; equal neighbours of a row are one piece of it.
void Scene::region(Spot corner, double side, double low, double high,
                   const std::function<double(double, double)>& f) {
  constexpr int parts = 24;
  const double size = side / parts, step = (high - low) / parts;
  std::map<int, std::string> paths;
  for (int row = 0; row < parts; ++row) {
    const auto shade = [&](int column) {
      return shade_of(f(low + (column + 0.5) * step, high - (row + 0.5) * step));
    };
    for (int from = 0, to = 0; from < parts; from = to) {
      const int own = shade(from);
      while (to < parts && shade(to) == own) ++to;
      if (own != 0) paths[own] += join("M", from, " ", row, "h", to - from, "v1h", from - to, "z");
    }
  }
  const Spot place = down(corner);
  svg_.element(R"_(<g shape-rendering="crispEdges" transform="translate(@ @) scale(@)">)_", place.x,
               place.y, size);
  for (const auto& [shade, path] : paths)
    svg_.element(R"(<path class="plot-fill @" opacity="@" d="@"/>)", class_of(tone_of(shade)),
                 opacity_of(shade), path);
  svg_.element("</g>");
}

void Scene::grip(Spot at, const Grip& grip) { svg_.grip(down(at), grip); }

void Scene::touch(Spot corner, Spot size, const std::string& name, const std::string& value,
                  const std::string& knobs) {
  const Spot place = down(corner);
  svg_.element(R"(<rect class="plot-box plot-touch" x="@" y="@" width="@" height="@"@@@/>)",
               place.x, place.y, size.x, size.y, data("name", name), data("value", value),
               data("knobs", knobs));
}

std::string svg(const Scene& scene) { return scene.str(); }

}  // namespace plot
