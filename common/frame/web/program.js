// The lesson's program as WebAssembly, which the page holds as text: unpacked and compiled while the
// rest of the page arrives, and run in workers. Nothing is fetched. Stands behind the opening.
// SPDX-License-Identifier: MIT

'use strict';
// The source of a worker, behind that of Emscripten's `course`, which makes a new program.
const workerSource = `(${() => {
  const broken = what => postMessage({ kind: 'broken', text: String(what) });

  // Returns what takes a stream byte by byte, and sends its lines, those of progress, too.
  function lines(kind) {
    const bytes = [];
    const decoder = new TextDecoder();
    return byte => {
      if (byte !== 10 && byte !== 13) return void bytes.push(byte);
      const line = decoder.decode(new Uint8Array(bytes.splice(0)));
      const text = line.replace(/\x1b\[[0-9;]*[A-Za-z]/g, '').trim();
      const says = text.startsWith('<svg ') ? 'draft' : kind;
      if (text) postMessage({ kind: byte === 10 ? says : 'progress', text });
    };
  }

  onmessage = ({ data: { compiled, words, files, page } }) => {
    const started = performance.now();
    let ended = false;
    course({
      arguments: words,
      instantiateWasm(imports, use) {
        WebAssembly.instantiate(compiled, imports).then(use, broken);
        return {};
      },
      preRun: [({ FS }) => {
        FS.init(() => null, page ? () => {} : lines('said'), lines('error'));
        FS.streams[2].tty = {};  // as a terminal, which is shown how far the program is
        for (const [name, text] of Object.entries(files)) FS.writeFile(name, text);
        // Of a bench only the result is wanted, not the lesson's text around it.
        if (page)
          for (const folder of FS.readdir('lessons').filter(name => /^\d/.test(name)))
            FS.unlink(`lessons/${folder}/README.md`);
      }],
      onExit(status) {
        if (ended) return;
        ended = true;
        const exists = page && this.FS.analyzePath(page).exists;
        const html = exists ? this.FS.readFile(page, { encoding: 'utf8' }) : '';
        postMessage({ kind: 'end', status, html, seconds: (performance.now() - started) / 1000 });
      },
      onAbort: broken,
    }).catch(broken);
  };
}})();`;

// Unpacks what the page holds as text, as page.sh wrote it; the last digits may be missing.
async function unpacked(id) {
  const digits = document.getElementById(id).textContent.trim();
  const bytes = new Uint8Array(Math.floor(4 * digits.length / 5));
  for (let at = 0, k = 0; digits.length > at; at += 5) {
    let word = 0;
    for (let j = at; at + 5 > j; ++j)
      word = 85 * word + (digits.length > j ? digits.charCodeAt(j) - 42 : 84);
    for (let bits = 24; bits >= 0; bits -= 8) bytes[k++] = word / 2 ** bits;
  }
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}
const courseSource = unpacked('program').then(text => text.text());  // Emscripten's `course`
const compiled = unpacked('wasm').then(bytes => bytes.arrayBuffer()).then(WebAssembly.compile);
for (const one of [courseSource, compiled]) one.catch(() => {});  // who waits for it is told

function newWorker(source) {
  const code = new Blob([source, workerSource], { type: 'text/javascript' });
  const address = URL.createObjectURL(code);
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}

// Returns what runs one job at a time in a worker of its own. A job has `words` for the program, may
// have `files` and a `page` that the program writes, and is told: done(result), stopped(why), and,
// where it asks for it, started(), progress(text) and draft(svg).
function newRunner() {
  let worker = null;  // idle or at `job`
  let job = null;
  // Ends what runs, which is told why.
  function stop(why) {
    if (!job) return;
    const { stopped } = job;
    worker?.terminate();
    worker = null;
    job = null;
    stopped(why);
  }
  function listenFor(own) {
    const said = [];
    let error = '';
    return ({ data }) => {
      if (job !== own) return;
      if (data.kind === 'progress') own.progress?.(data.text);
      else if (data.kind === 'draft') own.draft?.(data.text);
      else if (data.kind === 'error') error = data.text;
      else if (data.kind === 'said') said.push(data.text);
      else if (data.kind === 'broken') stop(`The program ended early: ${data.text}`);
      else {
        job = null;
        own.done({ ...data, error, said: said.join(' ') });
      }
    };
  }
  async function start(own) {
    stop('Another one was turned.');
    job = own;
    try {
      const source = await courseSource;
      worker ??= newWorker(source);  // it begins while the module is compiled
      const program = await compiled;
      if (job !== own) return;
      worker.onmessage = listenFor(own);
      const { words, files = {}, page = '' } = own;
      worker.postMessage({ compiled: program, words, files, page });
      own.started?.();
    } catch (failure) {
      if (job === own)
        stop(`This browser cannot run it (${failure}); the command does the same at home.`);
    }
  }
  return { start, stop, isAt: other => job === other };
}
