import {
  type ApprovalAnswer,
  type ApprovalRequest,
  BeforeToolCall,
  block,
  grantApproval,
  modify,
  PermissionRequest,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import { expect } from 'vitest';
import { can, type Family } from '../scenario.ts';
import { askWeather, call, calls, expectAnswered } from './script.ts';

const required = can(BeforeToolCall, 'modify.approval');

/** Calls that a person, or whoever stands in for one, must approve, and is asked about in place. */
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
        const played = await stage.play(
          askWeather,
          { attach: { approval: 'native' }, tools: [tool] },
          { session: 's1' },
        );
        expectAnswered(played);
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
