// Looks at pages in a real browser: no requests, no console messages, nothing wider than the
// window, pictures with texts, clicks that work by key, all of it on paper. Given lessons, it uses
// `make web`'s pages: turns all sliders on a laptop and a telephone, follows links, runs, stops,
// mistypes, derives; offline and from a file.
// Run: node tests/browser.mjs FOLDER [LESSONS]; with puppeteer-core (NODE_PATH) and a Chromium,
// whose path may stand in CHROMIUM, or with BROWSER=firefox, which only reads. Exits with 77 if
// either is absent.
// SPDX-License-Identifier: MIT
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serves } from './browser/bench.mjs';
import { shows_no_defects, types_knobs } from './browser/defects.mjs';
import { derives as derives_lines } from './browser/derivation.mjs';
import { moves, opens_course } from './browser/motion.mjs';
import { look_at } from './browser/reading.mjs';
import { check, finish, firefox, folder, lessons, open } from './browser/session.mjs';
import { finished, follow_links, manners, turn_all } from './browser/using.mjs';

if (lessons.includes(1)) await opens_course({ open, check });
for (const lesson of lessons) await serves(lesson);
for (const lesson of lessons) await moves({ open, check, finished, lesson });
if (lessons.includes(1)) await derives_lines({ open, check });
if (lessons.includes(4)) await manners();
if (lessons.includes(1)) await types_knobs({ open, check });
for (const lesson of lessons) {
  await shows_no_defects({ open, check, firefox }, `lesson${lesson}/index.html`);
  await turn_all(lesson, 1400, 900);
  await turn_all(lesson, 360, 740);
  console.log(`lesson ${lesson}: ${await follow_links(lesson)} links`);
}
if (lessons.length === 0)
  for (const name of ['.', ...readdirSync(folder)])
    for (const file of ['index', 'gate', 'run'].map(kind => join(name, `${kind}.html`)))
      if (existsSync(join(folder, file))) {
        await look_at(file);
        await shows_no_defects({ open, check, firefox }, file);
      }
await finish();
