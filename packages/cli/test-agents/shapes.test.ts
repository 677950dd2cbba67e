import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hooksRun, isInstalled, placeFor } from './drive.ts';

/* Claude Code drops a replaced result of another shape than the tool's, and the model reads the original. */

test.skipIf(!isInstalled('claude-code'))(
  'a text takes the place of the result of the shell, a file, an MCP tool and a subagent in Claude Code',
  async () => {
    const place = placeFor('claude-code', { secret: 'SECRET', answer: 'SECRET of {city}' });
    place.register(hooksRun('claude-code', './policies/replaces.ts'), ['PostToolUse']);
    const server = fileURLToPath(new URL('../../conformance/src/mcp-server.ts', import.meta.url));
    const stations = {
      command: process.execPath,
      args: ['--conditions=@hooks/source', server, place.workspace, 'weather'],
    };
    const config = join(place.home, 'mcp.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { stations } }));

    const agent = { description: 'Look', prompt: 'Look.', run_in_background: false };
    const { results, modelRead } = await place.run(
      [
        { shell: 'cat secret' },
        { calls: [{ name: 'Read', input: { file_path: 'secret' } }] },
        { calls: [{ name: 'mcp__stations__weather', input: { city: 'Rome' } }] },
        { calls: [{ name: 'Agent', input: { ...agent, subagent_type: 'general-purpose' } }] },
        { text: 'SECRET of the subagent' },
      ],
      { args: ['--mcp-config', config] },
    );
    expect(results).toEqual(Array(4).fill(expect.stringContaining('REPLACED')));
    expect(modelRead('SECRET')).toBe(false);
  },
);
