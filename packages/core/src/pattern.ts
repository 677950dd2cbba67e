/*
 * Regular expressions in time that is linear in the text, whatever the expression: names come from models and servers,
 * and the engine of the language takes minutes for `(a+)+b` and thirty characters. It follows all ways through an
 * expression at once, instead of one after the other.
 */

/** Whether a text has a match. */
export type Pattern = (text: string) => boolean;

/** A place in an expression. */
interface State {
  /** What it leads to: at once, or after a character. */
  readonly to: State[];
  /** Whether a character leads on. */
  readonly takes?: (character: string) => boolean;
  /** Whether it leads on at a position. */
  readonly holds?: (text: Text, at: number) => boolean;
}

/** A text, and where each lookaround of the expression matches in it. */
interface Text {
  readonly characters: readonly string[];
  readonly around: Map<Part, readonly boolean[]>;
}

/** A part of an expression: makes the states that lead to `next`. */
type Part = (next: State, build: Build) => State;

interface Build {
  /** From the end of the text to its start. */
  readonly backwards: boolean;
  /** How many copies counted repetitions have made. */
  copies: number;
}

const MATCHED: State = { to: [] };

/** Counted repetitions are written out: `(a{100}){100}` has 10,100 copies, each of which costs time at every character. */
const MAX_COPIES = 1000;

/**
 * Compiles an expression.
 *
 * @throws SyntaxError if it has what cannot be matched in linear time, such as a backreference, or is too large
 */
export function compilePattern({ source, flags }: RegExp): Pattern {
  const part = new Parser(source, flags).parse();
  const start = build(part, false);
  const split = flags.includes('u') ? Array.from : (text: string) => text.split('');
  return (text) => scan(start, { characters: split(text), around: new Map() }, false).includes(true);
}

function build(part: Part, backwards: boolean): State {
  return part(MATCHED, { backwards, copies: 0 });
}

/** Where a match may end that begins anywhere. Backwards: where one may begin that ends anywhere. */
function scan(start: State, text: Text, backwards: boolean): readonly boolean[] {
  const { characters } = text;
  const matches: boolean[] = [];
  let states = new Set<State>();
  for (let step = 0; step <= characters.length; step++) {
    const at = backwards ? characters.length - step : step;
    const character = characters[backwards ? at - 1 : at];
    const next = new Set<State>();
    states.add(start);
    // The iteration reaches what is added meanwhile.
    for (const { to, takes, holds } of states) {
      if (takes === undefined ? holds?.(text, at) === false : character === undefined || !takes(character))
        continue;
      for (const state of to) (takes === undefined ? states : next).add(state);
    }
    matches[at] = states.has(MATCHED);
    states = next;
  }
  return matches;
}

/** Reads an expression that is known to be valid. What stands for one character is left to the language. */
class Parser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  parse(): Part {
    if (this.#flags.includes('v')) throw new SyntaxError('the flag v');
    const part = this.#either();
    return this.#flags.includes('y') ? sequence([condition((_, at) => at === 0), part]) : part;
  }

  /** Takes what the text goes on with. */
  #take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #either(): Part {
    const parts: Part[] = [];
    do {
      const sequenced: Part[] = [];
      while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at)))
        sequenced.push(this.#repeated());
      parts.push(sequence(sequenced));
    } while (this.#take(/\|/y));
    return (next, built) => ({ to: parts.map((part) => part(next, built)) });
  }

  #repeated(): Part {
    const part = this.#one();
    // Whether it is lazy makes no difference to whether there is a match.
    const [all, sign, least = '', comma, most = ''] = this.#take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y) ?? [];
    if (all === undefined) return part;
    if (sign !== undefined)
      return repeat(part, sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY);
    const max = most === '' ? Number.POSITIVE_INFINITY : Number(most);
    return repeat(part, Number(least), comma === '' ? Number(least) : max);
  }

  #one(): Part {
    const group = this.#take(/\((?:\?(?:<?[=!]|:|<[^>]*>))?/y)?.[0];
    if (group !== undefined) return this.#group(group);
    const edge = this.#take(/[$^]|\\[Bb]/y)?.[0];
    if (edge !== undefined) return this.#edge(edge);
    const isUnicode = this.#flags.includes('u');
    const [character] =
      this.#take(/\[(?:\\[\s\S]|[^\]\\])*\]/y) ?? this.#take(isUnicode ? UNICODE_CHARACTER : CHARACTER) ?? [];
    // A number, or the name of a group.
    if (character === undefined) throw new SyntaxError(`"${this.#source.slice(this.#at, this.#at + 2)}"`);
    const takes = this.#test(character);
    return (next) => ({ to: [next], takes });
  }

  #group(opening: string): Part {
    if (this.#source.charAt(this.#at) === '?' && opening === '(') throw new SyntaxError('flags of a group');
    const body = this.#either();
    this.#at++;
    if (!/[!=]$/.test(opening)) return body;
    const isBehind = opening.includes('<');
    const wanted = opening.endsWith('=');
    const start = build(body, !isBehind);
    return condition((text, at) => {
      const known = text.around.get(body) ?? scan(start, text, !isBehind);
      text.around.set(body, known);
      return known[at] === wanted;
    });
  }

  #edge(edge: string): Part {
    if (edge === '^' || edge === '$') {
      const ends = this.#flags.includes('m') ? /[\n\r\u2028\u2029]/ : /(?!)/;
      return condition(({ characters }, at) => {
        const beside = characters[edge === '^' ? at - 1 : at];
        return beside === undefined || ends.test(beside);
      });
    }
    const isWord = this.#test('\\w');
    return condition(({ characters }, at) => {
      const [before, after] = [at - 1, at].map((index) => isWord(characters[index] ?? ''));
      return (before !== after) === (edge === '\\b');
    });
  }

  #test(character: string): (character: string) => boolean {
    const expression = new RegExp(`^(?:${character})$`, this.#flags.replace(/[^isu]/g, ''));
    return (given) => expression.test(given);
  }
}

/** What stands for one character outside of a class. The digits are those of a backreference, `k` is the name of one. */
const CHARACTER: RegExp = /\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|0(?!\d)|[^\dck])|[^\\]/iy;
const UNICODE_CHARACTER: RegExp =
  /\\(?:x[\da-f]{2}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\}|p\{[^}]*\}|c[a-z]|0|[^\dck])|[^\\]/iuy;

function condition(holds: NonNullable<State['holds']>): Part {
  return (next) => ({ to: [next], holds });
}

function sequence(parts: readonly Part[]): Part {
  return (next, built) => {
    const ordered = built.backwards ? parts : parts.toReversed();
    return ordered.reduce((after, part) => part(after, built), next);
  };
}

function repeat(part: Part, min: number, max: number): Part {
  return (next, built) => {
    const copy = (after: State): State => {
      if (++built.copies > MAX_COPIES) throw new SyntaxError(`more than ${MAX_COPIES} counted repetitions`);
      return part(after, built);
    };
    let last = next;
    if (max === Number.POSITIVE_INFINITY) {
      last = { to: [next] };
      last.to.push(part(last, built));
    } else for (let nth = min; nth < max; nth++) last = { to: [next, copy(last)] };
    for (let nth = 0; nth < min; nth++) last = copy(last);
    return last;
  };
}
