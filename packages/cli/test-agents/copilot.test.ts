import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS, stdinOf } from '@hooks/config';
import { expect, test } from 'vitest';
import type { ModelCall } from '../src/drive/scripted-model.ts';
import { isInstalled, placeFor } from './drive.ts';

/* In the other case of an event's name (`PreToolUse`), Copilot sends other fields, and Claude Code's names of tools. */

test.skipIf(!isInstalled('copilot')).each(['PreToolUse', 'preToolUse'])(
  'Copilot sends the hooks of %s the fields and the names of tools that the dialect has',
  async (name) => {
    const place = placeFor('copilot', { 'a.txt': 'one' });
    const sent = join(place.home, 'sent.jsonl');
    const hooks = { [name]: [{ type: 'command', bash: `cat >> ${sent}; echo >> ${sent}` }] };
    writeFileSync(join(place.workspace, '.github/hooks/hooks.json'), JSON.stringify({ version: 1, hooks }));
    const file = join(place.workspace, 'a.txt');
    const calls: readonly ModelCall[] = [
      { name: 'bash', input: { command: 'true', description: 'nothing' } },
      { name: 'view', input: { path: file } },
      { name: 'create', input: { path: join(place.workspace, 'b.txt'), file_text: 'x' } },
      { name: 'edit', input: { path: file, old_str: 'one', new_str: 'two' } },
      { name: 'grep', input: { pattern: 'two' } },
      { name: 'glob', input: { pattern: '*.txt' } },
      { name: 'web_fetch', input: { url: 'http://127.0.0.1:9/' } },
      { name: 'task', input: { description: 'x', prompt: 'y', agent_type: 'explore' } },
      { name: 'skill', input: { skill: 'x' } },
    ];
    await place.run(calls.map((call) => ({ calls: [call] })));

    const real = readFileSync(sent, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(real).toHaveLength(calls.length);
    for (const [index, { name: toolName, input }] of calls.entries()) {
      const fields = { toolName, input, callId: 'c' };
      const { sessionId = 's', session_id = sessionId, cwd } = real[index];
      const event = { type: 'before_tool_call', sessionId: session_id, cwd, fields } as const;
      const { timestamp } = real[index];
      expect({ ...Object(stdinOf(DIALECTS.copilot, name, event)), timestamp }).toEqual(real[index]);
    }
  },
);
