// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"

#include <map>

namespace plot {

namespace {

std::string class_of(Tone tone) {
  constexpr const char* all[] = {"plot-ink",      "plot-soft", "plot-value",
                                 "plot-gradient", "plot-gate", "plot-minus"};
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
  return join("plot-fill ", class_of(type.tone), type.strong ? " plot-strong" : "",
              type.slant ? " plot-slant" : "", type.clear ? " plot-clear" : "");
}

constexpr const char* dashes = R"( stroke-dasharray="3 4")";

std::string style_of(const Pen& pen) {
  return markup(R"( stroke-width="@"@)", pen.width, pen.dashed ? dashes : "");
}

std::string opacity_of(double opacity) { return markup(R"( opacity="@")", opacity); }

std::string class_of(const Pen& pen) { return "plot-stroke " + class_of(pen.tone); }

Tone tone_of(int shade) { return shade < 0 ? Tone::minus : Tone::value; }

}  // namespace

int Shading::of(double number) const {
  return std::isnan(number) ? 0 : int(std::lround(steps * std::clamp(number, -1.0, 1.0)));
}

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

Scene::Scene(const std::string& finding) : title(finding), svg_(finding), top_(svg_.height + 4) {}

void Scene::end(double y) { svg_.height = top_ + y; }

void Scene::text(Spot at, const std::string& words, const Type& type) {
  svg_.text(down(at), words, type.anchor, class_of(type));
}

void Scene::text_up(Spot at, const std::string& words, const Type& type) {
  const Spot place = down(at);
  svg_.text({0, 0}, words, type.anchor, class_of(type),
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
  const double width = width_of({words}) + 5;
  svg_.rect(down({at.x - width / 2, at.y - 9.5}), {width, 19}, "plot-page");
  text({at.x, at.y + to_foot}, words, type);
}

void Scene::cell(const Cell& cell) {
  svg_.rect(down(cell.corner), cell.size, class_of(cell.fill), cell.round,
            cell.fill == Fill::absent ? dashes : "");
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
  svg_.rect(down(corner), size, "plot-fill " + class_of(tone), round, opacity_of(0.13));
}

void Scene::bar(Spot corner, Spot size, Tone tone, double opacity) {
  svg_.rect(down(corner), size, "plot-fill " + class_of(tone), 0, opacity_of(opacity));
}

void Scene::frame(Spot corner, Spot size, const Pen& pen, double round) {
  svg_.rect(down(corner), size, class_of(pen), round, style_of(pen));
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
  const Shading shading;
  const int shade = shading.of(height);
  svg_.element(R"(<polygon class="plot-page" points="@"/>)", place);
  svg_.element(R"(<polygon class="plot-fill @ plot-rule" fill-opacity="@" points="@"/>)",
               class_of(tone_of(shade)), shading.opacity_of(shade), place);
}

void Scene::arrow(Spot from, Spot to, const Pen& pen) {
  turn(from, {(from.x + to.x) / 2, (from.y + to.y) / 2}, to, pen);
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
  const double half = std::max(12.0, width_of({words}) / 2 + 4);
  const Spot corner{at.x - half, at.y - 12}, size{2 * half, 24};
  svg_.rect(down(corner), size, "plot-page", 12);
  frame(corner, size, pen, 12);
  text({at.x, at.y + to_foot}, words, {.strong = firm});
}

// Each shade is one path; equal neighbours of a row are one stroke of it.
void Scene::cells(const Cell& cell, std::size_t columns, const std::vector<double>& numbers,
                  const Shading& shading, const std::string& more) {
  std::map<Tone, std::map<int, std::string>> paths;
  for (std::size_t k = 0, end = 0; k < numbers.size(); k = end) {
    const int shade = shading.of(numbers[k]);
    for (end = k + 1; end % columns != 0 && end < numbers.size(); ++end)
      if (shading.of(numbers[end]) != shade) break;
    if (shade != 0)
      paths[tone_of(shade)][shade] += join("M", k % columns, " ", k / columns, "h", end - k);
  }
  const Spot place = down(cell.corner);
  svg_.element(R"_(<g transform="translate(@ @)"@>)_", place.x, place.y, more);
  svg_.element(R"_(<g transform="scale(@ @)translate(0 .5)" shape-rendering="crispEdges">)_",
               cell.size.x, cell.size.y);
  for (const auto& [tone, shades] : paths) {
    svg_.element(R"(<g class="plot-shade @">)", class_of(tone));
    for (const auto& [shade, path] : shades)
      svg_.element(R"(<path opacity="@" d="@"/>)", shading.opacity_of(shade), path);
    svg_.element("</g>");
  }
  svg_.element("</g></g>");
}

void Scene::region(Spot corner, double side, double low, double high,
                   const std::function<double(double, double)>& f) {
  const std::size_t parts = side < 100 ? 12 : 24;  // cells of 5 px and more
  const double cell = side / double(parts), step = (high - low) / double(parts);
  std::vector<double> numbers;
  for (std::size_t row = 0; row < parts; ++row)
    for (std::size_t column = 0; column < parts; ++column)
      numbers.push_back(f(low + (double(column) + 0.5) * step, high - (double(row) + 0.5) * step));
  cells({corner, {cell, cell}}, parts, numbers);
}

void Scene::grip(Spot at, const Grip& grip) { svg_.grip(down(at), grip); }

void Scene::touch(Spot corner, Spot size, const std::string& name, const std::string& value,
                  const std::string& knobs) {
  svg_.rect(down(corner), size, "plot-box plot-touch", 0,
            data("name", name) + data("value", value) + data("knobs", knobs));
}

std::string svg(const Scene& scene) { return scene.str(); }

}  // namespace plot
