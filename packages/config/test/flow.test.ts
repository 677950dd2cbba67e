import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { testAgent } from '@hooks/core/testing';
import { flow } from '@hooks/flow';
import { pii } from '@hooks/guards';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';
import { loadHooks, readHookFile } from '../src/index.ts';

const OURS = 'GB29NWBK60161331926819';
const THEIRS = 'US133000000121212121212';

const policy = `flow:
  sources:
    get_balance|get_contacts: trusted
    get_transactions: { trusted: [id, recipient] }
    mcp__github__.*: ifc_labels
  sinks:
    send_money: { from: [recipient], text: [subject] }
    delete_.*: untouched
  otherwise: ask
`;

async function agentOf(text: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'hooks.yaml'), text);
  const hooks = createHooks();
  hooks.use(await loadHooks(folder, { trust: true, cwd: folder }));
  return testAgent(hooks);
}

test('`flow:` of a file checks where arguments come from', async () => {
  const agent = await agentOf(policy);
  await agent.prompt(`Refund ${OURS}`);
  await agent.callTool(
    'get_transactions',
    {},
    { execute: () => [{ recipient: 'DE89370400440532013000', note: THEIRS }] },
  );
  expect(await agent.callTool('send_money', { recipient: OURS })).toMatchObject({ status: 'ok' });
  expect(await agent.callTool('send_money', { recipient: 'DE89370400440532013000' })).toMatchObject({
    status: 'ok',
  });
  expect(await agent.callTool('send_money', { recipient: THEIRS })).toMatchObject({ status: 'denied' });
  expect(await agent.callTool('delete_all', {})).toMatchObject({ status: 'denied' });
  expect(agent.errors).toEqual([]);
});

test('`flow:` works without options, beside hooks', async () => {
  const agent = await agentOf('flow:\nhooks: {}\n');
  await agent.prompt('Pay');
  expect(await agent.callTool('send_money', { recipient: THEIRS })).toMatchObject({ status: 'denied' });
});

test('`flow:` with a store knows what another process has heard', async () => {
  const folder = temporaryFolder();
  const text = 'flow: { store: .hooks/flow.db }\n';
  writeFileSync(join(folder, 'hooks.yaml'), text);
  const open = async () => {
    const hooks = createHooks();
    hooks.use(await loadHooks(folder, { trust: true, cwd: folder }));
    return testAgent(hooks);
  };
  const first = await open();
  await first.prompt(`Refund ${OURS}`);
  await first.hooks.settled();
  expect(await (await open()).callTool('send_money', { recipient: OURS })).toMatchObject({ status: 'ok' });
});

test.each([
  ['flow: { sink: {} }', 1, 'unknown field; did you mean "sinks"?'],
  ['flow:\n  sinks:\n    pay: { to: [x] }\n', 3, 'unknown field'],
  ['flow:\n  sinks: { pay: {} }\n', 2, 'expected from, below, text or untouched'],
  ['flow:\n  sources:\n    a: yes please\n', 3, 'expected trusted, untrusted, ifc_labels'],
  ['flow:\n  sinks: { pay: [to] }\n', 2, 'expected untouched, or { from'],
  ['flow: { otherwise: warn }', 1, 'ask'],
  ['flow: { sinks: {} }', 1, 'it is empty; expected an entry'],
  ['flow: { sources: {} }', 1, 'it is empty; expected an entry'],
  ['flow: { trusted_servers: [] }', 1, 'expected a list that is not empty'],
  ['flow:\n  sinks: { pay: untouched }\n  trusted_servers: [bank]\n', 3, 'it has no effect with sinks'],
  ['flow:\n  sinks: { pay: untouched }\n  known_read_only: [a]\n', 3, 'it has no effect with sinks'],
  ['flow:\n  sinks: { pay: untouched }\n  ignore: { a: [b] }\n', 3, 'it has no effect with sinks'],
  ['flow: { ignore: { a: [] } }', 1, 'expected a list that is not empty'],
  ['flow: { ignore: {} }', 1, 'it is empty; expected an entry'],
  ['flow:\n  sinks: { "": untouched }\n', 2, ''],
  ['flow:\n  sinks: { pay: { from: [a..b] } }\n', 2, 'expected a path, such as items.id'],
  ['flow: { known_read_only: [] }', 1, 'expected a list that is not empty'],
  ['flow: all', 1, 'expected'],
])('%j is refused, with its place', (text, line, message) => {
  const { issues } = readHookFile(text, 'hooks.yaml');
  expect(issues[0]).toMatchObject({ line, message: expect.stringContaining(message) });
});

test.each(['claude-code', 'docker-agent', 'cursor'] as const)(
  '`flow:` in a file that is read as %s is refused',
  (dialect) => {
    const { issues } = readHookFile('flow: {}\n', 'hooks.yaml', dialect);
    expect(issues.map(({ message }) => message).join()).toMatch(
      /only files of the dialect "hooks" have it|unknown field/,
    );
  },
);

test('the value that a placeholder reveals is looked for, and not the placeholder, whoever wrote it', async () => {
  const policies = [
    pii({ kinds: { email: 'redact' }, hashKey: 'k', reveal: { send_mail: ['to'] } }),
    flow({ sources: { get_contacts: 'trusted' }, sinks: { send_mail: { from: ['to'] } } }),
  ];
  for (const order of [policies, policies.toReversed()]) {
    const agent = testAgent(order);
    const read = async (toolName: string, text: string): Promise<string> => {
      const { output } = await agent.callTool(toolName, {}, { execute: () => text });
      return /\[REDACTED:\S+\]/.exec(String(output))?.[0] ?? 'none';
    };
    const send = async (to: string) => (await agent.callTool('send_mail', { to })).status;
    await agent.prompt('Write to ann@acme.dev');
    const ann = await read('read_page', 'Ann: ann@acme.dev');
    const eve = await read('read_page', 'Eve: eve@evil.dev');
    expect([await send(ann), await send(eve)]).toEqual(['ok', 'denied']);
    await agent.callTool('add_note', { text: eve });
    await read('get_contacts', 'Eve: eve@evil.dev');
    await agent.prompt(`Write to ${eve}`);
    expect([await send(eve), await send(`${ann},${eve}`)]).toEqual(['denied', 'denied']);
    expect(JSON.stringify(agent.approvals)).not.toContain('eve@evil.dev');
  }
});
