import { describe, expect, test } from 'vitest';
import { type DialectName, readHookFile } from '../src/index.ts';

// The table of reference/config.md: what a name is that a dialect does not know.

/** A file with one hook, of each dialect. */
const files: Readonly<Record<DialectName, (hook: object, event?: string) => object>> = {
  hooks: (hook, event) => listed({ type: 'command', command: 'x', ...hook }, 'before_tool_call', event),
  'docker-agent': (hook, event) => ({ agents: { root: grouped(hook, 'pre_tool_use', event) } }),
  'claude-code': (hook, event) => grouped(hook, 'PreToolUse', event),
  ai4j: (hook, event) => listed({ command: 'x', match: 'shell', ...hook }, 'preToolUse', event),
  codex: (hook, event) => ({ ...grouped(hook, 'PreToolUse', event), features: {} }),
  gemini: (hook, event) => grouped(hook, 'BeforeTool', event),
  cursor: (hook, event) => ({
    version: 1,
    ...listed({ command: 'x', ...hook }, 'beforeShellExecution', event),
  }),
  copilot: (hook, event) => ({
    version: 1,
    ...listed({ type: 'command', bash: 'x', ...hook }, 'userPromptSubmitted', event),
  }),
};

const listed = (hook: object, known: string, event = known) => ({
  hooks: { [known]: [hook], [event]: [hook] },
});
const grouped = (hook: object, known: string, event?: string) =>
  listed({ matcher: 'shell', hooks: [{ type: 'command', command: 'x', ...hook }] }, known, event);

const STRICT: readonly DialectName[] = ['hooks', 'docker-agent'];

function found(dialect: DialectName, file: object, isNamed: boolean): 'an error' | 'a notice' | 'nothing' {
  const read = readHookFile(JSON.stringify(file), 'some.json', isNamed ? dialect : undefined);
  if (read.issues.length > 0) return 'an error';
  return read.notices.length > 0 ? 'a notice' : 'nothing';
}

describe.each(Object.keys(files) as DialectName[])('in a file of %s that is named', (dialect) => {
  const of = (hook: object, event?: string) => found(dialect, files[dialect](hook, event), true);

  test('a hook without unknown names is fine', () => {
    expect(of({})).toBe('nothing');
  });
  test('an unknown event', () => {
    expect(of({}, 'Zebra')).toBe(['claude-code', 'ai4j'].includes(dialect) ? 'a notice' : 'an error');
  });
  test.each(['PreTooluse', 'permissionAsked'])('the event %s, which looks like a gate', (event) => {
    expect(of({}, event)).toBe('an error');
  });
  test.each(['zebra', 'tags'])('the unknown field %s', (field) => {
    expect(of({ [field]: 1 })).toBe(STRICT.includes(dialect) ? 'an error' : 'a notice');
  });
  test.each(['except_agents', 'sequential', 'asyncRewake'])(
    'the field %s, which counts elsewhere',
    (field) => {
      const counts = dialect === 'claude-code' && field === 'asyncRewake';
      expect(of({ [field]: true })).toBe(counts ? 'nothing' : 'an error');
    },
  );
  test.each(['description', 'comment', 'x-owner'])('the field %s, which is for people', (field) => {
    expect(of({ [field]: 'text' })).toBe(STRICT.includes(dialect) ? 'an error' : 'nothing');
  });
});

describe.each((Object.keys(files) as DialectName[]).filter((dialect) => dialect !== 'codex'))(
  'in a file that looks like one of %s',
  (dialect) => {
    const of = (hook: object, event?: string) => found(dialect, files[dialect](hook, event), false);

    test('a hook without unknown names is fine', () => {
      expect(of({})).toBe('nothing');
    });
    test('an unknown event or field is an error', () => {
      const unknown = ['Zebra', 'PreTooluse'].map((event) => of({}, event));
      const fields = ['zebra', 'except_agents'].map((field) => of({ [field]: true }));
      expect([...unknown, ...fields]).toEqual(Array(4).fill('an error'));
    });
    test('a field for people is what it is where the dialect is named', () => {
      expect(of({ description: 'text' })).toBe(STRICT.includes(dialect) ? 'an error' : 'nothing');
    });
  },
);
