// Lesson 5: what several of its benches share: surfaces over two inputs, a drawn digit, bars, a net trained in a moment.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"

namespace lesson5 {

// Returns numbers as a matrix, row by row.
Matrix<double> matrix_of(const std::vector<double>& numbers, std::size_t rows, std::size_t cols);

// Returns the points of a square, x0 from -2 to 2 to the right and x1 from -2 to 2 upwards; points x 2.
Matrix<double> square_of_points();

// Returns what a column of Y says at those points as an image.
plot::Image surface(const std::string& caption, const Matrix<double>& Y, std::size_t column);

// Returns surfaces side by side, each in colours of its own, or all in the same.
plot::Sheet surfaces(const std::string& title, const std::vector<plot::Image>& images, bool own_scale);

// Returns the outlines of bars from 0, one at each of 0, 1, 2, ..., of such a half width.
plot::Series bars(const std::string& name, const std::vector<double>& heights, double half_width);

// A 3 drawn with a pen as wide as those of the images.
inline constexpr const char* drawn_three =
    "000000000000"
    "003999999100"
    "007999999400"
    "000000996000"
    "000009970000"
    "000039970000"
    "000003999000"
    "000000099000"
    "004940399000"
    "006999998000"
    "000279820000"
    "000000000000";

// Returns 12 x 12 cells as one image of the size of those of the session, 1 x pixels.
Matrix<double> image_of(const std::vector<double>& cells, const Images& images);

// Returns how nets are trained for a bench: 300 steps, unless --steps says otherwise.
ClassifierSettings short_training(const Session& session, double decay, double noise);

// Returns the stored net, or a product net trained for part `part` with input noise of this deviation.
Net<float> net_of(Session& session, int part, double noise);

// Returns the net's logits in double, for rows of X in double.
Matrix<double> precise_logits(const Net<float>& net, const Matrix<double>& X);

}  // namespace lesson5
