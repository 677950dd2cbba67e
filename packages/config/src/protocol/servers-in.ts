/*
 * The names of MCP servers that a rule may mean. An agent that does not say of which server a tool is (Cursor never does)
 * leaves open that it is any of them, and a rule may give them by an expression: `mcp__git(hub|lab)__.*`.
 */

/** A name of a server for each alternative of a pattern, which is a regular expression, a glob or a name. */
export function serversIn(pattern: string): readonly string[] {
  const known = servers.get(pattern) ?? findServers(pattern);
  servers.set(pattern, known);
  return known;
}

const servers = new Map<string, readonly string[]>();

function findServers(pattern: string): readonly string[] {
  const expressions = [pattern, fromGlob(pattern)];
  // A lookahead may forbid the one: `mcp__(?!a)\w+__.*`.
  const samples = expressions.flatMap((one) => [new Sampler(one, LETTERS), new Sampler(one, BACKWARDS)]);
  const names = samples.flatMap((sampler) => sampler.all()).flatMap(serversOf);
  return [...new Set(names)].filter((name) => name !== '');
}

/** What may be the server's name in that of a tool: `mcp__github__get`, `mcp:github:get`, `mcp_github_get`, `github_get`. */
function serversOf(tool: string): readonly string[] {
  const rests = [tool, ...tool.split(/mcp(?:__|:|_)/i).slice(1)];
  return rests.flatMap((rest) => [/^.*?(?=__|:|$)/s, /^[^_-]*/].map((name) => name.exec(rest)?.[0] ?? ''));
}

function fromGlob(pattern: string): string {
  return pattern.replaceAll(/\[(?:\\.|[^\]\\])*\]|\\.|[*?]|[^\w\s]/gs, (token) => {
    if (token === '*') return '.*';
    if (token === '?') return '.';
    return token.length > 1 ? token : `\\${token}`;
  });
}

const LETTERS: readonly string[] = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.: /@#+',
];
const BACKWARDS: readonly string[] = LETTERS.toReversed();

/** A longer text is the name of no server. */
const MAX_LENGTH = 1000;

/** Makes texts that a regular expression matches, without its lookarounds. Each alternative is in at least one of them. */
class Sampler {
  readonly #pattern: string;
  readonly #letters: readonly string[];
  readonly #ends: ReadonlyMap<number, number>;

  constructor(pattern: string, letters: readonly string[]) {
    this.#pattern = pattern;
    this.#letters = letters;
    this.#ends = endsIn(pattern);
  }

  all(): readonly string[] {
    return this.#alternatives(0, this.#pattern.length);
  }

  #alternatives(from: number, to: number): readonly string[] {
    const samples: string[] = [];
    let start = from;
    for (let at = from; at <= to; at = this.#ends.get(at) ?? at + 1) {
      if (at < to && this.#pattern[at] !== '|') continue;
      samples.push(...this.#sequence(start, at));
      start = at + 1;
    }
    return samples;
  }

  #sequence(from: number, to: number): readonly string[] {
    let samples: readonly string[] = [''];
    for (let at = from; at < to; ) {
      const end = this.#ends.get(at) ?? at + 1;
      const [quantifier = '', least = '1'] =
        /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#pattern.slice(end, to)) ?? [];
      const part = this.#part(at, end);
      samples = beside(samples, part, Number(least));
      at = end + quantifier.length;
    }
    return samples;
  }

  #part(from: number, to: number): readonly string[] {
    const text = this.#pattern.slice(from, to);
    if (!text.startsWith('(')) return [this.#character(text)];
    const [head = ''] = /^\((?:\?(?::|<\w+>|[ims-]+:?))?/.exec(text) ?? [];
    const isLookaround = /^\(\?<?[=!]/.test(text);
    return isLookaround ? [''] : this.#alternatives(from + head.length, Math.max(from + head.length, to - 1));
  }

  #character(text: string): string {
    if (/^[\w ]$/.test(text)) return text;
    if (/^(?:[$^]|\\[bB\d])/.test(text)) return '';
    try {
      const expression = new RegExp(`^${text}$`, 's');
      return this.#letters.find((letter) => expression.test(letter)) ?? '';
    } catch {
      return '';
    }
  }
}

/** Each text with one of the following ones, so that all of both occur. */
function beside(texts: readonly string[], following: readonly string[], times: number): readonly string[] {
  const length = Math.max(texts.length, following.length);
  return Array.from({ length }, (_, index) => {
    const text = texts[index % texts.length] ?? '';
    const next = following[index % following.length] ?? '';
    const count = text.length + next.length * times > MAX_LENGTH ? 1 : Math.max(1, times);
    return text.length > MAX_LENGTH ? text : text + next.repeat(count);
  });
}

/** Where each escape, class and group of a pattern ends, by where it begins. */
export function endsIn(pattern: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: token, index } of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/gs)) {
    if (token === '(') open.push(index);
    else ends.set(token === ')' ? (open.pop() ?? index) : index, index + token.length);
  }
  return ends;
}
