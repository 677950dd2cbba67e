import { startModelServer, toolResults } from '@hooks/conformance';
import { createHooks } from '@hooks/core';
import { expect, test } from 'vitest';
import { langchain } from '../agents/langchain.ts';
import { mastra } from '../agents/mastra.ts';
import { openaiAgents } from '../agents/openai-agents.ts';
import { teamTools } from '../agents/team.ts';
import { companyPolicy } from '../src/index.ts';

/** What the model proposes, one call a turn. */
const proposals = [
  { name: 'write', arguments: { path: 'notes.md' } },
  { name: 'shell', arguments: { command: 'npm test' } },
  { name: 'shell', arguments: { command: 'rm -rf ~' } },
  { name: 'read', arguments: { path: 'settings.ini' } },
  { name: 'read', arguments: { path: '.env' } },
  { name: 'send_mail', arguments: { to: 'ann@acme.test' } },
  { name: 'send_mail', arguments: { to: 'sales@rival.test' } },
  { name: 'send_mail', arguments: { to: 'customer@mail.test' } },
];

test.each(Object.entries({ langchain, openaiAgents, mastra }))(
  '%s obeys the policy',
  async (_, agent) => {
    const script = proposals.map((call, turn) => ({
      toolCalls: [{ id: `call_${turn}`, ...call }],
    }));
    await using server = await startModelServer({
      script: [...script, { text: 'That is all.' }],
    });
    await using hooks = createHooks();
    hooks.use(companyPolicy({ mailDomain: 'acme.test' }));
    const ran: string[] = [];
    const tools = teamTools((tool) => ran.push(tool));

    const answer = await agent(
      { hooks, tools, model: { url: server.url, apiKey: 'none' } },
      'Tidy up, and tell.',
    );

    expect(answer).toBe('That is all.');
    expect(ran).toEqual(['write', 'shell', 'read', 'send_mail']);
    const read = Object.values(toolResults(server.requests.at(-1)!));
    expect(read).toEqual([
      'written',
      'done',
      expect.stringContaining('This would delete the home folder.'),
      expect.stringMatching(
        /^region=eu\npassword=\[REDACTED:password#[\da-f]{8}\]$/,
      ),
      expect.stringContaining('This path is an environment file.'),
      'sent',
      expect.stringContaining('We do not write to rival.test.'),
      expect.stringContaining('It would reach customer@mail.test.'),
    ]);
  },
);
