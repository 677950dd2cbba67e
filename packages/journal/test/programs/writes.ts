/** Writes 300 calls to the journal that it is told of, and leaves the end to the process. */
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal } from '../../src/index.ts';

const [, , sink = ''] = process.argv;
const hooks = createHooks();
hooks.use(journal({ sink }));
const session = hooks.session('shared');
for (let call = 0; call < 300; call++)
  await callTool(
    hooks,
    { session, toolName: 'search', input: { text: 'x'.repeat(call * 20) } },
    () => 'found',
  );
