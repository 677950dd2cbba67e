import { describe, expect, test } from 'vitest';
import { type DialectName, formatIssue, type HookFile, readHookFile } from '../src/index.ts';

/*
 * A name that the reading of a file would ignore is an error where the dialect is a guess, and a notice where the file's
 * name, its folder or the caller says which program it is of.
 */

const a = { type: 'command', command: 'echo a' };
const b = { type: 'command', command: 'echo b' };

interface Sample {
  readonly dialect: DialectName;
  /** Where the program of this dialect keeps the file. Not set: only the caller can say it. */
  readonly place?: string;
  readonly file: object;
}

const samples: readonly Sample[] = [
  {
    dialect: 'hooks',
    file: {
      hooks: {
        before_tool_call: [
          { matcher: 'shell', hooks: [{ ...a, timeout: 7, on_error: 'warn', env: {}, working_dir: 'x' }] },
        ],
        turn_end: [b],
      },
    },
  },
  {
    dialect: 'docker-agent',
    file: {
      agents: {
        root: {
          hooks: { pre_tool_use: [{ matcher: 'shell', hooks: [{ ...a, timeout: 7 }] }], session_start: [b] },
          permissions: { deny: ['fetch'] },
          add_date: true,
          safety: 'strict',
        },
      },
      settings: { hooks: { session_end: [b] } },
      runtime: { safety: 'balanced' },
      permissions: { deny: ['shell'] },
    },
  },
  {
    dialect: 'docker-agent',
    file: { hooks: { pre_tool_use: [a], on_error: [b] }, permissions: { deny: ['x'] }, safety: 'strict' },
  },
  {
    dialect: 'claude-code',
    place: '.claude/settings.json',
    file: {
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [{ ...a, timeout: 7, if: 'Bash(git *)', onFailure: 'continue', async: true }],
          },
        ],
        PreCompact: [{ hooks: [b] }],
        MessageDisplay: [],
      },
      disableAllHooks: false,
    },
  },
  {
    dialect: 'codex',
    place: '.codex/hooks.json',
    file: {
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ ...a, timeout: 7, async: true }] }],
        Stop: [{ hooks: [b] }],
      },
    },
  },
  {
    dialect: 'gemini',
    place: '.gemini/settings.json',
    file: {
      hooks: {
        BeforeTool: [
          { matcher: 'glob', sequential: true, hooks: [{ ...a, timeout: 7000, name: 'n', env: { A: '1' } }] },
        ],
        AfterAgent: [{ hooks: [b] }],
      },
      hooksConfig: { enabled: true, disabled: ['z'] },
    },
  },
  {
    dialect: 'cursor',
    place: '.cursor/hooks.json',
    file: {
      version: 1,
      hooks: {
        beforeShellExecution: [{ command: 'echo a', matcher: 'rm', timeout: 7, failClosed: false }],
        stop: [{ command: 'echo b', loop_limit: 5 }],
      },
    },
  },
  {
    dialect: 'copilot',
    place: '.github/hooks/policy.json',
    file: {
      version: 1,
      hooks: {
        preToolUse: [
          { type: 'command', bash: 'echo a', matcher: 'bash', timeoutSec: 7, cwd: 'x', env: { A: '1' } },
        ],
        userPromptSubmitted: [b],
      },
    },
  },
  {
    dialect: 'ai4j',
    file: {
      hooks: {
        preToolUse: [{ command: 'echo a', match: 'bash', timeout: 7 }],
        userPromptSubmit: [{ command: 'echo b' }],
        sessionEnd: [{ command: 'echo b' }],
      },
    },
  },
];

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[ _]/)
    .map((word) => word.toLowerCase());
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const styles: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) =>
    wordsOf(name)
      .map((word, index) => (index > 0 ? capital(word) : word))
      .join(''),
  (name) => wordsOf(name).map(capital).join(''),
  (name) => wordsOf(name).join('_'),
  (name) => wordsOf(name).join('-'),
  (name) => wordsOf(name).join('').toUpperCase(),
  (name) => wordsOf(name).join('_').toUpperCase(),
];

const misspellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.slice(0, 2) + name.slice(3),
  (name) => name.slice(0, -1),
  (name) => `${name}s`,
  (name) => `${name.slice(0, -2)}${name.slice(-1)}${name.slice(-2, -1)}`,
];

type Place = readonly string[];

/** The names of events, fields and options in a file. Names of agents and variables are the author's. */
function* namesIn(value: unknown, at: Place = []): Generator<Place> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, entry] of Object.entries(value)) {
    const isAuthors = at.at(-1) === 'agents' || at.at(-1) === 'env';
    if (!Array.isArray(value) && !isAuthors) yield [...at, key];
    yield* namesIn(entry, [...at, key]);
  }
}

/** The value with the name at this place replaced, or without it. */
function renamed(value: unknown, [name = '', ...rest]: Place, by: string | undefined): unknown {
  if (Array.isArray(value))
    return value.map((entry, index) => (`${index}` === name ? renamed(entry, rest, by) : entry));
  const entries = Object.entries(Object(value)).flatMap(([key, entry]) => {
    if (key !== name) return [[key, entry]];
    if (rest.length > 0) return [[key, renamed(entry, rest, by)]];
    return by === undefined ? [] : [[by, entry]];
  });
  return Object.fromEntries(entries);
}

/** Files with one wrong name, and the same without what stands under it. */
function* misspelt(
  file: object,
): Generator<{ readonly name: string; readonly wrong: unknown; readonly without: unknown }> {
  for (const place of namesIn(file)) {
    const right = place.at(-1) ?? '';
    const wrongs = new Set(misspellings.flatMap((misspell) => styles.map((style) => style(misspell(right)))));
    const without = renamed(file, place, undefined);
    for (const wrong of wrongs)
      if (wrong !== right)
        yield { name: `${place.join('.')} as ${wrong}`, wrong: renamed(file, place, wrong), without };
  }
}

function meaningOf({ dialect, entries }: HookFile): string {
  return JSON.stringify([dialect.name, entries.map(({ origin, ...entry }) => entry)]);
}

const read = (file: unknown, path: string, dialect?: DialectName): HookFile =>
  readHookFile(JSON.stringify(file), path, dialect);

describe.each(samples)('of a file of $dialect', ({ dialect, place, file }) => {
  test('everything counts', () => {
    expect(read(file, place ?? 'policy.json', dialect).issues).toEqual([]);
  });

  test.each(['policy.json', 'policy.yaml'])(
    'no wrong name in %s is ignored where the dialect is a guess',
    (path) => {
      const ignored: string[] = [];
      for (const { name, wrong, without } of misspelt(file)) {
        const found = read(wrong, path);
        if (found.issues.length === 0 && meaningOf(found) === meaningOf(read(without, path)))
          ignored.push(name);
      }
      expect(ignored).toEqual([]);
    },
  );

  test('no wrong name is ignored in silence where the dialect is named', () => {
    const path = place ?? 'policy.yaml';
    const named = place === undefined ? dialect : undefined;
    const ignored: string[] = [];
    for (const { name, wrong, without } of misspelt(file)) {
      const found = read(wrong, path, named);
      const other = read(without, path, named);
      const isSaid = found.issues.length > 0 || found.notices.length > other.notices.length;
      if (!isSaid && meaningOf(found) === meaningOf(other)) ignored.push(name);
    }
    expect(ignored).toEqual([]);
  });
});

const problemsOf = ({ issues }: HookFile): readonly string[] => issues.map(formatIssue);

test.each<[name: string, text: string, guess: DialectName, other: DialectName]>([
  ['an event of ours in camel case', 'hooks: { beforeToolCall: [] }', 'ai4j', 'hooks'],
  ['an event that only observes', 'hooks: { preToolUse: [], turnEnd: [] }', 'ai4j', 'docker-agent'],
  [
    'an event of another program',
    '{"hooks": {"SessionStart": [], "BeforeTools": []}}',
    'claude-code',
    'gemini',
  ],
  [
    'a field',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "tag": 1}]}]}}',
    'claude-code',
    'codex',
  ],
  ['an option', '{"hooks": {"PreToolUse": []}, "hooksConfig": {"enabled": false}}', 'claude-code', 'gemini'],
])('an error about %s names both readings', (_, text, guess, other) => {
  expect(problemsOf(readHookFile(text, 'policy.yaml'))).toEqual([
    expect.stringMatching(new RegExp(`"${guess}".*"${other}".*name the dialect`)),
  ]);
});

