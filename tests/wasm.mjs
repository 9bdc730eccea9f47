// Runs a lesson's WebAssembly under node like the native program: files that its flags name are
// there, and files that it writes under such a name are kept.
// Run: node tests/wasm.mjs build/wasm/lesson4.js [flags]
// SPDX-License-Identifier: MIT
import { existsSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [program, ...words] = process.argv.slice(2);
const course = createRequire(import.meta.url)(resolve(program));
const isFile = path => existsSync(path) && statSync(path).isFile();
const inside = word => word.replaceAll('/', '_');
const isNamed = (word, k) => k > 0 && words[k - 1].startsWith('--') &&
  (isFile(word) || /^--(save|export)$/.test(words[k - 1]));
const named = words.filter(isNamed);

// Takes a stream byte by byte; not a terminal, so without colours and progress.
const stream = file => {
  const bytes = [];
  return byte => {
    if (byte !== null) bytes.push(byte);
    const complete = byte === null || byte === 10;
    if (bytes.length > 0 && complete) writeSync(file, Buffer.from(bytes.splice(0)));
  };
};

await new Promise(done => {
  course({
    arguments: words.map((word, k) => (isNamed(word, k) ? inside(word) : word)),
    wasmBinary: readFileSync(resolve(program).replace(/js$/, 'wasm')),
    preRun: [({ FS }) => {
      FS.init(() => null, stream(1), stream(2));
      for (const word of named.filter(isFile)) FS.writeFile(inside(word), readFileSync(word));
    }],
    onExit(status) {
      const { FS } = this;
      for (const word of named)
        if (FS.analyzePath(inside(word)).exists) writeFileSync(word, FS.readFile(inside(word)));
      process.exitCode = status;
      done();
    },
  });
});
