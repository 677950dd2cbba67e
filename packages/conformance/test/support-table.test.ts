import type { SupportTable } from '@hooks/core';
import { expect, test } from 'vitest';
import { withSupportTable } from '../src/support-table.ts';

const tableOf = (adapter: string, events: SupportTable['events']): SupportTable => ({ adapter, events });
const native = { level: 'native' } as const;
const emulated = { level: 'emulated', note: 'around it' } as const;
const none = { level: 'none', note: 'it has no such thing' } as const;

const one = tableOf('one', {
  before_tool_call: {
    fires: native,
    decisions: { block: native, 'modify.input': emulated },
    kinds: { mcp: none },
    streamed: { block: none, fires: emulated },
  },
  stop: { fires: none },
});

const readme = `before\n<!-- supports:begin -->\nold\n<!-- supports:end -->\nafter\n`;

test('the table of one adapter has notes, and the text around the table stays', () => {
  expect(withSupportTable(readme, [one])).toBe(`before
<!-- supports:begin -->
| event | decision | support | how |
| --- | --- | --- | --- |
| \`before_tool_call\` |  | native |  |
|  | block | native |  |
|  | modify.input | emulated | around it |
|  | kind mcp | no | it has no such thing |
|  | block, streamed | no | it has no such thing |
|  | fires, streamed | emulated | around it |
| \`stop\` |  | no | it has no such thing |
<!-- supports:end -->
after
`);
});

test('the table of several adapters shows them side by side, with the general level for a kind without its own', () => {
  const other = tableOf('other', {
    before_tool_call: { fires: native, decisions: { block: emulated } },
    stop: { fires: native },
  });
  expect(withSupportTable(readme, [one, other])).toBe(`before
<!-- supports:begin -->
| event | decision | \`one\` | \`other\` |
| --- | --- | --- | --- |
| \`before_tool_call\` |  | native | native |
|  | block | native | emulated |
|  | modify.input | emulated | no |
|  | kind mcp | no | native |
|  | block, streamed | no | emulated |
|  | fires, streamed | emulated | native |
| \`stop\` |  | no | native |
<!-- supports:end -->
after
`);
});

test('the forms of a refused run are the last rows, where an adapter sees runs', () => {
  const runs = { ...one, events: {}, refused: { return: emulated, throw: none } };
  expect(withSupportTable(readme, [runs])).toContain(`| --- | --- | --- | --- |
| a refused run | refused: 'return' | emulated | around it |
|  | refused: 'throw' | no | it has no such thing |
<!-- supports:end -->`);
  expect(withSupportTable(readme, [runs, tableOf('other', {})])).toContain(
    "| a refused run | refused: 'return' | emulated | no |",
  );
});
