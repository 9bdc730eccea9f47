// Says whether two safetensors files hold the same tensors, each number to a part of the largest of its tensor.
// Run: node tests/same_tensors.mjs A B 1e-12
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';

const [a, b, tolerance] = process.argv.slice(2);
const read = path => {
  const bytes = readFileSync(path), size = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, 8 + size).toString());
  delete header.__metadata__;
  const kinds = { F64: Float64Array, F32: Float32Array, I64: BigInt64Array, I32: Int32Array, U32: Uint32Array, U8: Uint8Array };
  return Object.fromEntries(Object.entries(header).map(([name, { dtype, data_offsets: [from, to] }]) =>
    [name, Array.from(new kinds[dtype](Uint8Array.from(bytes.subarray(8 + size + from, 8 + size + to)).buffer), Number)]));
};
const one = read(a), other = read(b);
let worst = 0, numbers = 0;
for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
  if (one[name]?.length !== other[name]?.length) throw Error(`${name} is not in both`);
  const largest = one[name].reduce((most, x) => Math.max(most, Math.abs(x)), Number.MIN_VALUE);
  one[name].forEach((x, k) => {
    const off = Math.abs(x - other[name][k]) / largest;
    worst = Number.isNaN(off) ? Infinity : Math.max(worst, off);
  });
  numbers += one[name].length;
}
console.log(`${numbers} numbers in ${Object.keys(one).length} tensors, at most ${worst} apart`);
process.exit(numbers > 0 && worst <= Number(tolerance) ? 0 : 1);
