import { isDeepStrictEqual } from 'node:util';
import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp';

/**
 * Counts the steps of the regular expressions in `task`, with a matcher that backtracks like the engine's. A step is a
 * character, an alternative, a loop iteration or an assertion that it tries. The same text always takes the same number
 * of steps, so a test can limit them on a busy machine, too.
 *
 * The task really runs: each result of this matcher must be the same as the engine's.
 */
export function stepsOf(task: () => unknown): number {
  const native = RegExp.prototype.exec;
  let steps = 0;
  const counting = function (this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = native.call(this, text);
    // The helpers below use expressions as well. Do not count these.
    RegExp.prototype.exec = native;
    try {
      const own = search(programOf(this), String(text), from, this.sticky);
      steps += own.steps;
      const expected = found && [found.index, ...found];
      const got = own.groups && [own.groups[0], ...captures(own.groups, String(text))];
      if (!isDeepStrictEqual(got ?? null, expected))
        throw new Error(
          `${this} on ${JSON.stringify(text.slice(0, 200))}: ${JSON.stringify({ got, expected })}`,
        );
    } finally {
      RegExp.prototype.exec = counting;
    }
    return found;
  };
  RegExp.prototype.exec = counting;
  try {
    task();
  } finally {
    RegExp.prototype.exec = native;
  }
  return steps;
}

/** An alternative, with the expression that its first character must match, if known. */
interface Way {
  readonly to: number;
  readonly accepts: ((code: number) => boolean) | undefined;
}

type Instruction =
  | { readonly op: 'char'; readonly accepts: (code: number) => boolean; readonly step: 1 | -1 }
  | { readonly op: 'choose'; readonly ways: readonly Way[] }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly group: number }
  | { readonly op: 'reset'; readonly counter: number }
  | {
      readonly op: 'loop';
      readonly counter: number;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
      exit: number;
    }
  | { readonly op: 'turn'; readonly counter: number }
  | { readonly op: 'again'; readonly counter: number; readonly to: number }
  | { readonly op: 'back'; readonly group: number; readonly step: 1 | -1 }
  | { readonly op: 'assert'; readonly holds: (text: string, at: number) => boolean }
  | { readonly op: 'look'; readonly program: readonly Instruction[]; readonly negate: boolean }
  | { readonly op: 'match' };

interface Program {
  readonly code: readonly Instruction[];
  readonly groups: number;
  readonly counters: number;
}

interface Found {
  readonly steps: number;
  /** Start and end of the match and of each group, one after the other; -1 where a group took no part. */
  readonly groups?: readonly number[];
}

function captures(groups: readonly number[], text: string): (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  for (let i = 0; i < groups.length; i += 2)
    texts.push(groups[i + 1] === -1 ? undefined : text.slice(groups[i], groups[i + 1]));
  return texts;
}

const programs = new Map<string, Program>();

function programOf(expression: RegExp): Program {
  const key = String(expression);
  const known = programs.get(key);
  if (known) return known;
  const made = compile(expression);
  programs.set(key, made);
  return made;
}

