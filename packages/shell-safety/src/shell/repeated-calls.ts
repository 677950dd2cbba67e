import { type Budget, KEPT } from './budget.ts';
import type { Files } from './file-content.ts';
import { keyOf } from './key.ts';
import { holdsSecret, holdsVariables } from './marks.ts';
import { functionsOfPrinting } from './printing-functions.ts';
import { type DefinedFunction, isSecretName, type Scope, type Shifted } from './scope.ts';

/**
 * Remembers calls of functions, because scripts call some of them hundreds of times. A call has no new effect when an earlier
 * one had the same arguments and saw the same values: only what it sets has to be set again.
 */
export class RepeatedCalls {
  readonly #outcomes = new Map<string, Outcome>();
  readonly #reaches = new Map<DefinedFunction, Reach>();

  /** Walks through a call with `walk`, unless an equal one was walked through before. */
  run(call: FunctionCall, runner: Outside, walk: () => string): string {
    const { called, scope } = call;
    const { shell } = scope;
    const reach = this.#reachOf(called, scope);
    if (!reach.isNamed || scope.calls.some((caller) => reach.nodes.has(caller))) return walk();
    if (reach.isPrinting && !scope.heard && printsNoSecret(call, reach, runner)) return '';
    const key = keyOf(dependsOn(call, reach, runner));
    if (!runner.spend(key.length / (2 * KEPT) + reach.words.length / 2)) return '';
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
    const { names } = scope.shell;
    let reach = this.#reaches.get(called);
    if (!reach?.words.every((word, i) => meaningOf(word, names) === reach?.meanings[i])) {
      reach = findReach(called, scope, this.#reaches.size);
      this.#reaches.set(called, reach);
    }
    return reach;
  }
}

/** What calls change beside their shell, and the budget. */
interface Outside {
  readonly done: boolean;
  readonly files: Files;
  readonly descriptors: ReadonlyMap<string, string>;
  readonly sockets: ReadonlySet<string>;
  spend(characters: number): boolean;
}

interface FunctionCall {
  readonly called: DefinedFunction;
  readonly positional: readonly string[];
  readonly shifted: Shifted;
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
  /** Whether it only tests and prints. */
  readonly isPrinting: boolean;
  readonly nodes: ReadonlySet<unknown>;
  /** The words in its text, which may be names of variables and functions. */
  readonly words: readonly string[];
  /** Of each word, the function or alias of that name. */
  readonly meanings: readonly Meaning[];
}

type Meaning = DefinedFunction | string | undefined;

function meaningOf(word: string, { functions, aliases }: Scope['shell']['names']): Meaning {
  return aliases.get(word) ?? functions.get(word);
}

function findReach(called: DefinedFunction, { shell, budget }: Scope, id: number): Reach {
  const found = new Map<string, Meaning>();
  const nodes = new Set<unknown>();
  const pending: NonNullable<Meaning>[] = [];
  const calls = new Set<string>();
  let isNamed = true;
  let mayOnlyPrint = true;
  for (let next: Meaning = called; next !== undefined; next = pending.pop()) {
    if (typeof next === 'object') nodes.add(next.node);
    const own = wordsOf(next, budget);
    isNamed &&= own.areAll;
    mayOnlyPrint &&= own.calls !== undefined;
    if (mayOnlyPrint) for (const name of own.calls ?? []) calls.add(name);
    for (const word of own.words) {
      if (found.has(word)) continue;
      const meaning = meaningOf(word, shell.names);
      found.set(word, meaning);
      if (meaning !== undefined) pending.push(meaning);
    }
  }
  const words = [...found.keys()];
  const meanings = [...found.values()];
  const isPrinting =
    isNamed && mayOnlyPrint && !words.some(isSecretName) && [...calls].every((name) => found.get(name));
  return { id, isNamed, isPrinting, nodes, words, meanings };
}

/** Whether no text is a secret that a function of these words may print, or an option that makes it set a variable. */
function printsNoSecret(
  { positional, stdin, scope }: FunctionCall,
  { words }: Reach,
  runner: Outside,
): boolean {
  const { variables } = scope.shell.names;
  runner.spend(4 * (words.length + positional.length));
  const isPlain = (text: string): boolean =>
    !text.startsWith('-') && !holdsSecret(text) && !holdsVariables(text);
  return (
    (stdin === undefined || isPlain(stdin)) &&
    positional.every(isPlain) &&
    words.every((word) => variables.get(word)?.every(isPlain) ?? true)
  );
}

interface Words {
  readonly words: readonly string[];
  /** Whether it uses no variables and functions that it does not name. */
  readonly areAll: boolean;
  /** The functions that it calls if it else only prints. */
  readonly calls: ReadonlySet<string> | undefined;
}

/** The words in the text of a function or an alias. */
function wordsOf(meaning: NonNullable<Meaning>, budget: Budget): Words {
  const known = typeof meaning === 'object' ? WORDS.get(meaning) : undefined;
  if (known) {
    budget.charge(2 * known.words.length);
    return known;
  }
  const text = typeof meaning === 'string' ? meaning : meaning.text;
  budget.charge(text.length);
  const words = [...new Set(Array.from(text.matchAll(WORD), ([word]) => word))];
  const calls = typeof meaning === 'object' ? functionsOfPrinting(meaning.node.body) : undefined;
  const own = { words, areAll: !COMPUTES_NAMES.test(text), calls };
  if (typeof meaning === 'object') WORDS.set(meaning, own);
  return own;
}

const WORDS = new WeakMap<DefinedFunction, Words>();

/** The name of a variable or a function. */
const WORD = /[A-Za-z_][\w-]*/g;
/** With these, a function may use variables and functions that it does not name. */
const COMPUTES_NAMES =
  /\$\{!|\b(?:eval|source|alias|trap)\b|(?:^|[\s;&|(])\.\s|\b(?:export|declare|typeset|local|readonly|read|mapfile|readarray|unset)\b[^\n;]{0,200}?\s["']?\$/;

/** Everything that the outcome of a call depends on. */
function dependsOn(
  { positional, shifted, stdin, scope }: FunctionCall,
  { id, words }: Reach,
  runner: Outside,
): readonly unknown[] {
  const { shell, conditional, forked, root, host, heard, loads, weighs } = scope;
  const { variables, exported } = shell.names;
  const flags = [conditional, forked, root, heard, loads, weighs].map(Number).join('');
  const parts = [id, flags, host, shell.cwd, stdin, stateOf(scope, runner), shifted.most, positional.length];
  const values = [...words, ...exported].flatMap((name) => {
    const known = variables.get(name);
    return known ? [name, known.length, ...known] : [];
  });
  return [...parts, ...positional, ...values];
}

/** Says whether files, functions, descriptors or exported variables are other than before. */
function stateOf({ shell: { names } }: Scope, { files, descriptors, sockets }: Outside): string {
  const { functions, aliases, exported } = names;
  return [functions.size, aliases.size, exported.size, files.digest, ...descriptors, ...sockets].join();
}
