/**
 * Searches for the texts that take the longest for their length. Too slow for CI; run it for an hour now and then:
 *
 *     node --conditions=@hooks/source bench/slow-texts.ts secrets --minutes 60
 *
 * A text is a repeated unit. The search builds units that the code's expressions nearly match: it treats each
 * expression that runs on the labelled samples as a grammar, generates texts from it, and truncates or damages them. It
 * mutates the slowest ones further. Add its output to `test/data/slow.jsonl`: a test limits the steps of those texts.
 */
import { parseArgs } from 'node:util';
import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp';
import { stepsOf } from '@hooks/testing/matcher-steps';
import { checkPath, findPii, findSecrets } from '../src/index.ts';
import { RULES } from '../src/redact/rules/index.ts';
import { load } from '../test/labelled.ts';
import { loadSamples, randomFrom } from '../test/secret-samples.ts';

const targets: Readonly<Record<string, (text: string) => unknown>> = {
  secrets: findSecrets,
  pii: findPii,
  paths: checkPath,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    keep: { type: 'string', default: '15' },
  },
});
const name = positionals[0] ?? 'secrets';
const target = targets[name];
if (!target) throw new Error(`Name what to search: ${Object.keys(targets).join(', ')}`);
const random = randomFrom(Number(values.seed));
const below = (n: number): number => Math.floor(random() * n);
const pick = <T>(items: readonly T[]): T => {
  const item = items[below(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

const samples = [
  ...loadSamples('secrets.made-from').map(({ text }) => text),
  ...load('paths.made-from').map(({ path }) => path),
];

const grammars = [
  ...expressionsIn(() => {
    for (const text of samples) target(text);
  }),
  ...(name === 'secrets' ? RULES.map(({ pattern }) => pattern) : []),
].map((expression) => ({ expression, pattern: parseRegExpLiteral(expression).pattern }));

const characters = new Map<string, readonly string[]>();
const SIZE = 16_384;
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).concat('\n', '\t', 'é');

interface Find {
  readonly unit: string;
  readonly ms: number;
}
let worst: readonly Find[] = [];
let tried = 0;
const until = Date.now() + Number(values.minutes) * 60_000;
while (Date.now() < until) {
  const unit = worst.length > 3 && random() < 0.6 ? change(pick(worst).unit) : made();
  if (unit === '' || unit.length > 2000) continue;
  tried++;
  const floor = worst.at(-1)?.ms ?? 0;
  let ms = time(unit);
  if (ms <= floor) continue;
  // JIT compilation and garbage collection may slow down one of ten runs, but not all of them.
  for (let i = 0; i < 10 && ms > floor; i++) ms = Math.min(ms, time(unit));
  if (ms <= floor) continue;
  // Keep one of the units that are slow for the same reason. Comparing their beginnings finds most of these.
  const rivals = worst.filter(({ unit: other }) => alike(unit, other));
  if (rivals.some((rival) => rival.ms >= ms)) continue;
  worst = [...worst.filter((one) => !rivals.includes(one)), { unit, ms }]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, Number(values.keep));
}

console.error(
  `${tried} texts of ${SIZE} characters, from ${grammars.length} expressions, seed ${values.seed}`,
);
for (const { unit, ms } of worst) {
  const text = repeated(unit, 4096);
  const steps = Math.round(stepsOf(() => target(text)) / text.length);
  console.error(`${ms.toFixed(1)} ms, ${steps} steps a character`);
  console.log(JSON.stringify({ for: name, unit }));
}

/** Every expression that `task` executes. */
function expressionsIn(task: () => void): readonly RegExp[] {
  const native = RegExp.prototype.exec;
  const found = new Map<string, RegExp>();
  RegExp.prototype.exec = function (text) {
    found.set(this.source, this);
    return native.call(this, text);
  };
  try {
    task();
  } finally {
    RegExp.prototype.exec = native;
  }
  return [...found.values()];
}

/** CPU time in milliseconds. Wall-clock time would include other processes. */
function time(unit: string): number {
  const text = repeated(unit, SIZE);
  const from = process.cpuUsage();
  target?.(text);
  return process.cpuUsage(from).user / 1000;
}

function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

function alike(a: string, b: string): boolean {
  const shape = (text: string): string =>
    text.replace(/[a-z]+/g, (word) => word.slice(0, 3)).replace(/(.)\1+|\d+/g, '$1');
  return shape(a).slice(0, 8) === shape(b).slice(0, 8);
}

/** A sequence of a few near matches. */
function made(): string {
  let unit = '';
  for (let i = below(3) + 1; i > 0; i--) {
    const { pattern } = pick(grammars);
    let part = alternative(pattern.alternatives);
    if (random() < 0.5) part = part.slice(0, below(part.length) + 1);
    if (random() < 0.3) part = part.slice(0, below(16) + 3);
    unit += part;
    if (random() < 0.4) unit += pick([' ', '\n', '=', '"', '-', '.', '/', ':', '_', '', pick(PRINTABLE)]);
  }
  return unit;
}

function change(unit: string): string {
  const at = below(unit.length);
  switch (below(6)) {
    case 0:
      return unit.slice(0, at) + unit.slice(at + below(20) + 1);
    case 1:
      return unit.slice(0, at) + pick(PRINTABLE) + unit.slice(at);
    case 2:
      return unit.slice(0, at) + pick(PRINTABLE) + unit.slice(at + 1);
    case 3:
      return unit.slice(0, at) + (unit[at] ?? '').repeat(below(300)) + unit.slice(at);
    case 4:
      return unit.slice(0, at) + made() + unit.slice(at);
    default:
      return unit.slice(0, at) + unit.slice(0, below(40)).repeat(below(8)) + unit.slice(at);
  }
}

function alternative(alternatives: readonly AST.Alternative[]): string {
  return pick(alternatives).elements.map(text).join('');
}

function text(element: AST.Element): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterSet':
    case 'CharacterClass':
      return pick(charactersOf(element.raw));
    case 'Group':
    case 'CapturingGroup':
      return alternative(element.alternatives);
    case 'Quantifier': {
      const most = Math.min(element.max, element.min + pick([0, 1, 8, 64, 500]));
      const count = pick([element.min, most, element.min + below(most - element.min + 1)]);
      // Mostly repeat one character, because variety is rarely what makes a text slow.
      if (random() < 0.7) return text(element.element).repeat(count);
      return Array.from({ length: count }, () => text(element.element)).join('');
    }
    case 'Assertion':
      return 'alternatives' in element && !element.negate && random() < 0.5
        ? alternative(element.alternatives)
        : '';
    default:
      return '';
  }
}

function charactersOf(raw: string): readonly string[] {
  const known = characters.get(raw);
  if (known) return known;
  const one = new RegExp(`^${raw}$`, 'u'.repeat(Number(raw.includes('\\p'))));
  const made = PRINTABLE.filter((char) => one.test(char));
  characters.set(raw, made.length > 0 ? made : ['a']);
  return charactersOf(raw);
}
