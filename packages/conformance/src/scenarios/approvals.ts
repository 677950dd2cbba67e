import {
  type ApprovalAnswer,
  type ApprovalRequest,
  BeforeToolCall,
  block,
  grantApproval,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  ToolApprovalDecision,
  UserInputRequired,
} from '@hooks/core';
import { expect } from 'vitest';
import { can, type Family } from '../scenario.ts';
import type { Actor, Cast, Stage } from '../stage.ts';
import { askWeather, call, calls, expectAnswered } from './script.ts';

const required = can(BeforeToolCall, 'modify.approval');
const pauses = [required, can(UserInputRequired)];
const native: Cast = { attach: { approval: 'native' } };

/** Calls that a person, or whoever stands in for one, must approve. */
export const approvals: Family = {
  name: 'approval',
  scenarios: [
    {
      rule: 'required, and nobody can be asked: denied, with a reason that names the option, and the run goes on',
      needs: [required],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(played.read['c1']).toContain('approval');
      },
    },
    {
      rule: 'an approver that allows: the tool runs; what it was asked is the effective input',
      needs: [required, can(ToolApprovalDecision)],
      async play(stage) {
        const events = stage.events();
        stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const { asked, attach } = approver({ decision: 'allow' });
        const played = await stage.play(askWeather, { attach });
        expectAnswered(played);
        expect(asked).toMatchObject([
          { callId: 'c1', toolName: 'weather', input: { city: 'Oslo' }, reason: 'It costs money.' },
        ]);
        expect(played.read).toEqual({ c1: 'sunny in Oslo' });
        expect(events.filter(({ type }) => type === 'tool_approval_decision')).toMatchObject([
          { approval: 'allow' },
        ]);
      },
    },
    {
      rule: 'an approver that denies: the tool does not run, and the model reads the reason',
      needs: [required],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const { attach } = approver({ decision: 'deny', reason: 'Too dear.' });
        const played = await stage.play(askWeather, { attach });
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(played.read).toEqual({ c1: 'Too dear.' });
      },
    },
    {
      rule: 'an approver that allows with another input: the tool runs with it',
      needs: [required],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const { attach } = approver({ decision: 'allow', input: { city: 'Bonn' } });
        const played = await stage.play(askWeather, { attach });
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'sunny in Bonn' });
      },
    },
    {
      rule: 'PermissionRequest: a hook that grants it stands in for the person, one that blocks denies it',
      needs: [required, can(PermissionRequest, 'modify.approval'), can(PermissionRequest, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.on(PermissionRequest, ({ callId }) =>
          callId === 'rome' ? grantApproval('Rome is free.') : block('Oslo is dear.'),
        );
        const played = await stage.play(
          calls(call('rome', 'weather', 'Rome'), call('oslo', 'weather', 'Oslo')),
        );
        expectAnswered(played);
        expect(played.read).toEqual({ rome: 'sunny in Rome', oslo: 'Oslo is dear.' });
      },
    },
    {
      rule: 'PermissionRequest, Modify of input: whoever approves is asked about it, and the tool runs with it',
      needs: [required, can(PermissionRequest), can(PermissionRequest, 'modify.input')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.on(PermissionRequest, () => modify({ input: { city: 'Bonn' } }));
        const { asked, attach } = approver({ decision: 'allow' });
        const played = await stage.play(askWeather, { attach });
        expectAnswered(played);
        expect(asked).toMatchObject([{ callId: 'c1', input: { city: 'Bonn' } }]);
        expect(played.read).toEqual({ c1: 'sunny in Bonn' });
      },
    },
    {
      rule: "the framework's own approval fires PermissionRequest, and a grant lifts it",
      needs: [can(PermissionRequest), can(PermissionRequest, 'modify.approval')],
      async play(stage) {
        stage.hooks.on(PermissionRequest, () => grantApproval('It is free today.'));
        const tool = stage.tool('weather', undefined, { needsApproval: true });
        const played = await stage.play(askWeather, { ...native, tools: [tool] }, { session: 's1' });
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'sunny in Rome' });
      },
    },
    {
      rule: 'native: the run pauses and tells the call with its effective input; after a yes it runs, and no hook is asked again',
      needs: pauses,
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
      rule: 'native: after a no the call does not run, and the model reads the reason',
      needs: pauses,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const actor = await paused(stage);
        const after = await actor.resume('s1', [{ callId: 'c1', decision: 'deny', reason: 'Too dear.' }]);
        expectAnswered(after);
        expect(stage.ran).toEqual([]);
        expect(after.read['c1']).toContain('Too dear.');
      },
    },
    {
      rule: 'native: each of parallel calls has its own answer',
      needs: pauses,
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
        // Some frameworks ask for one call after the other.
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
      rule: 'native: a person is shown the input that will run; where the pause cannot carry it, the call is refused',
      needs: pauses,
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        await expectOsloOrRefused(stage, native);
      },
    },
    {
      rule: "the framework's own approval: a person is shown the input that will run; where the pause cannot carry it, the call is refused",
      needs: [can(PermissionRequest), can(UserInputRequired)],
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
      rule: 'native: a yes that carries another input: the tool runs with it',
      needs: pauses,
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
      rule: 'native: arguments that do not fit the schema are never sent to a person',
      needs: pauses,
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
      needs: pauses,
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

/** An approver that keeps what it was asked. */
function approver(answer: ApprovalAnswer) {
  const asked: ApprovalRequest[] = [];
  const approval = (request: ApprovalRequest): ApprovalAnswer => {
    asked.push(request);
    return answer;
  };
  return { asked, attach: { approval } };
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

/** An agent that waits for a person to approve call c1. */
async function paused(stage: Stage): Promise<Actor> {
  const actor = await stage.agent(askWeather, native);
  const { result, requests } = await actor.run({ session: 's1' });
  expect(result.error).toBeUndefined();
  expect(result.pending).toMatchObject([
    { callId: 'c1', toolName: 'weather', input: { city: 'Rome' }, reason: 'It costs money.' },
  ]);
  expect(result.pending[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(requests).toHaveLength(1);
  expect(stage.ran).toEqual([]);
  return actor;
}
