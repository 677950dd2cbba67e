import { globSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { AGENTS } from '../src/agents/all.ts';
import { isInstalled, isUnknown } from './drive.ts';

describe('Gemini CLI', () => {
  test.skipIf(!isInstalled('gemini'))('every event of the client is one that hooks run knows', () => {
    const bundle = dirname(realpathSync(inject('agents').gemini ?? ''));
    const found = globSync(join(bundle, '*.js')).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/HookEventName\d*\["(\w+)"\]/g)].map(([, name = '']) => name),
    );
    const names = [...new Set(found)];
    expect(names).toContain('BeforeTool');
    const call = { session_id: 's', tool_name: 'run_shell_command', tool_input: { command: 'ls' } };
    const read = (name: string) => AGENTS['gemini']?.read({ ...call, hook_event_name: name });
    expect(names.filter((name) => isUnknown(() => read(name)))).toEqual([]);
  });
});
