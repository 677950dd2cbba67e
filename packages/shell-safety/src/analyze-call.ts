import { type Analysis, type AnalyzeOptions, analyzeCommands, unjudged } from './analyze.ts';
import { tooMuch } from './dangers.ts';
import { commandsOfCall } from './input/call-commands.ts';

/**
 * Says what a tool call would do: `values` are those of its arguments that hold commands, `input` is all that it was called with.
 * Words beside a command are its arguments (`command` and `args`). All commands of a call share one budget. A call with very many values has the effect `unjudged`.
 *
 * @example
 * ```ts
 * analyzeCall(['ls'], { command: 'ls', cwd: '/' }).effects[0]?.program; // 'ls'
 * ```
 */
export function analyzeCall(
  values: readonly unknown[],
  input: unknown,
  options: AnalyzeOptions = {},
): Analysis {
  if (isTooLarge([values, input])) return { effects: [unjudged(tooMuch, 'the input of the call')], steps: 0 };
  return analyzeCommands(commandsOfCall(values, input), options);
}

/** Each value may stand beside each command, so their number times their length is bounded. */
function isTooLarge(input: unknown): boolean {
  let level: unknown[] = [input];
  let count = 0;
  let length = 0;
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length;
    for (const value of level) if (typeof value === 'string') length += value.length;
    if (depth > MAX_DEPTH || count > MAX_VALUES || count * length > MAX_PRODUCT) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

const MAX_DEPTH = 16;
const MAX_VALUES = 2000;
const MAX_PRODUCT = 64 * 1024 * 1024;
