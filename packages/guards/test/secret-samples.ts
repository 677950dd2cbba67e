import { readFileSync } from 'node:fs';

/**
 * A labelled line of `test/data/secrets.*.jsonl`. The repository contains no string that looks like a secret: a line is a
 * template, in which `<hex:40>` becomes 40 random hex digits from a seed, and `{{…}}` marks what is secret.
 */
export interface Sample {
  readonly label: 'secret' | 'benign';
  readonly kind: string;
  readonly template: string;
  readonly text: string;
  /** Texts that must be redacted; empty for benign lines. */
  readonly secrets: readonly string[];
}

export function loadSamples(name: string, seed = 1): readonly Sample[] {
  const lines = readFileSync(new URL(`data/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const random = randomFrom(seed);
  return lines.map((line) => {
    const { label, kind, text }: { label: Sample['label']; kind: string; text: string } = JSON.parse(line);
    return { label, kind, template: text, ...fill(text, label, random) };
  });
}

/** Fills the template's classes and removes the marks. */
export function fill(
  template: string,
  label: Sample['label'],
  random: () => number,
): { text: string; secrets: string[] } {
  const filled = template.replace(/<(\w+)(?::([\w ]*))?>/g, (whole, name: string, size?: string) => {
    const pick = (alphabet: string, length: number): string =>
      Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
    const alphabet = alphabets[name];
    if (alphabet !== undefined) return pick(alphabet, Number(size));
    return shapes[name]?.(pick, size ?? '') ?? whole;
  });
  if (label === 'benign') return { text: filled, secrets: [] };
  const secrets: string[] = [];
  const text = filled.replace(/\{\{([\s\S]*?)\}\}/g, (_, secret: string) => {
    secrets.push(secret);
    return secret;
  });
  return { text, secrets };
}

/** A seeded generator of numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

type Pick = (alphabet: string, length: number) => string;

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const alnum = digits + lower + upper;
const hex = '0123456789abcdef';
const b64 = `${alnum}+/`;
const url = `${alnum}_-`;

const alphabets: Readonly<Record<string, string>> = {
  digits,
  hex,
  HEX: '0123456789ABCDEF',
  alpha: lower + upper,
  alnum,
  lower: digits + lower,
  upper: digits + upper,
  b32: `${upper}234567`,
  bech: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  b64,
  b64u: alnum,
  url,
  upass: `${alnum}_-.!`,
  pass: `${alnum}!#$%^*_-`,
};

const shapes: Readonly<Record<string, (pick: Pick, size: string) => string>> = {
  uuid: (pick) => [8, 4, 4, 4, 12].map((n) => pick(hex, n)).join('-'),
  jwt: (pick) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${pick(alnum, 60)}.${pick(url, 43)}`,
  pem: (pick, kind) => block(`${kind}PRIVATE KEY`, pick, '\n'),
  pemjson: (pick) => block('PRIVATE KEY', pick, '\\n'),
  pgp: (pick) => block('PGP PRIVATE KEY BLOCK', pick, '\n'),
};

function block(name: string, pick: Pick, newline: string): string {
  const body = Array.from({ length: 6 }, () => pick(b64, 64));
  return [`-----BEGIN ${name}-----`, ...body, `-----END ${name}-----`].join(newline);
}
