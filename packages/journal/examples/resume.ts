import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal, resumeGuard } from '@hooks/journal';

const directory = join(mkdtempSync(join(tmpdir(), 'example-')), 'journal');

/** One process: it pays, and ends. The framework gives the call again. */
async function pay(): Promise<unknown> {
  await using log = journal({ sink: directory, required: true });
  await using hooks = createHooks();
  hooks.use(resumeGuard({ journal: directory }));
  hooks.use(log);
  const { output } = await callTool(
    hooks,
    {
      session: hooks.session('chat-1'),
      toolName: 'pay',
      callId: 'call_1',
      input: { amount: 5 },
    },
    () => {
      console.log('paying');
      return 'receipt 17';
    },
  );
  return output;
}

console.log(await pay());
// The tool does not run again.
console.log(await pay());

// paying
// receipt 17
// receipt 17
