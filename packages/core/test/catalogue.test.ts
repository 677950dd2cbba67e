// The table of the catalogue (DESIGN 3.1), written down once more, so that a token that says otherwise is found.
import { describe, expect, it } from 'vitest';
import { takeContext } from '../src/adapter/index.ts';
import * as core from '../src/index.ts';
import {
  addContext,
  block,
  createHooks,
  type DecisionKind,
  type EventPayload,
  type EventToken,
  type GroupToken,
  type HookDecision,
  type Hooks,
  modify,
  proceed,
  retry,
} from '../src/index.ts';

interface Row {
  readonly permits: readonly DecisionKind[];
  readonly modifies?: readonly string[];
  readonly fail: 'block' | 'proceed' | 'withhold' | 'ask';
  readonly group: string;
  readonly reverse?: true;
  /** Its hooks run to completion on an abort. */
  readonly completes?: true;
  /** In which model calls contributed context is. */
  readonly context?: 'session' | 'run' | 'call' | 'guidance';
}

const CATALOGUE: { readonly [name: string]: Row } = {
  SessionStart: {
    permits: ['modify'],
    modifies: ['context'],
    fail: 'proceed',
    group: 'Session',
    context: 'session',
  },
  UserPromptSubmit: {
    permits: ['block', 'modify'],
    modifies: ['prompt', 'context', 'metadata'],
    fail: 'block',
    group: 'Prompt',
    context: 'run',
  },
  BeforeRun: {
    permits: ['block', 'modify'],
    modifies: ['model', 'settings'],
    fail: 'block',
    group: 'Prompt',
  },
  TurnStart: {
    permits: ['modify'],
    modifies: ['context'],
    fail: 'proceed',
    group: 'Model',
    context: 'call',
  },
  BeforeModelCall: {
    permits: ['block', 'modify'],
    modifies: ['instructions', 'messages', 'tools', 'settings', 'context'],
    fail: 'block',
    group: 'Model',
    context: 'call',
  },
  AfterModelCall: {
    permits: ['block', 'modify', 'retry'],
    modifies: ['response'],
    fail: 'block',
    group: 'Model',
    reverse: true,
  },
  BeforeToolCall: {
    permits: ['block', 'modify'],
    modifies: ['toolName', 'input', 'approval', 'execute', 'concealed', 'context'],
    fail: 'block',
    group: 'Tool',
    context: 'call',
  },
  PermissionRequest: {
    permits: ['block', 'modify'],
    modifies: ['approval', 'input'],
    fail: 'ask',
    group: 'Tool',
  },
  BeforeExecute: {
    permits: ['block', 'modify'],
    modifies: ['execute', 'idempotencyKey'],
    fail: 'block',
    group: 'Tool',
  },
  ToolApprovalDecision: { permits: [], fail: 'proceed', group: 'Tool' },
  TransformToolResult: {
    permits: ['modify'],
    modifies: ['output', 'errorMessage', 'context'],
    fail: 'withhold',
    group: 'Tool',
    context: 'call',
  },
  AfterToolCall: {
    permits: ['block', 'modify', 'retry'],
    modifies: ['output', 'context'],
    fail: 'block',
    group: 'Tool',
    reverse: true,
    completes: true,
    context: 'call',
  },
  TurnEnd: { permits: [], fail: 'proceed', group: 'Model', reverse: true, completes: true },
  Stop: { permits: ['block', 'retry'], fail: 'proceed', group: 'Model' },
  SubagentStart: { permits: [], fail: 'proceed', group: 'Agent' },
  SubagentStop: { permits: [], fail: 'proceed', group: 'Agent' },
  AgentSwitch: { permits: [], fail: 'proceed', group: 'Agent' },
  BeforeCompaction: {
    permits: ['block', 'modify'],
    modifies: ['summary', 'context'],
    fail: 'proceed',
    group: 'Compaction',
    context: 'guidance',
  },
  AfterCompaction: { permits: [], fail: 'proceed', group: 'Compaction' },
  UserInputRequired: { permits: [], fail: 'proceed', group: 'Prompt' },
  Notification: { permits: [], fail: 'proceed', group: 'Agent' },
  AgentError: { permits: [], fail: 'proceed', group: 'Agent' },
  MaxIterations: { permits: [], fail: 'proceed', group: 'Agent' },
  SessionResume: { permits: [], fail: 'proceed', group: 'Session' },
  SessionEnd: { permits: [], fail: 'proceed', group: 'Session', reverse: true, completes: true },
};

/** A value that fits each modifiable field. */
const VALUES: { readonly [field: string]: unknown } = {
  approval: { kind: 'granted', reason: 'fine' },
  context: ['look'],
  execute: () => 'elsewhere',
  metadata: { tag: 1 },
  prompt: 'other',
  summary: 'short',
  toolName: 'other',
  errorMessage: 'hidden',
};

type AnyToken = EventToken<EventPayload, DecisionKind, never>;
const tokens = core as unknown as { readonly [name: string]: AnyToken };
const rows = Object.entries(CATALOGUE).map(([name, row]) => [name, row, tokens[name] as AnyToken] as const);
const closes = ({ fail }: Row): boolean => fail === 'block' || fail === 'withhold';

async function dispatch(
  hooks: Hooks,
  token: AnyToken,
  options?: core.DispatchOptions,
): Promise<HookDecision> {
  const event = { session: hooks.session('s'), run: 'r', toolName: 'exec', input: 'ls' };
  return hooks.dispatch(token, event as never, options) as Promise<HookDecision>;
}

/** What comes of one hook's answer, which the types would not let through. */
async function answered(token: AnyToken, answer: unknown): Promise<[HookDecision['kind'], string[]]> {
  const codes: string[] = [];
  const hooks = createHooks({ onError: ({ code }) => codes.push(code) });
  hooks.on(token, () => answer as never);
  return [(await dispatch(hooks, token)).kind, codes];
}

