// The page of the course: an address such as #4.3?w=1,-1,0&v=1,-1,0 leads to that part of that lesson.
// SPDX-License-Identifier: MIT
'use strict';
{
  const lead = () => {
    const lesson = location.hash.match(/^#(\d)\.\d/);
    if (lesson) location.replace(`lesson${lesson[1]}/index.html${location.hash}`);
  };
  addEventListener('hashchange', lead);
  lead();
}
