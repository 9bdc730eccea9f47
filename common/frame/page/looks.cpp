// The build makes literals of page.css and the scripts beside it.
// SPDX-License-Identifier: MIT
#include "common/frame/page/page.hpp"

namespace page {

#include "build/looks.inc"

}  // namespace page
