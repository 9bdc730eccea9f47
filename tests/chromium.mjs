// What tests of pages in a real browser begin and end with: a Chromium, and a count of what holds. Needs puppeteer-core
// (NODE_PATH) and a Chromium, whose path may stand in CHROMIUM.
// SPDX-License-Identifier: MIT
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

let checks = 0, failed = 0;
export const check = (holds, what) => {
  ++checks;
  if (holds) return;
  ++failed;
  console.log(`FAIL ${what}`);
};

// Returns the browser; where there is none, or nothing to drive it, the test is skipped: exit status 77.
export async function launch(test, options = {}) {
  const path = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(one => one && existsSync(one));
  let puppeteer;
  try {
    puppeteer = createRequire(join(process.cwd(), 'x.js'))('puppeteer-core');
  } catch {
    puppeteer = null;
  }
  if (path && puppeteer) return puppeteer.launch({ executablePath: path, args: ['--no-sandbox'], ...options });
  console.log(`${test}: skipped, ${path ? 'puppeteer-core' : 'chromium'} is not here`);
  process.exit(77);
}

// Ends the test: no check at all is no success.
export async function finish(test, browser) {
  await browser.close();
  console.log(`${test}: ${checks} checks, ${failed} failed`);
  process.exit(failed || checks === 0 ? 1 : 0);
}
