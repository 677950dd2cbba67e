import { judgeText } from './fallback.ts';
import { Machine } from './machine.ts';
import { withoutMarks } from './marks.ts';
import { areOrdinary } from './ordinary.ts';
import { type PlainCall, plainCalls } from './plain-calls.ts';
import { type CommandVerdict, finding, verdict } from './verdict.ts';

/** Commands longer than this, or nested deeper, are not parsed: they go to the fallback. */
const MAX_PARSED_LENGTH = 16 * 1024;
const MAX_NESTING = 48;

const TOO_MUCH = finding(
  'unjudged/too-much',
  'There is more in this command than can be gone through, so that nobody knows what it would do.',
  'Run it in smaller parts.',
);

/**
 * Says whether a shell command would do something that cannot be taken back: see the rules for what. The command is
 * parsed, never run; wrappers, substitutions, variables and scripts within scripts are followed. What cannot be parsed,
 * nests too deep or is longer than 16 kB is judged word by word instead, which is stricter: there a text in quotes
 * counts as a command. What takes too many steps to go through is refused. It never throws, and its time grows with the length of the command.
 *
 * @example
 * ```ts
 * checkCommand('sudo bash -c "rm -rf /"')?.rule; // 'filesystem/delete'
 * checkCommand('echo "rm -rf /"'); // undefined
 * ```
 */
export function checkCommand(command: string): CommandVerdict | undefined {
  const calls = plainCalls(command);
  if (calls && areOrdinary(calls)) return undefined;
  const source = withoutMarks(command);
  if (source.length > MAX_PARSED_LENGTH || nesting(source) > MAX_NESTING) return judgeText(source);
  try {
    const machine = new Machine();
    const found = walked(machine, source, calls);
    if (found) return found;
    // `git -C $d commit` takes one value of several, and with all of them it is another command.
    for (let at = 0; at < Math.min(machine.most, MAX_ALONE); at++) {
      const alone = walked(new Machine(at), source, calls);
      if (alone) return alone;
    }
    return undefined;
  } catch {
    // Whatever trips the parser is no reason to let a command pass.
    return judgeText(source);
  }
}

/** So many values of a variable are gone through one at a time, after all at once. */
const MAX_ALONE = 4;

function walked(
  machine: Machine,
  source: string,
  calls: readonly PlainCall[] | undefined,
): CommandVerdict | undefined {
  const [only] = calls ?? [];
  if (only && calls?.length === 1 && only.outputs.length === 0) machine.startProgram(only, source);
  else machine.start(source);
  if (machine.verdict) return machine.verdict;
  for (const text of machine.unread) {
    const found = judgeText(text);
    if (found) return found;
  }
  return machine.exhausted ? (judgeText(source) ?? verdict(TOO_MUCH, source)) : undefined;
}

/** How deep parentheses stand in each other, quoted or not. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = text.indexOf('('); i !== -1 && i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === OPEN && ++depth > deepest) deepest = depth;
    else if (char === CLOSE && depth > 0) depth--;
  }
  return deepest;
}

const OPEN = 40;
const CLOSE = 41;
