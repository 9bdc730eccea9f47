// The looks and the behaviour of all pages, which the build makes literals of: page.css, page.js.
// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"

namespace page {

#include "build/looks.inc"

}  // namespace page