it('the catalogue has these events, and no other', () => {
  const events = Object.entries(core).filter(
    ([, value]) => (value as Partial<AnyToken>).spec?.kind === 'event',
  );
  expect(events.map(([name]) => name).sort()).toEqual(Object.keys(CATALOGUE).sort());
});

describe.each(rows)('%s', (name, row, token) => {
  it('has as type the snake_case of its name', () => {
    expect(token.type).toBe(name.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase());
  });

  it('honours the decisions that it permits; any other is a failure of the hook', async () => {
    const failed = [closes(row) ? 'block' : 'proceed', ['INVALID_DECISION']];
    for (const [kind, answer] of [
      ['block', block('no')],
      ['retry', retry('again')],
    ] as const)
      expect(await answered(token, answer), kind).toEqual(row.permits.includes(kind) ? [kind, []] : failed);
    for (const field of [
      ...Object.keys(VALUES),
      'input',
      'output',
      'session',
      'agent',
      'model',
      'response',
    ]) {
      const wanted = row.modifies?.includes(field) ? ['modify', []] : failed;
      expect(await answered(token, modify({ [field]: VALUES[field] })), field).toEqual(wanted);
    }
    expect(token.spec.modifies).toEqual(row.modifies ?? []);
  });

  it('has one meaning for a hook that throws or rejects, which the hook’s own onFailure overrides', async () => {
    const throwing = () => {
      throw new Error('broken');
    };
    for (const handler of [throwing, () => Promise.reject(new Error('broken'))]) {
      const outcome = async (onFailure?: 'block' | 'proceed') => {
        const hooks = createHooks();
        hooks.on(token, handler as never, onFailure && { onFailure });
        return (await dispatch(hooks, token)).kind;
      };
      expect(await outcome()).toBe(closes(row) ? 'block' : 'proceed');
      expect(await outcome('proceed')).toBe('proceed');
      const mayClose = row.permits.includes('block') || row.fail === 'withhold';
      if (mayClose) expect(await outcome('block')).toBe('block');
      else await expect(outcome('block')).rejects.toThrow('does not permit Block');
    }
    expect(token.spec.onFailure).toBe(row.fail);
  });

  it('asks interceptors, guards and observers in one order each', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    const note = (called: string) => () => (asked.push(called), proceed());
    const guarded = row.permits.includes('block');
    for (const [id, priority] of [
      ['high', 1],
      ['early', 0],
      ['late', 0],
    ] as const) {
      hooks.observe(token, note(`observer ${id}`), { priority });
      if (guarded) hooks.guard(token, note(`guard ${id}`) as never, { priority });
      hooks.on(token, note(`on ${id}`) as never, { priority });
    }
    await dispatch(hooks, token);
    const order = row.reverse ? ['late', 'early', 'high'] : ['high', 'early', 'late'];
    expect(asked.filter((called) => called.startsWith('on'))).toEqual(order.map((id) => `on ${id}`));
    const phases = ['on', ...(guarded ? ['guard'] : []), 'observer'];
    expect(asked).toEqual(phases.flatMap((phase) => order.map((id) => `${phase} ${id}`)));
  });

  it('gives the run’s signal to its hooks, unless they run to completion, and never to observers', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    const signals: AbortSignal[] = [];
    hooks.on(token, ((_event: unknown, { signal }: core.HandlerContext) => {
      signals.push(signal);
      return proceed();
    }) as never);
    hooks.observe(token, (_event, _decision, { signal }) => void signals.push(signal));
    await hooks.session('s').open();
    signals.length = 0;
    await dispatch(hooks, token, { signal: run.signal });
    run.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([row.completes !== true, false]);
  });

  it('tells its context for as long as the event says', async () => {
    const hooks = createHooks();
    hooks.on(token, (() => addContext('look')) as never);
    const decision = await dispatch(hooks, token);
    const session = hooks.session('s');
    const told = [
      takeContext(hooks, session, 'r'),
      takeContext(hooks, session, 'r'),
      takeContext(hooks, session, 'other'),
    ];
    const here = ['look'];
    const wanted = {
      session: [here, here, here],
      run: [here, here, []],
      call: [here, [], []],
      // For whoever writes the summary, who reads it in the decision.
      guidance: [[], [], []],
    };
    // The dispatch opens the session, which is an event of its own.
    const twice = name === 'SessionStart' ? told.map(([first]) => [first]) : told;
    expect(twice).toEqual(row.context === undefined ? [[], [], []] : wanted[row.context]);
    if (row.context !== undefined) expect(decision).toMatchObject({ patch: { context: here } });
  });
});

describe('groups', () => {
  const groups = ['Session', 'Prompt', 'Model', 'Tool', 'Agent', 'Compaction'];
  const groupOf = (name: string) => tokens[`${name}Event`] as unknown as GroupToken<EventPayload>;

  it.each(groups)('%sEvent is shown each of its events, and no other', async (group) => {
    const hooks = createHooks();
    await hooks.session('s').open();
    const seen: string[] = [];
    hooks.observe(groupOf(group), ({ type }) => void seen.push(type));
    for (const [, , token] of rows) await dispatch(hooks, token);
    const wanted = rows.filter(([, row]) => row.group === group).map(([, , token]) => token.type);
    expect(seen).toEqual(wanted);
  });

  it('HookEvent is shown all events', async () => {
    const hooks = createHooks();
    await hooks.session('s').open();
    const seen: string[] = [];
    hooks.observe(core.HookEvent, ({ type }) => void seen.push(type));
    for (const [, , token] of rows) await dispatch(hooks, token);
    expect(seen).toEqual(rows.map(([, , token]) => token.type));
  });
});
