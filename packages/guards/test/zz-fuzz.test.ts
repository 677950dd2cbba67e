import { BeforeToolCall, createHooks, requireApproval, Stop } from '@hooks/core';
import { callTool, hashInput } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { expect, test } from 'vitest';
import { once } from '../src/index.ts';

let seed = 7;
const rnd = (n: number) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) % n; };
const kinds = new Map<string, { n: number; ex: string }>();
async function play(crashes: boolean, own: boolean) {
  const store = memoryStore();
  const paid: Record<string, number> = {};
  const log: string[] = [];
  const started: number[] = [];
  const crashed = new Set<string>();
  let r = 0;
  const input = { amount: 5 };
  const resumed = { decision: 'allow', hash: await hashInput(input) } as const;
  const proc = () => { const hooks = createHooks({ onWarning: () => {} }); hooks.use(once({ tools: 'pay', store, leaseMs: 60_000 })); return hooks; };
  const note = (k: string) => { const e = kinds.get(k); if (e) e.n++; else kinds.set(k, { n: 1, ex: log.join(' ') }); };
  const steps = 4 + rnd(6);
  for (let i = 0; i < steps; i++) {
    const op = started.length === 0 ? 0 : rnd(6);
    const hooks = proc();
    const session = own ? hooks.session() : hooks.session('chat');
    const run = own ? session.id : `r${++r}`;
    if (op === 0) {
      const n = started.length + 1; started.push(n);
      hooks.on(BeforeToolCall, () => requireApproval('sure?'));
      const o = await callTool(hooks, { session, run, toolName: 'pay', callId: 'c1', input }, () => 'never', { approval: 'deny' });
      await hooks.settled();
      log.push(`S${n}:${o.status}${o.status === 'ok' ? `(${o.output})` : ''}`);
      // answered without a question: the framework goes on, and nobody is asked
      if (o.status !== 'denied') { started.pop(); await hooks.dispatch(Stop, { session, run, response: 'x', continuations: 0 }); log.push('E'); }
      continue;
    }
    const a = `a${started[rnd(started.length)]}`;
    const dies = crashes && rnd(4) === 0;
    let claimed!: () => void; const claiming = new Promise<void>((res) => { claimed = res; });
    const running = callTool(hooks, { session, run, toolName: 'pay', callId: 'c1', input, resumed, approvalId: a }, () => {
      paid[a] = (paid[a] ?? 0) + 1;
      if (dies) { crashed.add(a); claimed(); return new Promise(() => {}); }
      return `receipt ${a}`;
    }, { approval: 'deny' });
    const o = await Promise.race([running, claiming]);
    if (!o) { for await (const { key } of store.list('once/alive/')) await store.delete(key); log.push(`Y${a}:CRASH`); continue; }
    await hooks.settled();
    log.push(`Y${a}:${o.status}(${o.output ?? String(o.reason).slice(0, 30)})`);
    if (o.status === 'ok' && o.output !== `receipt ${a}`) note(crashed.size ? 'other outcome (crash)' : paid[a] ? 'OTHER OUTCOME though it ran' : 'other outcome, never ran');
    if (rnd(3) > 0) { await hooks.dispatch(Stop, { session, run, response: 'x', continuations: 0 }); log.push('E'); }
    if ((paid[a] ?? 0) > 1) note('PAID TWICE');
  }
}
test('fuzz', { timeout: 300000 }, async () => {
  let n = 0;
  for (const crashes of [false, true]) for (const own of [false, true]) for (let i = 0; i < 400; i++, n++) await play(crashes, own);
  process.stderr.write(`${n} ${JSON.stringify([...kinds], null, 1)}\n`);
  expect(1).toBe(1);
});