function compile(expression: RegExp): Program {
  const { pattern } = parseRegExpLiteral(expression);
  const flags = expression.flags.replace(/[dgmy]/g, '');
  let groups = 1;
  let counters = 0;
  const numbers = new Map<AST.CapturingGroup, number>();
  const acceptors = new Map<string, (code: number) => boolean>();

  const acceptor = (raw: string): ((code: number) => boolean) => {
    const known = acceptors.get(raw);
    if (known) return known;
    const one = new RegExp(`^(?:${raw})$`, flags);
    const answers = new Map<number, boolean>();
    const accepts = (code: number): boolean => {
      let answer = answers.get(code);
      if (answer === undefined) {
        answer = one.test(String.fromCharCode(code));
        answers.set(code, answer);
      }
      return answer;
    };
    acceptors.set(raw, accepts);
    return accepts;
  };

  const choose = (code: Instruction[], alternatives: readonly AST.Alternative[], step: 1 | -1): void => {
    const jumps: { to: number }[] = [];
    const ways: Way[] = [];
    if (alternatives.length > 1) code.push({ op: 'choose', ways });
    for (const [i, { elements }] of alternatives.entries()) {
      const first = elements[0];
      ways.push({
        to: code.length,
        accepts: step === 1 && first?.type === 'Character' ? acceptor(first.raw) : undefined,
      });
      for (const element of step === 1 ? elements : elements.toReversed()) emit(code, element, step);
      if (i === alternatives.length - 1) break;
      const jump = { op: 'jump' as const, to: 0 };
      code.push(jump);
      jumps.push(jump);
    }
    for (const jump of jumps) jump.to = code.length;
  };

  const emit = (code: Instruction[], element: AST.Element, step: 1 | -1): void => {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        code.push({ op: 'char', accepts: acceptor(element.raw), step });
        return;
      case 'Group':
        choose(code, element.alternatives, step);
        return;
      case 'CapturingGroup': {
        const number = numbers.get(element) ?? groups++;
        numbers.set(element, number);
        code.push({ op: 'save', group: step === 1 ? number * 2 : number * 2 + 1 });
        choose(code, element.alternatives, step);
        code.push({ op: 'save', group: step === 1 ? number * 2 + 1 : number * 2 });
        return;
      }
      case 'Quantifier': {
        const counter = counters++;
        code.push({ op: 'reset', counter });
        const loop = {
          op: 'loop' as const,
          counter,
          min: element.min,
          max: element.max,
          greedy: element.greedy,
          exit: 0,
        };
        const to = code.push(loop) - 1;
        code.push({ op: 'turn', counter });
        emit(code, element.element, step);
        code.push({ op: 'again', counter, to });
        loop.exit = code.length;
        return;
      }
      case 'Assertion':
        code.push(assertion(element));
        return;
      case 'Backreference': {
        const group = [element.resolved].flat()[0];
        code.push({ op: 'back', group: (group && numbers.get(group)) ?? 0, step });
        return;
      }
      default:
        throw new Error(`${expression}: ${element.type} is not supported here`);
    }
  };

  const assertion = (element: AST.Assertion): Instruction => {
    switch (element.kind) {
      case 'start':
        return {
          op: 'assert',
          holds: (text, at) => at === 0 || (expression.multiline && text[at - 1] === '\n'),
        };
      case 'end':
        return {
          op: 'assert',
          holds: (text, at) => at === text.length || (expression.multiline && text[at] === '\n'),
        };
      case 'word': {
        const isWord = acceptor('\\w');
        const wordAt = (text: string, at: number): boolean =>
          at >= 0 && at < text.length && isWord(text.charCodeAt(at));
        return {
          op: 'assert',
          holds: (text, at) => (wordAt(text, at - 1) !== wordAt(text, at)) !== element.negate,
        };
      }
      default: {
        const program: Instruction[] = [];
        choose(program, element.alternatives, element.kind === 'lookahead' ? 1 : -1);
        program.push({ op: 'match' });
        return { op: 'look', program, negate: element.negate };
      }
    }
  };

  // Groups are numbered in source order, even in a lookbehind, which reads them from the right.
  visitGroups(pattern, (group) => numbers.set(group, groups++));
  const code: Instruction[] = [];
  choose(code, pattern.alternatives, 1);
  code.push({ op: 'match' });
  return { code, groups, counters };
}

function visitGroups(node: AST.Pattern | AST.Element, found: (group: AST.CapturingGroup) => void): void {
  if (node.type === 'CapturingGroup') found(node);
  if (node.type === 'Quantifier') visitGroups(node.element, found);
  else if ('alternatives' in node)
    for (const { elements } of node.alternatives) for (const element of elements) visitGroups(element, found);
}

