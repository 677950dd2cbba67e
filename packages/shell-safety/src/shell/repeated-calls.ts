import type { Runner } from './runner.ts';
import type { DefinedFunction, Scope } from './scope.ts';

/**
 * Remembers calls of functions, because scripts call some of them hundreds of times. A call has no new effect when an earlier
 * one had the same arguments and saw the same values: only what it sets has to be set again.
 */
export class RepeatedCalls {
  readonly #outcomes = new Map<string, Outcome>();
  readonly #reaches = new Map<DefinedFunction, Reach>();

  /** Walks through a call with `walk`, unless an equal one was walked through before. */
  run(call: FunctionCall, runner: Runner, walk: () => string): string {
    const { called, scope } = call;
    const { shell } = scope;
    const reach = shell.names.aliases.size > 0 ? undefined : this.#reachOf(called, scope);
    if (!reach?.isNamed || scope.calls.some((caller) => reach.nodes.has(caller))) return walk();
    const key = keyOf(call, reach, runner);
    if (!runner.spend((key.length + reach.words.length) / 2)) return '';
    const { choice } = scope;
    const known = this.#outcomes.get(key) ?? this.#outcomes.get(choice.at + key);
    if (known) {
      shell.cwd = known.cwd;
      for (const [i, word] of reach.words.entries()) {
        const values = known.values[i];
        if (values) shell.names.variables.set(word, values);
        else shell.names.variables.delete(word);
      }
      return known.output;
    }
    const before = stateOf(scope, runner);
    const { varied } = choice;
    choice.varied = false;
    const output = walk();
    const depends = choice.varied;
    choice.varied ||= varied;
    if (!runner.done && stateOf(scope, runner) === before) {
      const values = reach.words.map((word) => shell.names.variables.get(word));
      this.#outcomes.set(depends ? choice.at + key : key, { output, cwd: shell.cwd, values });
    }
    return output;
  }

  #reachOf(called: DefinedFunction, scope: Scope): Reach {
    const { functions } = scope.shell.names;
    let reach = this.#reaches.get(called);
    if (!reach?.words.every((word, i) => functions.get(word) === reach?.functions[i])) {
      reach = findReach(called, scope, this.#reaches.size);
      this.#reaches.set(called, reach);
    }
    return reach;
  }
}

interface FunctionCall {
  readonly called: DefinedFunction;
  readonly positional: readonly string[];
  readonly stdin: string | undefined;
  readonly scope: Scope;
}

/** What a call left behind. */
interface Outcome {
  readonly output: string;
  readonly cwd: string;
  /** Of each word in the function, the values of the variable of that name. */
  readonly values: readonly (readonly string[] | undefined)[];
}

/** What a function may use, itself and through the functions that it calls. */
interface Reach {
  readonly id: number;
  /** Whether it names all of that. */
  readonly isNamed: boolean;
  readonly nodes: ReadonlySet<unknown>;
  /** The words in its text, which may be names of variables and functions. */
  readonly words: readonly string[];
  /** Of each word, the function of that name. */
  readonly functions: readonly (DefinedFunction | undefined)[];
}

function findReach(called: DefinedFunction, { shell, budget }: Scope, id: number): Reach {
  const { functions } = shell.names;
  const found = new Map<string, DefinedFunction | undefined>();
  const nodes = new Set<unknown>();
  const pending = [called];
  let isNamed = true;
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (nodes.has(next.node)) continue;
    nodes.add(next.node);
    budget.charge(next.text.length);
    isNamed &&= !COMPUTES_NAMES.test(next.text);
    for (const [word] of next.text.matchAll(WORD)) {
      const inner = functions.get(word);
      found.set(word, inner);
      if (inner) pending.push(inner);
    }
  }
  return { id, isNamed, nodes, words: [...found.keys()], functions: [...found.values()] };
}

/** The name of a variable or a function. */
const WORD = /[A-Za-z_][\w-]*/g;
/** With these, a function may use variables and functions that it does not name. */
const COMPUTES_NAMES =
  /\$\{!|\b(?:eval|source|alias|trap)\b|(?:^|[\s;&|(])\.\s|\b(?:export|declare|typeset|local|readonly|read|mapfile|readarray|unset)\b[^\n;]{0,200}?\s["']?\$/;

/** Everything that the outcome of a call depends on. */
function keyOf({ positional, stdin, scope }: FunctionCall, { id, words }: Reach, runner: Runner): string {
  const { shell, conditional, forked, root, host, heard, loads, weighs } = scope;
  const { variables, exported } = shell.names;
  const flags = [conditional, forked, root, heard, loads, weighs].map(Number).join('');
  const parts = [id, flags, host, shell.cwd, stdin, stateOf(scope, runner), positional.length];
  const values = [...words, ...exported].flatMap((name) => {
    const known = variables.get(name);
    return known ? [name, known.length, ...known] : [];
  });
  return [...parts, ...positional, ...values].join('\0');
}

/** Says whether files, functions, descriptors or exported variables are other than before. */
function stateOf({ shell: { names } }: Scope, { files, descriptors, sockets }: Runner): string {
  const { functions, aliases, exported } = names;
  return [functions.size, aliases.size, exported.size, files.digest, ...descriptors, ...sockets].join();
}
