// What a page does beside being read: links into folded code unfold it, and paper shows everything.
// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"

namespace page {

const std::string_view script = R"js(
'use strict';
const unfold = () => {
  const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = wanted && wanted.closest('details');
  if (!fold) return;
  fold.open = true;
  wanted.scrollIntoView();
};
addEventListener('hashchange', unfold);
document.addEventListener('click', event => {
  const link = event.target.closest('a[href^="#"]');
  if (link && link.hash === location.hash) unfold();
});
unfold();
let folded = [];
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('details:not([open])')];
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => { for (const one of folded) one.open = false; });
)js";

}  // namespace page
