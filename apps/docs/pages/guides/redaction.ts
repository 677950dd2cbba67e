import { createHooks, modify, TransformToolResult } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const SHOWN = ['name', 'plan'];

const hooks = createHooks();
hooks.on(TransformToolResult.matching('crm_.*'), ({ output, error }) => {
  // An error of the database would quote the query.
  if (error !== undefined)
    return modify({ errorMessage: 'The lookup failed.' });
  const fields = Object.entries(output as object).filter(([field]) =>
    SHOWN.includes(field),
  );
  return modify({ output: Object.fromEntries(fields) });
});

const lookup = {
  session: hooks.session('chat-1'),
  toolName: 'crm_lookup',
  input: { id: 7 },
};
const row = {
  name: 'Ann',
  plan: 'pro',
  salary: 51_000,
  iban: 'DE89 3704 0044 0532 0130 00',
};
const found = await callTool(hooks, lookup, () => row);
console.log(JSON.stringify(found.output));

const failed = await callTool(hooks, lookup, () => {
  throw new Error('syntax error near "SELECT salary FROM staff"');
});
console.log((failed.error as Error).message);