function search(program: Program, text: string, from: number, sticky: boolean): Found {
  let steps = 0;
  const groups: number[] = new Array(program.groups * 2).fill(-1);
  // For each loop: the number of iterations, and the start of the last one.
  const counters: number[] = new Array(program.counters * 2).fill(0);

  const run = (code: readonly Instruction[], start: number): number => {
    // Alternatives to try (instruction, position), and values to restore before that (-1 or -2, index, value).
    const stack: number[] = [];
    let at = start;
    let next = 0;
    const set = (values: number[], index: number, value: number): void => {
      stack.push(values[index] ?? 0, index, values === groups ? -1 : -2);
      values[index] = value;
    };
    for (;;) {
      const instruction = code[next];
      if (instruction === undefined) throw new Error('the program has no end');
      steps++;
      next++;
      let failed = false;
      switch (instruction.op) {
        case 'char': {
          const index = instruction.step === 1 ? at : at - 1;
          if (index >= 0 && index < text.length && instruction.accepts(text.charCodeAt(index)))
            at += instruction.step;
          else failed = true;
          break;
        }
        case 'choose': {
          // Like an engine, skip an alternative whose first character does not match.
          const code = text.charCodeAt(at);
          const open = instruction.ways.filter(({ accepts }) => accepts === undefined || accepts(code));
          for (let i = open.length - 1; i > 0; i--) stack.push(at, open[i]?.to ?? 0);
          if (open[0]) next = open[0].to;
          else failed = true;
          break;
        }
        case 'jump':
          next = instruction.to;
          break;
        case 'save':
          set(groups, instruction.group, at);
          break;
        case 'reset':
          set(counters, instruction.counter * 2, 0);
          set(counters, instruction.counter * 2 + 1, -1);
          break;
        case 'loop': {
          const count = counters[instruction.counter * 2] ?? 0;
          // Stop a loop after an empty iteration.
          if (count > instruction.min && counters[instruction.counter * 2 + 1] === at) failed = true;
          else if (count >= instruction.max) next = instruction.exit;
          else if (count >= instruction.min && instruction.greedy) stack.push(at, instruction.exit);
          else if (count >= instruction.min) {
            stack.push(at, next);
            next = instruction.exit;
          }
          break;
        }
        case 'turn':
          set(counters, instruction.counter * 2 + 1, at);
          break;
        case 'again':
          set(counters, instruction.counter * 2, (counters[instruction.counter * 2] ?? 0) + 1);
          next = instruction.to;
          break;
        case 'assert':
          failed = !instruction.holds(text, at);
          break;
        case 'back': {
          const [from, to] = [groups[instruction.group * 2] ?? -1, groups[instruction.group * 2 + 1] ?? -1];
          const said = to === -1 ? '' : text.slice(from, to);
          const start = instruction.step === 1 ? at : at - said.length;
          if (start >= 0 && text.startsWith(said, start)) at += said.length * instruction.step;
          else failed = true;
          break;
        }
        case 'look': {
          const before = [...groups];
          const held = run(instruction.program, at) !== -1;
          for (const [index, value] of before.entries()) {
            if (instruction.negate) groups[index] = value;
            else if (groups[index] !== value) stack.push(value, index, -1);
          }
          failed = held === instruction.negate;
          break;
        }
        case 'match':
          return at;
      }
      if (!failed) continue;
      for (;;) {
        const top = stack.pop();
        if (top === undefined) return -1;
        if (top >= 0) {
          next = top;
          at = stack.pop() ?? 0;
          break;
        }
        const index = stack.pop() ?? 0;
        (top === -1 ? groups : counters)[index] = stack.pop() ?? 0;
      }
    }
  };

  for (let start = from; start <= text.length; start++) {
    groups.fill(-1);
    const end = run(program.code, start);
    if (end !== -1) return { steps, groups: [start, end, ...groups.slice(2)] };
    if (sticky) break;
  }
  return { steps };
}
