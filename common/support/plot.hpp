// Pictures of numbers: line charts, labelled scatters, heat maps and sheets of small images, each as text for a
// terminal and as a self-contained SVG. Fill in a struct of plot_data.hpp, then print text(it) or store svg(it):
//   plot::Chart chart{.title = "Loss", .x = {.title = "step"}, .y = {.title = "loss", .log = true}};
//   chart.series.push_back({"train", steps, losses});
// Both are functions of the struct alone: the same struct gives the same bytes.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/support/plot_data.hpp"
#include "common/support/plot_svg.hpp"
#include "common/support/plot_svg_image.hpp"
#include "common/support/plot_text.hpp"
#include "common/support/plot_text_image.hpp"
