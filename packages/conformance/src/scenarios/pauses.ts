import {
  AfterToolCall,
  BeforeToolCall,
  block,
  grantApproval,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  ToolApprovalDecision,
  TurnEnd,
} from '@hooks/core';
import { expect } from 'vitest';
import { can, canPause } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Actor, Cast, Stage } from '../stage.ts';
import { askWeather, call, calls, expectAnswered } from './script.ts';

const needs = [can(BeforeToolCall, 'modify.approval'), canPause];
const native: Cast = { attach: { approval: 'native' } };

/** Calls that pause the run until a person has answered, in the same process. */
export const pauses: Family = {
  name: 'approval by a pause of the framework',
  scenarios: [
    {
      rule: 'native: the run pauses with the effective input; once approved the call runs, and no hook runs again',
      needs,
      async play(stage) {
        let asked = 0;
        stage.hooks.on(BeforeToolCall, () => {
          asked++;
          return requireApproval('It costs money.');
        });
        const actor = await paused(stage);
        const after = await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]);
        expectAnswered(after);
        expect(asked).toBe(1);
        expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Rome' } }]);
        expect(after.read).toEqual({ c1: 'sunny in Rome' });
        expect(after.result.pending).toEqual([]);
      },
    },
    {
      rule: 'native: a registry cannot grant what another requires; both see the call once, and both see the decision',
      needs,
      async play(stage) {
        for (const decision of ['allow', 'deny'] as const) {
          for (const requires of [0, 1]) {
            const hooks = [stage.registry(), stage.registry()];
            const told = hooks.map((registry, at) => {
              const count = { asked: 0, over: 0 };
              registry.on(BeforeToolCall, () =>
                at === requires ? requireApproval('It costs money.') : grantApproval('We are rich.'),
              );
              registry.observe(BeforeToolCall, () => void count.asked++);
              registry.observe(AfterToolCall, () => void count.over++);
              return count;
            });
            const session = `${decision} ${requires}`;
            const actor = await stage.agent(askWeather, { ...native, hooks });
            const before = await actor.run({ session });
            expect(before.result.pending).toMatchObject([{ callId: 'c1', reason: 'It costs money.' }]);
            expect(stage.ran).toEqual([]);
            expectAnswered(await actor.resume(session, [{ callId: 'c1', decision }]));
            expect(stage.ran.splice(0)).toHaveLength(decision === 'allow' ? 1 : 0);
            for (const count of told) expect(count).toEqual({ asked: 1, over: 1 });
          }
        }
      },
    },
    {
      rule: 'native: parallel calls are approved or denied one by one',
      needs,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.events();
        const two = calls(call('rome', 'weather', 'Rome'), call('oslo', 'weather', 'Oslo'));
        const actor = await stage.agent(two, native);
        let played = await actor.run({ session: 's1' });
        const answers = {
          rome: { decision: 'allow' },
          oslo: { decision: 'deny', reason: 'Too dear.' },
        } as const;
        // Some frameworks pause for one call after the other.
        for (let rounds = 0; rounds < 2 && played.result.pending.length > 0; rounds++) {
          const given = played.result.pending.flatMap(({ callId }) =>
            callId === 'rome' || callId === 'oslo' ? [{ callId, ...answers[callId] }] : [],
          );
          played = await actor.resume('s1', given);
        }
        expectAnswered(played);
        expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Rome' } }]);
        expect(played.read).toMatchObject({ rome: 'sunny in Rome' });
        expect(played.read['oslo']).toContain('Too dear.');
      },
    },
    {
      rule: 'native: a pause duplicates no event of a call or of its turn',
      needs: [...needs, can(PermissionRequest), can(ToolApprovalDecision), can(TurnEnd)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const events = stage.events();
        const actor = await paused(stage);
        expectAnswered(await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]));
        expect(events.filter((event) => 'callId' in event).map(({ type }) => type)).toEqual([
          ...['before_tool_call', 'permission_request', 'tool_approval_decision'],
          ...['before_execute', 'transform_tool_result', 'after_tool_call'],
        ]);
        const turns = events.filter(({ type }) => type === 'turn_end');
        expect(turns).toMatchObject([{ reason: 'continue' }, { reason: 'normal' }]);
      },
    },
    {
      rule: 'native: a grant from a hook that remembers an approval skips the pause',
      needs: [...needs, can(PermissionRequest, 'modify.approval'), can(ToolApprovalDecision)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const approved = new Set<string>();
        stage.hooks.on(PermissionRequest, ({ toolName }) =>
          approved.has(toolName)
            ? grantApproval('It was approved before.', { source: 'user_approved_session' })
            : proceed(),
        );
        stage.hooks.on(ToolApprovalDecision, ({ toolName, approval }) => {
          if (approval === 'allow') approved.add(toolName);
        });
        const script = [
          { toolCalls: [call('c1', 'weather', 'Rome')] },
          { toolCalls: [call('c2', 'weather', 'Oslo')] },
          { text: 'Done.' },
        ];
        const actor = await stage.agent(script, native);
        expect((await actor.run({ session: 's1' })).result.pending).toMatchObject([{ callId: 'c1' }]);
        const after = await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]);
        expectAnswered(after);
        expect(after.result.pending).toEqual([]);
        expect(after.read).toEqual({ c1: 'sunny in Rome', c2: 'sunny in Oslo' });
      },
    },
    {
      rule: 'native: UserInputRequired has the reasons of the hooks that require approval, and its run',
      needs,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.guard(BeforeToolCall, () => requireApproval('It is far.'));
        const events = stage.events();
        await paused(stage, 'It costs money. It is far.');
        await stage.hooks.settled();
        const run = events.find(({ type }) => type === 'before_tool_call')?.run;
        expect(events.filter(({ type }) => type === 'user_input_required')).toMatchObject([
          { message: 'It costs money. It is far.', agent: 'assistant', run },
        ]);
      },
    },
    stopBeside('later', [call('oslo', 'forecast', 'Oslo'), call('rome', 'weather', 'Rome')]),
    stopBeside('earlier', [call('rome', 'weather', 'Rome'), call('oslo', 'forecast', 'Oslo')]),
    {
      rule: 'native: the pause shows the input that will run; if it cannot carry that input, the call is blocked',
      needs,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        await expectOsloOrRefused(stage, native);
      },
    },
    {
      rule: 'the approval of the framework shows the input that will run; if it cannot carry that input, the call is blocked',
      needs: [can(PermissionRequest), canPause],
      async play(stage) {
        const shown: unknown[] = [];
        stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
        stage.hooks.on(PermissionRequest, ({ input }) => {
          shown.push(input);
          return proceed();
        });
        const tool = stage.tool('weather', undefined, { needsApproval: true });
        await expectOsloOrRefused(stage, { ...native, tools: [tool] });
        expect(shown).toEqual([{ city: 'Oslo' }]);
      },
    },
    {
      rule: 'native: a run that one agent object paused and another of the same registry resumes obeys the person, and no hook runs again',
      needs,
      async play(stage) {
        const asked: string[] = [];
        stage.hooks.on(BeforeToolCall, ({ session }) => {
          asked.push(session.id);
          return requireApproval('It costs money.');
        });
        const cast = { ...native, storage: await stage.directory() };
        for (const decision of ['allow', 'deny'] as const) {
          const one = await stage.agent(askWeather, cast);
          await one.run({ session: decision });
          const other = await stage.harness.agent({ ...stage.spec(one.server.url), ...cast });
          stage.defer(async () => other.close?.());
          const { stream } = stage;
          const { error, text } = await other.resume([{ callId: 'c1', decision }], {
            stream,
            session: decision,
          });
          expect([error, text]).toEqual([undefined, 'Done.']);
          expect(stage.ran.splice(0)).toHaveLength(decision === 'allow' ? 1 : 0);
        }
        expect(asked).toEqual(['allow', 'deny'].map((session) => stage.sessionId(session)));
      },
    },
    {
      rule: 'native: a yes runs nothing where the agent that resumes the run has no approver, or one who denies',
      needs,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const approvals = ['deny', () => ({ decision: 'deny', reason: 'No.' }) as const] as const;
        for (const [nth, approval] of approvals.entries()) {
          const storage = await stage.directory();
          const one = await stage.agent(askWeather, { ...native, storage });
          const session = `s${nth}`;
          await one.run({ session });
          const spec = { ...stage.spec(one.server.url), storage, attach: { approval } };
          const other = await stage.harness.agent(spec);
          stage.defer(async () => other.close?.());
          const { stream } = stage;
          await other.resume([{ callId: 'c1', decision: 'allow' }], { stream, session });
          expect(stage.ran).toEqual([]);
        }
      },
    },
    {
      rule: 'native: an approval with another input runs the tool with that input',
      needs,
      appliesTo: ({ editsInputs }) => editsInputs === true,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const actor = await paused(stage);
        const after = await actor.resume('s1', [
          { callId: 'c1', decision: 'allow', input: { city: 'Bonn' } },
        ]);
        expectAnswered(after);
        expect(after.read).toEqual({ c1: 'sunny in Bonn' });
      },
    },
    {
      rule: 'native: a call that does not fit the schema never waits for a person',
      needs,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const wrong = calls({ id: 'c1', name: 'weather', arguments: { city: 42 } });
        const { result } = await stage.play(wrong, native, { session: 's1' });
        expect(result.pending).toEqual([]);
        expect(stage.ran).toEqual([]);
      },
    },
    {
      rule: 'native: a call that needs no approval runs without a pause',
      needs,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => proceed());
        const played = await stage.play(askWeather, native, { session: 's1' });
        expectAnswered(played);
        expect(played.result.pending).toEqual([]);
        expect(played.read).toEqual({ c1: 'sunny in Rome' });
      },
    },
  ],
};

