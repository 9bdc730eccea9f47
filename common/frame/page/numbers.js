// Reads a number as common/frame/text/number_by_hand.cpp does, which says how; NaN is none.
// SPDX-License-Identifier: MIT

const spellings = [['−', '-'], ['–', '-'], ['×', '*'], ['·', '*'], ['⋅', '*'], ['÷', '/'],
  ['**', '^'], [' ', ''], ['\u00a0', ''], ['\u2009', ''], ['\u202f', '']];
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻';
const inAscii = text => spellings.reduce((word, [from, to]) => word.replaceAll(from, to),
  text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/g,
    power => '^' + [...power].map(one => '0123456789-'[raised.indexOf(one)]).join('')));
const withPoint = digits =>
  (/^[1-9]\d{0,2},\d{3}$/.test(digits) ? '' : digits.replaceAll(',', '.'));
const ofDigits = text => {
  const e = text.search(/[eE]|$/),
    word = withPoint(text.slice(0, e)) + text.slice(e);
  const number = /^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word) ? Number(word) : NaN;
  return Number.isFinite(number) ? number : NaN;
};
const numberOf = text => {
  const word = inAscii(text);
  let at = 0, depth = 0;
  const accept = sign => {
    const is = word[at] === sign;
    at += is;
    return is;
  };
  const product = () => {
    let left = power();
    while (word.length > at) {
      const times = accept('*');
      if (!times && !accept('/')) break;
      const right = power();
      left = times ? left * right : left / right;
    }
    return left;
  };
  const power = () => {
    if (++depth > 50) return NaN;
    const negative = accept('-');
    if (!negative) accept('+');
    let number = factor();
    if (accept('^')) number **= power();
    if (accept('%')) number /= 100;
    return negative ? -number : number;
  };
  const factor = () => {
    if (accept('(')) {
      const inside = product();
      return accept(')') ? inside : NaN;
    }
    const [digits] = word.slice(at).match(/^(?:[\d.,]|[eE][+-]?)*/);
    at += digits.length;
    return ofDigits(digits);
  };
  const number = product();
  return at === word.length && Number.isFinite(number) ? number : NaN;
};
