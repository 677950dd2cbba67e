import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal, readJournal, verifyJournal } from '@hooks/journal';

// In your program: a directory of its own, and a key from where you keep secrets.
const sink = join(mkdtempSync(join(tmpdir(), 'example-')), 'journal');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

const log = journal({ sink, key: privateKey });
const hooks = createHooks();
hooks.use({
  name: 'acme',
  version: '2026-11-23',
  register(acme) {
    acme.guard(BeforeToolCall.matching('delete_.*'), () =>
      block('Deletions need a ticket.'),
    );
  },
});
hooks.use(log);

// The agent: an adapter makes these calls in your program.
const session = hooks.session('chat-1');
await callTool(
  hooks,
  { session, toolName: 'search', input: { query: 'weather' } },
  () => 'sunny',
);

await hooks.close();
await log.close();

for await (const { record, data } of readJournal(sink))
  if (record.type === 'hooks.after_tool_call')
    console.log(record.tool?.name, record.status, data?.output);
const { state } = await verifyJournal(sink, { key: publicKey });
console.log(state);

// search ok sunny
// intact
