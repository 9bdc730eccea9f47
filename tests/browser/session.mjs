// The browser in which pages are looked at, and what all tests of pages share: checks are counted,
// and no page may print on its console or ask for anything. tests/browser.mjs says how it is run.
// SPDX-License-Identifier: MIT
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const counts = { checks: 0, failed: 0 };
let subject = '';
// Names what is looked at, for what fails.
export const about = what => {
  subject = what;
};
export const check = (holds, what) => {
  ++counts.checks;
  if (holds) return;
  ++counts.failed;
  console.log(`FAIL ${subject}: ${what}`);
};
export const none = (list, what) => check(list.length === 0, `${what}: ${list.slice(0, 5).join('; ')}`);
export const folder = resolve(process.argv[2] ?? 'build/out');
export const lessons = process.argv.slice(3).map(Number);
export const firefox = process.env.BROWSER === 'firefox';
const skip = why => {
  console.log(`browser: skipped, ${why}`);
  process.exit(77);
};
const paths = firefox
  ? ['/usr/bin/firefox-esr', '/usr/bin/firefox']
  : [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
const program = paths.find(path => path && existsSync(path)) ?? skip('no browser is here');
let puppeteer;
try {
  puppeteer = createRequire(join(process.cwd(), 'x.js'))('puppeteer-core');
} catch {
  skip('puppeteer-core is not here');
}
export const browser = await puppeteer.launch({
  browser: firefox ? 'firefox' : 'chrome',
  executablePath: program,
  args: firefox ? [] : ['--no-sandbox'],
  protocolTimeout: 900_000,
}).catch(error => skip(`${program} does not start: ${String(error).split('\n')[0]}`));
export const address = name => pathToFileURL(join(folder, name)).href;
export const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
export const text_of = (page, selector) => page.$eval(selector, one => one.textContent);

// The page may print nothing on the console and request only itself and its worker.
export async function open(name, fragment = '') {
  about(name);
  check(statSync(join(folder, name)).size <= 1.4e6, 'weighs at most 1.4 MB');
  const page = await browser.newPage();
  const own = url => /^(blob|data):/.test(url) || url.startsWith(address(name));
  page.on('console', message => check(false, `says on the console: ${message.text()}`));
  // Firefox complains of formulas that it has half read; unset_formulas looks at whole ones.
  const half_read = error => firefox && /^Invalid markup: Incorrect number/.test(error.message);
  page.on('pageerror', error => check(half_read(error), `throws: ${error.message}`));
  page.on('request', request => check(own(request.url()), `asks for ${request.url()}`));
  await page.goto(address(name) + fragment);
  return page;
}

// Says how many checks there were, and ends.
export async function finish() {
  await browser.close();
  console.log(`browser: ${counts.checks} checks, ${counts.failed} failed`);
  process.exit(counts.failed || counts.checks === 0 ? 1 : 0);
}
