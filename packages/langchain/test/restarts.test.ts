import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls, scripted } from './fixtures.ts';
import { goOn, type Stretch } from './restart/go-on.ts';
import { endProcesses, inAnotherProcess } from './restart/in-another-process.ts';
import type { PolicyName } from './restart/policies.ts';

const readA = calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' });
const readBoth = calls(
  { name: 'read', arguments: { path: 'a' }, id: 'c1' },
  { name: 'read', arguments: { path: 'b' }, id: 'c2' },
);
const approve = { type: 'approve' };

type Part = Omit<Stretch, 'modelUrl' | 'thread' | 'file'>;

afterAll(endProcesses);

/** A run that begins in this process, and of which each further stretch is another one. */
async function run(script = readA) {
  const at = await scripted(script);
  const folder = temporaryFolder();
  const file = join(folder, 'checkpoints');
  const common = { modelUrl: at.server.url, thread: folder };
  let processes = 0;
  const go = (part: Part, from = file) => inAnotherProcess(processes++, { ...common, file: from, ...part });
  let copies = 0;
  return {
    begin: (part: Part) => goOn({ ...common, file, prompt: 'go', ...part }),
    go,
    /** Goes on from here without having gone on. */
    async branch(part: Part) {
      const copy = `${file}-${copies++}`;
      await copyFile(file, copy);
      return go(part, copy);
    },
    [Symbol.asyncDispose]: at[Symbol.asyncDispose],
  };
}

/** How a person approves, and what a third process has to hold itself to. */
const yeses: {
  readonly name: string;
  readonly asks: Stretch['asks'];
  readonly yes: object;
  readonly approved: string;
}[] = [
  { name: 'to interruptOn', asks: 'interruptOn', yes: { decision: 'allow' }, approved: 'a' },
  {
    name: 'to interruptOn, with an edited input',
    asks: 'interruptOn',
    yes: { decision: 'allow', input: { path: 'edited' } },
    approved: 'edited',
  },
  { name: 'to what hooks require', asks: 'hooks', yes: { decision: 'allow' }, approved: 'a' },
];

describe.each(yeses)('a yes $name, after which the tool pauses by itself', ({ asks, yes, approved }) => {
  let on: Awaited<ReturnType<typeof run>>;
  const common = { asks, toolPauses: true } as const;

  beforeAll(async () => {
    on = await run();
    const first = await on.begin({ ...common, policies: ['requires approval'] });
    expect(first).toMatchObject({ ran: [], pending: [{ callId: 'c1', input: { path: 'a' } }] });
    const resume = { c1: { ...yes, hash: first.pending[0]?.hash } };
    const second = await on.go({ ...common, policies: ['requires approval'], resume });
    expect(second).toMatchObject({ ran: [], pending: [], questions: ['Which page?'] });
    return () => on[Symbol.asyncDispose]();
  });

  const third = (approval: 'deny' | 'native', ...policies: PolicyName[]) =>
    on.branch({ ...common, approval, policies, resume: 7 });

  test('counts in a third process: hooks are asked once more and told of it, the person is not', async () => {
    const { ran, resumed, pending, results } = await third('native', 'requires approval');
    expect(pending).toEqual([]);
    expect(ran).toEqual([approved]);
    expect(resumed).toMatchObject([{ decision: 'allow' }]);
    expect(results).toEqual({ c1: `content of ${approved}, page 7` });
  });

  test('is for what was approved: what a hook rewrites only there needs another', async () => {
    const asked = await third('native', 'rewrites a');
    expect(asked).toMatchObject({ ran: [], pending: [{ callId: 'c1', input: { path: 'other' } }] });
  });

  test('is none to what hooks require where the option is `deny`', async () => {
    const { ran, results } = await third('deny', 'requires approval');
    expect(ran).toEqual([]);
    expect(results).toEqual({ c1: expect.stringContaining('It is dear.') });
  });

  test('does not lift a Block', async () => {
    const { ran, results } = await third('native', 'requires approval', 'blocks');
    expect(ran).toEqual([]);
    expect(results).toEqual({ c1: 'No longer.' });
  });
});

describe("a person's no", () => {
  const asks = 'interruptOn';

  test('holds where another call is asked about again, and answered to yet another process', async () => {
    await using on = await run(readBoth);
    await on.begin({ asks, policies: ['looks on'] });
    const answers = { c1: { decision: 'allow' }, c2: { decision: 'deny', reason: 'Not b.' } };
    const again = await on.go({ asks, policies: ['rewrites a'], resume: answers });
    expect(again.pending).toMatchObject([{ callId: 'c1', input: { path: 'other' } }]);
    const { ran, results } = await on.go({
      asks,
      policies: ['rewrites a', 'grants'],
      resume: { c1: { decision: 'allow', hash: again.pending[0]?.hash } },
    });
    expect(ran).toEqual(['other']);
    expect(results).toEqual({ c1: 'content of other', c2: 'Not b.' });
  });
});

test("a decision in LangChain's form is to what was shown, also in another process", async () => {
  await using on = await run();
  const asks = 'interruptOn';
  await on.begin({ asks, policies: ['looks on'] });
  const resume = { decisions: [approve] };
  const same = await on.branch({ asks, policies: ['looks on'], resume });
  expect(same.ran).toEqual(['a']);
  const { ran, pending } = await on.branch({ asks, policies: ['rewrites a'], resume });
  expect(ran).toEqual([]);
  expect(pending).toMatchObject([{ callId: 'c1', input: { path: 'other' } }]);
});

test.each(['interruptOn', 'hooks'] as const)(
  'an input that a person edited is what runs, also where a hook grants the call by now: asked by %s',
  async (asks) => {
    await using on = await run();
    const first = await on.begin({ asks, policies: ['requires approval'] });
    const answer = { decision: 'allow', input: { path: 'edited' }, hash: first.pending[0]?.hash };
    const { ran } = await on.go({ asks, policies: ['grants'], resume: { c1: answer } });
    expect(ran).toEqual(['edited']);
  },
);

describe.each(['createHookedAgent', 'hooksMiddleware'] as const)(
  'a run of %s that is cut off while a Stop hook runs',
  (how) => {
    const common = { how, asks: 'hooks' } as const;

    test('asks the Stop hook when it goes on where agents are created in another order', async () => {
      await using on = await run([{ text: 'Done.' }]);
      await on.begin({ ...common, policies: ['looks on'], cutOff: true });
      const { stops } = await on.go({ ...common, policies: ['looks on'], others: 3 });
      expect(stops).toEqual(['Done.']);
    });

    test('goes on with a message of its own for each continuation', async () => {
      await using on = await run([{ text: 'First.' }, { text: 'Second.' }, { text: 'Done.' }]);
      const policies = ['continues until Done.'] as const;
      await on.begin({ ...common, policies: ['continues after First.'], cutOff: true });
      const { stops, messages } = await on.go({ ...common, policies, others: 1 });
      expect(stops).toEqual(['Second.', 'Done.']);
      const texts = messages.map(([, text]) => text);
      expect(texts).toEqual(['go', 'First.', 'Not first.', 'Second.', 'Not second.', 'Done.']);
      expect(new Set(messages.map(([id]) => id)).size).toBe(messages.length);
    });
  },
);
