import { inItsPlace } from './call-place.ts';
import { quote } from './quote.ts';

/**
 * The commands in the arguments of a tool call. A text is a command; a list of words is one command, as
 * `['bash', '-lc', 'ls']`, and may be one of several; `{ command: 'rm', args: ['-rf', '/'] }` is one with its arguments.
 * Where the whole `input` of the call says more that matters to a command (`cwd`, `env`, `stdin`), that command comes
 * again behind itself, with what it says: both are to be judged.
 */
export function commandsOfCall(values: readonly unknown[], input: unknown): readonly string[] {
  const commands = new Set([...commandsOf(values), ...withArguments(input)]);
  return [...commands].flatMap((command) => {
    const placed = inItsPlace(command, input);
    return placed === undefined ? command : [command, placed];
  });
}

function commandsOf(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return texts(value);
    const inner = Object.values(value);
    if (!Array.isArray(value)) return [...commandsOf(inner), ...withArguments(value)];
    const words = texts(value);
    const nested = inner.filter((item) => typeof item === 'object');
    return [line(words), ...words.filter((word) => /\s/.test(word)), ...commandsOf(nested)];
  });
}

const ARGUMENTS: readonly string[] = ['args', 'arguments', 'argv', 'parameters', 'params'];

function withArguments(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const fields = Object.entries(input).map(([name, value]) => ({
    isArgument: ARGUMENTS.includes(name),
    text: typeof value === 'string' ? value : line(texts(value)),
  }));
  const given = fields.filter(({ isArgument, text }) => isArgument && text !== '').map(({ text }) => text);
  if (given.length === 0) return [];
  return fields.filter(({ isArgument }) => !isArgument).map(({ text }) => `${text} ${given.join(' ')}`);
}

/** All texts and numbers in a value, however deep. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [`${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(texts);
}

function line(words: readonly string[]): string {
  return words.map(quote).join(' ');
}