test('a file in the folder of a program keeps that program’s dialect, whatever else it has', () => {
  const gemini = { agents: { x: {} }, hooks: { BeforeTool: [] }, settings: {} };
  expect(read(gemini, '.gemini/settings.json')).toMatchObject({ dialect: { name: 'gemini' }, issues: [] });
  const claude = { permissions: { allow: ['Read'] } };
  expect(read(claude, '.claude/settings.local.json')).toMatchObject({
    dialect: { name: 'claude-code' },
    issues: [],
  });
});

test('a YAML file in the folder of a program that reads JSON is read by its shape', () => {
  expect(readHookFile('hooks: { turn_end: [] }', '.claude/hooks.yaml').dialect.name).toBe('hooks');
});

test.each([
  [{ disableAllHooks: true, hooks: { PreToolUse: [{ hooks: [a] }] } }, 'policy.json'],
  [{ disableAllHooks: true, version: 1, hooks: { preToolUse: [{ bash: 'x' }] } }, 'policy.json'],
])('a file that switches its own hooks off gives a notice: %j', (file, path) => {
  const { entries, notices } = read(file, path);
  expect(entries).toEqual([]);
  expect(notices).toMatchObject([{ path: 'disableAllHooks' }]);
});

test('fields for people, and those of which only the program knows, are no errors', () => {
  const hook = { ...a, statusMessage: 'checking', once: true, $comment: 'why' };
  const file = {
    $schema: 'x',
    description: 'y',
    hooks: { PreToolUse: [{ description: 'z', hooks: [hook] }] },
  };
  expect(read(file, 'hooks.json').issues).toEqual([]);
});

// The table of reference/config.md.
describe('an unknown name in a file whose dialect is named', () => {
  const handler = { type: 'command', command: 'true' };
  const grouped =
    (event: string) =>
    (hook: object, more = '') => ({
      hooks: {
        [event]: [{ hooks: [{ ...handler, ...hook }] }],
        ...(more && { [more]: [{ hooks: [handler] }] }),
      },
    });
  const flat =
    (event: string, known: object, top: object = {}) =>
    (hook: object, more = '') => ({
      ...top,
      hooks: { [event]: [{ ...known, ...hook }], ...(more && { [more]: [known] }) },
    });
  const files: Record<DialectName, (hook: object, more?: string) => object> = {
    hooks: grouped('before_tool_call'),
    'docker-agent': (hook, more) => ({ agents: { root: grouped('pre_tool_use')(hook, more) } }),
    'claude-code': grouped('PreToolUse'),
    ai4j: flat('preToolUse', { command: 'true' }),
    cursor: flat('beforeShellExecution', { command: 'true' }, { version: 1 }),
    copilot: flat('preToolUse', { type: 'command', bash: 'true' }, { version: 1 }),
    gemini: grouped('BeforeTool'),
    codex: grouped('PreToolUse'),
  };
  const outcome = (dialect: DialectName, file: object): string => {
    const { issues, notices } = readHookFile(JSON.stringify(file), 'x.json', dialect);
    return issues.length > 0 ? 'error' : notices.length > 0 ? 'notice' : 'none';
  };

  test.each<[DialectName, event: string, field: string]>([
    ['hooks', 'error', 'error'],
    ['docker-agent', 'error', 'error'],
    ['claude-code', 'notice', 'notice'],
    ['ai4j', 'notice', 'notice'],
    ['cursor', 'error', 'notice'],
    ['copilot', 'error', 'notice'],
    ['gemini', 'error', 'notice'],
    ['codex', 'error', 'notice'],
  ])('%s: of an event is an error or a notice (%s), of a field, too (%s)', (dialect, event, field) => {
    const file = files[dialect];
    expect(outcome(dialect, file({}))).toBe('none');
    expect(outcome(dialect, file({}, 'Fooled'))).toBe(event);
    expect(outcome(dialect, file({}, 'before_tol_call'))).toBe('error');
    expect(outcome(dialect, file({ zzz: 1 }))).toBe(field);
  });
});
