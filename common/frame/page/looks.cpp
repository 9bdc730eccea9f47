// The build makes literals of page.css, page.js and touch.js.
// SPDX-License-Identifier: MIT
#include "common/frame/page/page.hpp"

namespace page {

#include "build/looks.inc"

}  // namespace page
