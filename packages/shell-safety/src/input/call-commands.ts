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
    const words = texts(value);
    if (typeof value !== 'object') return words;
    const inner = entriesOf(value).map(([, item]) => item);
    if (!Array.isArray(value)) return [...commandsOf(inner), ...withArguments(value)];
    const nested = inner.filter((item) => typeof item === 'object');
    return [line(words), ...words.filter((word) => /\s/.test(word)), ...commandsOf(nested)];
  });
}

const ARGUMENTS: readonly string[] = ['args', 'arguments', 'argv', 'parameters', 'params'];

function withArguments(input: unknown): string[] {
  const fields = entriesOf(input).map(([name, value]) => ({
    isArgument: ARGUMENTS.includes(name),
    text: typeof value === 'string' ? value : line(texts(value)),
  }));
  const given = fields.filter(({ isArgument, text }) => isArgument && text !== '').map(({ text }) => text);
  if (given.length === 0) return [];
  return fields.filter(({ isArgument }) => !isArgument).map(({ text }) => `${text} ${given.join(' ')}`);
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [`${value}`];
  return entriesOf(value).flatMap(([, item]) => texts(item));
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function line(words: readonly string[]): string {
  return words.map(quote).join(' ');
}

/**
 * A command with what its call says beside it, as a shell would be told: `{ command, cwd, env, stdin }` as
 * `cd cwd`, `export env`, `{ command; } <<< stdin`. Nothing where the call says nothing that matters to it.
 */
function inItsPlace(command: string, input: unknown): string | undefined {
  const fields = fieldsOf(input);
  const texts = (name: RegExp): string[] =>
    fields.flatMap(([field, value]) => (name.test(field) && typeof value === 'string' ? [value] : []));
  const before = [
    ...texts(FOLDER).flatMap((folder) => (/^\.?$/.test(folder) ? [] : [`cd ${quote(folder)}`])),
    ...fields
      .flatMap(([field, value]) => (ENVIRONMENT.test(field) ? variablesIn(value) : []))
      .flatMap(([name, value]) =>
        MATTERS.test(name) || command.includes(name) ? [declared(name, value)] : [],
      ),
  ];
  const read = texts(INPUT).map((text) => ` <<< ${quote(text)}`);
  if (before.length === 0 && read.length === 0) return undefined;
  return [...before, read.length === 0 ? command : `{ ${command}\n}${read.join('')}`].join('\n');
}

/** Gemini CLI says `dir_path`. */
const FOLDER = /^(?:cwd|(?:current_?)?(?:work(?:ing)?_?)?(?:dir(?:ectory)?(?:_?path)?|folder))$/i;
const ENVIRONMENT = /^env(?:s|ironment)?(?:_?var(?:iable)?s)?$/i;
const INPUT = /^(?:stdin|input)$/i;

/** Variables that change what runs though the command does not name them. */
const MATTERS =
  /^(?:GIT|HUSKY|LEFTHOOK|SKIP|PRE_COMMIT|OVERCOMMIT|BASH|LD|DYLD|PYTHON|SUDO|SSH|LESS|PROMPT|RSYNC|CVS)|(?:EDITOR|PAGER)$|^(?:ENV|VISUAL|BROWSER|PS\d)$/;

function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return entriesOf(value).flatMap((field) => [field, ...fieldsOf(field[1])]);
}

/** Of `{ A: 'b' }`, `['A=b']` or `[{ name: 'A', value: 'b' }]`. */
function variablesIn(value: unknown): readonly (readonly [string, string])[] {
  if (typeof value === 'string') {
    const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(value) ?? [];
    return name === undefined ? [] : [[name, text]];
  }
  if (Array.isArray(value)) return value.flatMap(variablesIn);
  const fields = entriesOf(value).map(([name, text]): [string, string] => [name, `${text}`]);
  const { name, value: text } = Object.fromEntries(fields);
  return name === undefined || text === undefined ? fields : [[name, text]];
}

function declared(name: string, value: string): string {
  const [, functionName] = /^BASH_FUNC_([\w-]+)(?:%%|\(\))$/.exec(name) ?? [];
  if (functionName !== undefined) return `${functionName} ${value}`;
  return /^\w+$/.test(name) ? `export ${name}=${quote(value)}` : ':';
}
