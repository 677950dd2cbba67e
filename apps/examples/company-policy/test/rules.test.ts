import type { HookProvider } from '@hooks/core';
import { fakeTime, testAgent } from '@hooks/core/testing';
import { describe, expect, test } from 'vitest';
import { type AuditRecord, companyPolicy } from '../src/index.ts';

const policy = (options = {}): HookProvider =>
  companyPolicy({ mailDomain: 'acme.test', ...options });

describe('mail', () => {
  test('inside the company passes', async () => {
    const agent = testAgent(policy());
    expect(
      await agent.callTool('send_mail', { to: 'ann@acme.test' }),
    ).toMatchObject({ status: 'ok' });
  });

  test('to others is a person’s to approve', async () => {
    const agent = testAgent(policy());
    const outside = { to: 'customer@mail.test' };
    expect(await agent.callTool('send_mail', outside)).toMatchObject({
      status: 'denied',
    });
    expect(
      await agent.callTool('send_mail', outside, { approval: 'allow' }),
    ).toMatchObject({ status: 'ok' });
    expect(agent.approvals[0]?.reason).toBe(
      'It would reach customer@mail.test.',
    );
  });

  test('to what is no address is answered with what is wrong', async () => {
    const { code, error } = await testAgent(policy()).callTool('send_mail', {
      to: 'ann',
    });
    expect(code).toBe('INVALID_INPUT');
    expect(String(error)).toMatch(/to: Invalid email/);
  });
});

test('what tools answer is redacted of secrets and of account numbers', async () => {
  const agent = testAgent(policy());
  const execute = () =>
    'password=correct-horse-7-battery, DE89370400440532013000';
  const { output } = await agent.callTool('read', { path: 'x' }, { execute });
  expect(output).not.toMatch(/correct-horse|DE8937/);
});

describe('the budget', () => {
  test('is one person’s, in all sessions', async () => {
    const shared = policy({ callsPerPerson: 2 });
    const ann = { principal: { id: 'ann' } };
    const agent = testAgent(shared, ann);
    await agent.callTool('read', { path: 'a' });
    await agent.prompt('Go on.');
    await agent.callTool('read', { path: 'b' });
    expect(await agent.callTool('read', { path: 'c' })).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('2 tool calls for this user'),
    });
    const bob = { principal: { id: 'bob' } };
    expect(await agent.callTool('read', { path: 'c' }, bob)).toMatchObject({
      status: 'ok',
    });
  });

  test('of a run is a quarter of an hour', async () => {
    using time = fakeTime();
    const agent = testAgent(policy());
    await agent.callTool('read', { path: 'a' });
    await time.advance(15 * 60_000);
    expect(await agent.callTool('read', { path: 'a' })).toMatchObject({
      status: 'blocked',
      stop: true,
    });
  });
});

describe('an agent that has changed files', () => {
  const changed = async () => {
    const agent = testAgent(policy());
    await agent.callTool('write', { path: 'a.ts' });
    return agent;
  };

  test('goes on until the tests have passed', async () => {
    const agent = await changed();
    const runTests = (output: string) =>
      agent.callTool(
        'shell',
        { command: 'npm test' },
        { execute: () => output },
      );
    expect(await agent.stop('Done.')).toMatchObject({ kind: 'continue' });
    await runTests('FAIL a.test.ts');
    expect(await agent.stop('Done.')).toMatchObject({ kind: 'continue' });
    await runTests('12 passed');
    expect(await agent.stop('Done.')).toEqual({ kind: 'over' });
  });

  test('fails where they never do', async () => {
    const agent = await changed();
    for (const kind of ['continue', 'continue', 'continue', 'blocked'])
      expect(await agent.stop('Done.')).toMatchObject({ kind });
  });
});

test('every decision is on record', async () => {
  const records: AuditRecord[] = [];
  const agent = testAgent(
    policy({ audit: (record: AuditRecord) => records.push(record) }),
    { principal: { id: 'ann' } },
  );
  await agent.callTool('send_mail', { to: 'customer@mail.test' });
  expect(records).toContainEqual({
    event: 'before_tool_call',
    tool: 'send_mail',
    decision: 'require_approval',
    principal: 'ann',
  });
});

test('its rules have names under the policy’s', async () => {
  const ids = testAgent(policy())
    .hooks.list()
    .map(({ id }) => id);
  expect(ids).toContain('acme/mail/recipients');
  expect(ids.filter((id) => id.endsWith('/tool-result'))).toHaveLength(2);
});
