// Runs a lesson's WebAssembly program under node as if it were the native one: files that its flags name are there for it,
// and files that it writes under such a name are kept.
// Run: node tests/wasm.mjs build/wasm/lesson4.js [flags]
// SPDX-License-Identifier: MIT
import { existsSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [program, ...words] = process.argv.slice(2);
const course = createRequire(import.meta.url)(resolve(program));
const isFile = path => existsSync(path) && statSync(path).isFile();
const inside = word => word.replaceAll('/', '_');
const named = words.map((word, k) => k > 0 && words[k - 1].startsWith('--') && (isFile(word) || /^--(save|export)$/.test(words[k - 1])));

// Takes a stream byte by byte; no terminal, so that it is written without colours and progress.
const stream = file => {
  const bytes = [];
  return byte => {
    if (byte !== null) bytes.push(byte);
    if (bytes.length > 0 && (byte === null || byte === 10)) writeSync(file, Buffer.from(bytes.splice(0)));
  };
};

await new Promise(done => {
  course({
    arguments: words.map((word, k) => (named[k] ? inside(word) : word)),
    wasmBinary: readFileSync(resolve(program).replace(/js$/, 'wasm')),
    preRun: [({ FS }) => {
      FS.init(() => null, stream(1), stream(2));
      words.forEach((word, k) => { if (named[k] && isFile(word)) FS.writeFile(inside(word), readFileSync(word)); });
    }],
    onExit(status) {
      const { FS } = this;
      words.forEach((word, k) => {
        if (named[k] && FS.analyzePath(inside(word)).exists) writeFileSync(word, FS.readFile(inside(word)));
      });
      process.exitCode = status;
      done();
    },
  });
});
