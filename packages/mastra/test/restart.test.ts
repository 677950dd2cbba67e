import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { toolResults } from '@hooks/conformance';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runAgent, serve } from './fixtures.ts';
import type { Report } from './restart-child.ts';
import { answer, makeTeam, type TeamSpec } from './team.ts';

let storage: string;
/** The other process. It loads Mastra once, and takes up one run after another. */
let other: ChildProcess;

beforeAll(() => {
  other = fork(new URL('./restart-child.ts', import.meta.url), { execArgv: ['--conditions=@hooks/source'] });
});

afterAll(() => other.disconnect());

beforeEach(() => {
  storage = temporaryFolder();
});

describe.each([false, true])('a paused run that another process takes up (streamed: %s)', (streaming) => {
  /** The lead calls the tool and pauses; where that is its clerk, the run goes on until the clerk's own `add` pauses. */
  const restart = async (
    tool: string,
    policy: TeamSpec['policy'],
    approved: boolean,
  ): Promise<Report & { readonly read: object }> => {
    await using server = await serve(({ system, turn }) => {
      if (turn > 0) return { text: 'Done.' };
      const name = system.includes('clerk') ? 'add' : tool;
      const args = name === 'agent-clerk' ? { prompt: 'Add.' } : { a: 1, inputData: { a: 1 } };
      return { toolCalls: [{ id: `call-${name}`, name, arguments: args }] };
    });
    const spec = { modelUrl: server.url, storage };
    const { lead, ran } = makeTeam({ ...spec, policy: 'looks' });
    const { runId } = await runAgent(lead, 'Go', streaming);
    const paused = { runId, toolCallId: `call-${tool}`, streaming };
    if (tool === 'agent-clerk') await answer(lead, { ...paused, approved: true });
    expect(ran).toEqual([]);
    const before = server.requests.length;
    other.send({ ...spec, ...paused, policy, approved });
    const [report] = (await once(other, 'message')) as [Report];
    expect(report.pid).not.toBe(process.pid);
    return { ...report, read: Object.assign({}, ...server.requests.slice(before).map(toolResults)) };
  };

  test('a yes to a call of a sub-agent: it runs, hooked, in a session below; the call of the sub-agent goes on', async () => {
    const { ran, seen, read } = await restart('agent-clerk', 'redacts', true);
    expect(ran).toEqual(['add of clerk']);
    expect(seen).toEqual([
      'lead: before agent-clerk, allow',
      'lead: decision on agent-clerk, allow',
      'clerk: before add, allow',
      'clerk: decision on add, allow',
      'its clerk: after add, ok',
      'lead: after agent-clerk, ok',
    ]);
    expect(read).toEqual({ 'call-add': 'hidden', 'call-agent-clerk': 'Done.' });
  });

  test('a yes to a call of a sub-agent: a Block still blocks', async () => {
    const { ran, read } = await restart('agent-clerk', 'blocks', true);
    expect(ran).toEqual([]);
    expect(read).toMatchObject({ 'call-add': 'Not any more.' });
  });

  test('a yes to a call of a tool that asks by itself is none to another input', async () => {
    const { ran, read } = await restart('agent-clerk', 'rewrites', true);
    expect(ran).toEqual([]);
    expect(read).toMatchObject({ 'call-add': expect.stringContaining('to an approver') });
  });

  test('a no to a call of a sub-agent is told of that call, not of its parent’s tool of that name', async () => {
    const { ran, seen, read } = await restart('agent-clerk', 'looks', false);
    expect(ran).toEqual([]);
    expect(seen).toEqual([
      'lead: before agent-clerk, allow',
      'lead: decision on agent-clerk, allow',
      'clerk: decision on add, deny (Too dear.)',
      'its clerk: after add, denied',
      'lead: after agent-clerk, ok',
    ]);
    expect(read).toEqual({ 'call-add': 'Too dear.', 'call-agent-clerk': 'Done.' });
  });

  test('a no to a call of a tool that Mastra made itself is told to hooks', async () => {
    const { ran, seen, read } = await restart('workflow-ledger', 'looks', false);
    expect(ran).toEqual([]);
    expect(seen).toEqual([
      'lead: decision on workflow-ledger, deny (Too dear.)',
      'lead: after workflow-ledger, denied',
    ]);
    expect(read).toEqual({ 'call-workflow-ledger': 'Too dear.' });
  });
});
