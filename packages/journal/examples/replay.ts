import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BeforeToolCall,
  block,
  createHooks,
  type HookProvider,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal, replay, verifyJournal } from '@hooks/journal';

const directory = join(mkdtempSync(join(tmpdir(), 'example-')), 'journal');

// The agent: an adapter makes these calls in your program.
const log = journal({ sink: directory });
const hooks = createHooks();
hooks.use(log);
for (const toolName of ['search', 'delete_user', 'search'])
  await callTool(
    hooks,
    { session: hooks.session('chat-1'), toolName, input: { id: 7 } },
    () => 'done',
  );
await hooks.close();
await log.close();

// Later: what would this policy have done?
const newPolicy: HookProvider = {
  name: 'new-policy',
  register(hooks) {
    hooks.guard(
      BeforeToolCall.matching('delete_.*'),
      () => block('Deletions need a ticket.'),
      { id: 'no-delete' },
    );
  },
};
const { coverage, summary, calls } = await replay(directory, newPolicy);
console.log(`${coverage.judged} of ${coverage.calls} calls can be judged`); // 2 of 3 calls can be judged
console.log(summary); // { same: 1, tightened: 1, loosened: 0, unknown: 1 }
console.log(calls[0]?.toolName, calls[0]?.replayed?.reason); // delete_user Deletions need a ticket.

const { state } = await verifyJournal(directory);
console.log(state); // intact