/** A hook ends the run at one call, next to one that needs approval. */
function stopBeside(where: string, toolCalls: readonly ReturnType<typeof call>[]): Scenario {
  return {
    rule: `native: Block with stop cancels the pending approval of a ${where} call, ends the run, and the session continues`,
    needs: [...needs, can(BeforeToolCall, 'block'), can(ToolApprovalDecision), can(TurnEnd)],
    async play(stage) {
      stage.hooks.on(BeforeToolCall, ({ toolName }) =>
        toolName === 'weather' ? requireApproval('It costs money.') : proceed(),
      );
      stage.hooks.guard(BeforeToolCall, async ({ toolName }) =>
        toolName === 'forecast' ? block('That is enough.', { stop: true }) : proceed(),
      );
      const events = stage.events();
      const actor = await stage.agent(
        ({ messages }) => (messages.at(-1)?.content === 'And now?' ? { text: 'Back again.' } : { toolCalls }),
        { ...native, tools: [stage.tool('weather'), stage.tool('forecast')] },
      );
      const { result, requests } = await actor.run({ session: 's1' });
      expect(result.error).toBeUndefined();
      expect(result.pending).toEqual([]);
      expect(result.blockReason).toBe('That is enough.');
      expect(requests).toHaveLength(1);
      expect(stage.ran).toEqual([]);
      await stage.hooks.settled();
      const told = (type: string) => events.filter((event) => event.type === type);
      expect(told('user_input_required')).toEqual([]);
      expect(told('tool_approval_decision')).toContainEqual(
        expect.objectContaining({ callId: 'rome', approval: 'canceled' }),
      );
      expect(told('turn_end')).toMatchObject([{ reason: 'hook_blocked' }]);
      const over = told('after_tool_call').map((event) => 'callId' in event && event.callId);
      expect(over.toSorted()).toEqual(['oslo', 'rome']);
      // The model server rejects a history with an unanswered call.
      expectAnswered(await actor.run({ session: 's1', prompt: 'And now?' }), 'Back again.');
    },
  };
}

/** The call was rewritten to Oslo and needs approval: a person approves just that, or nothing runs. */
async function expectOsloOrRefused(stage: Stage, cast: Cast): Promise<void> {
  const actor = await stage.agent(askWeather, cast);
  const { result, read } = await actor.run({ session: 's1' });
  if (result.pending.length === 0) {
    expect(stage.ran).toEqual([]);
    expect(read['c1']).toContain('approv');
    return;
  }
  expect(result.pending).toMatchObject([{ callId: 'c1', input: { city: 'Oslo' } }]);
  const after = await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]);
  expectAnswered(after);
  expect(after.read).toEqual({ c1: 'sunny in Oslo' });
}

/** An agent that is paused for the approval of call c1. */
async function paused(stage: Stage, reason = 'It costs money.'): Promise<Actor> {
  const actor = await stage.agent(askWeather, native);
  const { result, requests } = await actor.run({ session: 's1' });
  expect(result.error).toBeUndefined();
  expect(result.pending).toMatchObject([
    { callId: 'c1', toolName: 'weather', input: { city: 'Rome' }, reason },
  ]);
  expect(result.pending[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(requests).toHaveLength(1);
  expect(stage.ran).toEqual([]);
  return actor;
}
