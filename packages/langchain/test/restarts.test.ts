import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { calls, scripted } from './fixtures.ts';
import { goOn, type Stretch, type Stretched } from './restart/go-on.ts';
import { inAnotherProcess } from './restart/in-another-process.ts';
import type { PolicyName } from './restart/policies.ts';

const readA = calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' });
const readBoth = calls(
  { name: 'read', arguments: { path: 'a' }, id: 'c1' },
  { name: 'read', arguments: { path: 'b' }, id: 'c2' },
);
const approve = { type: 'approve' };
const edit = { type: 'edit', editedAction: { name: 'read', args: { path: 'edited' } } };
const reject = { type: 'reject', message: 'Not b.' };

type Part = Omit<Stretch, 'modelUrl' | 'file'>;

/** A run that begins in this process, and of which each further stretch is another one. */
async function run(script = readA) {
  const at = await scripted(script);
  const folder = await mkdtemp(join(tmpdir(), 'restart-'));
  const file = join(folder, 'checkpoints');
  const go = (part: Part, from = file) => inAnotherProcess({ modelUrl: at.server.url, file: from, ...part });
  let copies = 0;
  return {
    begin: (part: Part) => goOn({ modelUrl: at.server.url, file, prompt: 'go', ...part }),
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

/** How a person approves, and what of it a third process has to hold itself to. */
const yeses: {
  readonly name: string;
  readonly asks: Stretch['asks'];
  readonly yes: (paused: Stretched) => unknown;
  readonly approved: string;
}[] = [
  { name: 'by a middleware', asks: 'middleware', yes: () => ({ decisions: [approve] }), approved: 'a' },
  {
    name: 'by a middleware, of an edited input',
    asks: 'middleware',
    yes: () => ({ decisions: [edit] }),
    approved: 'edited',
  },
  {
    name: "by approval: 'native'",
    asks: 'hooks',
    yes: ({ pending }) => ({ c1: { decision: 'allow', hash: pending[0]?.hash } }),
    approved: 'a',
  },
];

describe.each(yeses)('a yes $name, after which the tool pauses by itself', ({ asks, yes, approved }) => {
  let on: Awaited<ReturnType<typeof run>>;
  const common = { asks, toolPauses: true } as const;

  beforeAll(async () => {
    on = await run();
    const first = await on.begin({ ...common, policies: ['requires approval'] });
    expect(first).toMatchObject({ ran: [], pending: [{ callId: 'c1', input: { path: 'a' } }] });
    const second = await on.go({ ...common, policies: ['requires approval'], resume: yes(first) });
    expect(second).toMatchObject({ ran: [], pending: [], questions: ['Which page?'] });
    return () => on[Symbol.asyncDispose]();
  });

  const third = (approval: 'deny' | 'native', ...policies: PolicyName[]) =>
    on.branch({ ...common, approval, policies, resume: 7 });

  test('counts in a third process: hooks are asked once more and told of it, the person is not', async () => {
    const native = asks === 'hooks' ? 'native' : 'deny';
    const { ran, resumed, pending, results } = await third(native, 'requires approval');
    expect(pending).toEqual([]);
    expect(ran).toEqual([approved]);
    expect(resumed).toMatchObject([{ decision: 'allow' }]);
    expect(results).toEqual({ c1: `content of ${approved}, page 7` });
  });

  test('is for what was approved: what a hook rewrites only there needs another', async () => {
    const rewriting = approved === 'a' ? 'rewrites a' : 'rewrites edited';
    const asked = await third('native', rewriting);
    expect(asked).toMatchObject({ ran: [], pending: [{ callId: 'c1', input: { path: 'other' } }] });
    if (asks === 'hooks') return;
    const refused = await third('deny', rewriting);
    expect(refused).toMatchObject({ ran: [], pending: [] });
    expect(refused.results['c1']).toMatch(/`approval` option/);
  });

  test('does not lift a Block', async () => {
    const { ran, results } = await third('native', 'requires approval', 'blocks');
    expect(ran).toEqual([]);
    expect(results).toEqual({ c1: 'No longer.' });
  });
});

describe("a person's no", () => {
  const asks = 'middleware';

  test('holds where the process ends before the tools are called', async () => {
    await using on = await run(readBoth);
    await on.begin({ asks, policies: ['looks on'] });
    const decisions = [approve, reject];
    await on.go({ asks, policies: ['looks on'], resume: { decisions }, endBeforeTools: true });
    const { ran, resumed, results } = await on.go({ asks, policies: ['looks on', 'grants'] });
    expect(ran).toEqual(['a']);
    expect(resumed).toMatchObject([{ decision: 'allow' }]);
    expect(results).toEqual({ c1: 'content of a', c2: 'Not b.' });
  });

  test('holds where no hook is left, too', async () => {
    await using on = await run(readBoth);
    await on.begin({ asks, policies: ['looks on'] });
    const decisions = [approve, reject];
    await on.go({ asks, policies: ['looks on'], resume: { decisions }, endBeforeTools: true });
    const { ran, results } = await on.go({ asks, policies: ['none'] });
    expect(ran).toEqual(['a']);
    expect(results).toEqual({ c1: 'content of a', c2: 'Not b.' });
  });

  test('holds where another call is asked about again, and answered to yet another process', async () => {
    await using on = await run(readBoth);
    await on.begin({ asks, policies: ['looks on'] });
    const again = await on.go({ asks, policies: ['rewrites a'], resume: { decisions: [approve, reject] } });
    expect(again.pending).toMatchObject([{ callId: 'c1', input: { path: 'other' } }]);
    const { ran, results } = await on.go({
      asks,
      policies: ['rewrites a', 'grants'],
      resume: { decisions: [approve] },
    });
    expect(ran).toEqual(['other']);
    expect(results).toEqual({ c1: 'content of other', c2: 'Not b.' });
  });
});

test.each(['middleware', 'hooks'] as const)(
  'an input that a person edited is what runs, also where a hook grants the call by now: asked by %s',
  async (asks) => {
    await using on = await run();
    const first = await on.begin({ asks, policies: ['requires approval'] });
    const answer = { decision: 'allow', input: { path: 'edited' }, hash: first.pending[0]?.hash };
    const { ran } = await on.go({ asks, policies: ['grants'], resume: { c1: answer } });
    expect(ran).toEqual(['edited']);
  },
);
