// Says whether two safetensors files hold the same tensors, each number to a part of the largest of its tensor, or of a
// thousandth of the largest of all: what is 0 but for rounding has no size of its own. Eigenvectors are left out: of an
// eigenvalue that is met twice, as 0 is, any basis is right. The eigenvalues are compared.
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
const size_of = numbers => numbers.reduce((most, x) => Math.max(most, Math.abs(x)), Number.MIN_VALUE);
const floor = 1e-3 * Math.max(...Object.values(one).map(size_of));
let worst = 0, numbers = 0;
for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
  if (one[name]?.length !== other[name]?.length) throw Error(`${name} is not in both`);
  if (name.endsWith('eigenvectors')) continue;
  const largest = Math.max(floor, size_of(one[name]));
  one[name].forEach((x, k) => {
    const off = Math.abs(x - other[name][k]) / largest;
    worst = Number.isNaN(off) ? Infinity : Math.max(worst, off);
  });
  numbers += one[name].length;
}
console.log(`${numbers} numbers in ${Object.keys(one).length} tensors, at most ${worst} apart`);
process.exit(numbers > 0 && worst <= Number(tolerance) ? 0 : 1);
