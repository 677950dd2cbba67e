import { strings } from '../tool-arguments.ts';

/** A text is a command; a list of words is one command, as `['bash', '-lc', 'ls']`, and may be one of several. */
export function commandsOf(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return strings(value);
    const inner = Object.values(value);
    if (!Array.isArray(value)) return [...commandsOf(inner), ...withArguments(value)];
    const words = strings(value);
    const nested = inner.filter((item) => typeof item === 'object');
    return [line(words), ...words.filter((word) => /\s/.test(word)), ...commandsOf(nested)];
  });
}

const ARGUMENTS: readonly string[] = ['args', 'arguments', 'argv', 'parameters', 'params'];

/** `{ command: 'rm', args: ['-rf', '/'] }`: what stands beside arguments is called with them. */
export function withArguments(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const fields = Object.entries(input).map(([name, value]) => ({
    isArgument: ARGUMENTS.includes(name),
    text: typeof value === 'string' ? value : line(strings(value)),
  }));
  const given = fields.filter(({ isArgument, text }) => isArgument && text !== '').map(({ text }) => text);
  if (given.length === 0) return [];
  return fields.filter(({ isArgument }) => !isArgument).map(({ text }) => `${text} ${given.join(' ')}`);
}

function line(words: readonly string[]): string {
  return words.map(quote).join(' ');
}

/** One word for a shell, whatever is in it. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
