import {
  AfterToolCall,
  type ApprovalAnswer,
  type ApprovalRequest,
  BeforeToolCall,
  block,
  grantApproval,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  ToolApprovalDecision,
  type ToolEvent,
  TransformToolResult,
} from '@hooks/core';
import { expect } from 'vitest';
import type { Step } from '../model-server/index.ts';
import { can, canPause } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { askWeather, call, calls, expectAnswered } from './script.ts';

const required = can(BeforeToolCall, 'modify.approval');

/** Calls that need approval, from a person or an approver function, without a pause. */
export const approvals: Family = {
  name: 'approval',
  scenarios: [
    {
      rule: 'a required approval without an approver denies the call, names the option to set, and the run continues',
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
      rule: 'an approver that allows sees the effective input and every reason, and the tool runs with it',
      needs: [required, can(ToolApprovalDecision)],
      async play(stage) {
        const events = stage.events();
        stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.', { severity: 'high' }));
        stage.hooks.guard(BeforeToolCall, () => requireApproval('It is far.', { severity: 'low' }));
        const { asked, attach } = approver({ decision: 'allow', by: 'ada' });
        const played = await stage.play(askWeather, { attach });
        expectAnswered(played);
        expect(asked).toMatchObject([
          {
            callId: 'c1',
            toolName: 'weather',
            input: { city: 'Oslo' },
            reason: 'It costs money. It is far.',
            reasons: ['It costs money.', 'It is far.'],
            severity: 'high',
          },
        ]);
        expect(played.read).toEqual({ c1: 'sunny in Oslo' });
        expect(events.filter(({ type }) => type === 'tool_approval_decision')).toMatchObject([
          { approval: 'allow', by: 'ada' },
        ]);
      },
    },
    {
      rule: 'an approver that denies keeps the tool from running, and the model reads the reason',
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
      rule: 'an approver that allows another input runs the tool with that input',
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
      rule: 'an approver that answers in place of the tool: the tool does not run, and hooks and the model see the answer as its result',
      needs: [required, can(ToolApprovalDecision), can(TransformToolResult, 'modify.output')],
      async play(stage) {
        const events = stage.events();
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.on(TransformToolResult, ({ output }) =>
          modify({ output: String(output).replace('secret', '[hidden]') }),
        );
        const { attach } = approver({ decision: 'answer', output: 'rain, secret', by: 'ada' });
        const played = await stage.play(askWeather, { attach });
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(played.read).toEqual({ c1: 'rain, [hidden]' });
        expect(events.filter(({ type }) => type === 'tool_approval_decision')).toMatchObject([
          { approval: 'allow', source: 'user_answered', by: 'ada' },
        ]);
      },
    },
    {
      rule: 'an approver that answers in place of the tool: AfterToolCall says that nothing ran, and a Block withholds the answer',
      needs: [required, can(AfterToolCall, 'block')],
      async play(stage) {
        const events = stage.events();
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const after: unknown[] = [];
        stage.hooks.on(AfterToolCall, ({ status, ran, answered }) => {
          after.push({ status, ran, answered });
          return block('Not that answer.');
        });
        const { attach } = approver({ decision: 'answer', output: 'rain' });
        const played = await stage.play(askWeather, { attach });
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(after).toEqual([{ status: 'ok', ran: false, answered: true }]);
        expect(events.filter(({ type }) => type === 'after_tool_call')).toMatchObject([{ attempt: 0 }]);
        // Not that its tool did run.
        expect(played.read).toEqual({ c1: 'Not that answer.' });
      },
    },
    {
      rule: 'an approver that allows another input has it checked by the schema and the guards',
      needs: [required, can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.guard(BeforeToolCall, ({ input }) =>
          JSON.stringify(input).includes('Oslo') ? block('Not Oslo.') : proceed(),
        );
        const answers: Readonly<Record<string, unknown>> = { rome: { city: 42 }, bonn: { city: 'Oslo' } };
        const attach = {
          approval: ({ callId }: ApprovalRequest) => ({ decision: 'allow', input: answers[callId] }) as const,
        };
        const two = calls(call('rome', 'weather', 'Rome'), call('bonn', 'weather', 'Bonn'));
        const played = await stage.play(two, { attach });
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(played.read['rome']).toMatch(/input does not fit the schema/);
        expect(played.read['bonn']).toBe('Not Oslo.');
      },
    },
    {
      rule: 'an approver that remembers its answer says so in ToolApprovalDecision, and a hook can grant the next call',
      needs: [required, can(ToolApprovalDecision), can(PermissionRequest, 'modify.approval')],
      async play(stage) {
        const events = stage.events();
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        rememberIn(stage.hooks);
        const { asked, attach } = approver({
          decision: 'allow',
          remember: 'always',
          matching: { city: '*' },
        });
        const played = await stage.play(
          [
            { toolCalls: [call('rome', 'weather', 'Rome')] },
            { toolCalls: [call('oslo', 'weather', 'Oslo')] },
            { text: 'Done.' },
          ],
          { attach },
        );
        expectAnswered(played);
        expect(asked).toMatchObject([{ callId: 'rome' }]);
        expect(played.read).toEqual({ rome: 'sunny in Rome', oslo: 'sunny in Oslo' });
        const remember = { remember: 'always', matching: { city: '*' } };
        const decisions = events.filter(({ type }) => type === 'tool_approval_decision');
        expect(decisions).toMatchObject([
          { callId: 'rome', approval: 'allow', source: 'user_approved_tool', ...remember },
          { callId: 'oslo', approval: 'allow', source: 'user_approved_tool' },
        ]);
        expect(decisions[1]).not.toHaveProperty('remember');
      },
    },
    {
      rule: 'a remembered approval loses to a Block and to a requirement that only a person can meet',
      needs: [required, can(BeforeToolCall, 'block'), can(PermissionRequest, 'modify.approval')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, ({ callId }) =>
          requireApproval('It costs money.', callId === 'oslo' ? { by: 'person' } : {}),
        );
        stage.hooks.guard(BeforeToolCall, ({ callId }) =>
          callId === 'bonn' ? block('Not Bonn.') : proceed(),
        );
        rememberIn(stage.hooks, 'weather');
        const { asked, attach } = approver({ decision: 'deny', reason: 'Too dear.' });
        const three = [
          call('rome', 'weather', 'Rome'),
          call('oslo', 'weather', 'Oslo'),
          call('bonn', 'weather', 'Bonn'),
        ];
        const played = await stage.play(calls(...three), { attach });
        expectAnswered(played);
        expect(asked).toMatchObject([{ callId: 'oslo' }]);
        expect(played.read).toEqual({ rome: 'sunny in Rome', oslo: 'Too dear.', bonn: 'Not Bonn.' });
      },
    },
    {
      rule: 'an approver that remembers gets the description and input schema of the tool that the model has',
      needs: [required, can(PermissionRequest), can(ToolApprovalDecision)],
      async play(stage) {
        const told: unknown[] = [];
        const note = async ({ tool }: ToolEvent): Promise<void> => {
          told.push({ description: tool?.description, schema: await tool?.inputSchema?.() });
        };
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        stage.hooks.observe(PermissionRequest, note);
        stage.hooks.observe(ToolApprovalDecision, note);
        const { attach } = approver({ decision: 'allow' });
        expectAnswered(await stage.play(askWeather, { attach }));
        await stage.hooks.settled();
        const weather = {
          description: 'Tells the weather of a city.',
          schema: expect.objectContaining({
            properties: { city: expect.objectContaining({ type: 'string' }) },
          }),
        };
        expect(told).toEqual([weather, weather]);
      },
    },
    {
      rule: 'an approval that only a person may give cannot be granted by a hook',
      needs: [required, can(PermissionRequest, 'modify.approval')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.', { by: 'person' }));
        stage.hooks.on(PermissionRequest, () => grantApproval('It is free today.'));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(stage.failures).toHaveLength(1);
      },
    },
    {
      rule: 'PermissionRequest lets a hook grant or deny in place of the person',
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
      rule: 'Modify of input on PermissionRequest reaches the approver and the tool',
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
      rule: 'the approval of the framework fires PermissionRequest, and a grant lifts it',
      needs: [can(PermissionRequest, 'modify.approval'), canPause],
      async play(stage) {
        const requested: unknown[] = [];
        stage.hooks.on(PermissionRequest, ({ input }) => {
          requested.push(input);
          return grantApproval('It is free today.');
        });
        const played = await playAsking(stage, askWeather);
        expectAnswered(played);
        expect(requested).toEqual([{ city: 'Rome' }]);
        expect(played.read).toEqual({ c1: 'sunny in Rome' });
      },
    },
    {
      rule: 'the approval of the framework is lifted by a grant on BeforeToolCall',
      needs: [required, can(PermissionRequest), canPause],
      async play(stage) {
        const hook = stage.hooks.on(BeforeToolCall, () => proceed());
        expect((await playAsking(stage, askWeather)).result.pending).toHaveLength(1);
        hook[Symbol.dispose]();
        stage.hooks.on(BeforeToolCall, () => grantApproval('It is free today.'));
        const played = await playAsking(stage, askWeather);
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'sunny in Rome' });
      },
    },
    {
      rule: 'the approval of the framework goes to the approver',
      needs: [can(PermissionRequest), can(ToolApprovalDecision), canPause],
      async play(stage) {
        stage.hooks.on(PermissionRequest, () => proceed());
        const tools = [stage.tool('weather', undefined, { needsApproval: true })];
        const { asked, attach } = approver({ decision: 'allow' });
        const played = await stage.play(askWeather, { attach, tools }, { session: 's1' });
        expectAnswered(played);
        expect(asked).toMatchObject([{ callId: 'c1', input: { city: 'Rome' } }]);
        expect(played.read).toEqual({ c1: 'sunny in Rome' });
      },
    },
    {
      rule: 'the approval of the framework goes to the approver of the outer registry where the inner one has none, with the input that will run',
      needs: [can(BeforeToolCall, 'modify.input'), canPause],
      async play(stage) {
        const [inner, outer] = [stage.registry(), stage.registry()];
        inner.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
        outer.observe(BeforeToolCall, () => {});
        const { asked, attach } = approver({ decision: 'allow' });
        const played = await stage.play(
          askWeather,
          {
            hooks: [inner, outer],
            attach,
            attachEach: [{}, attach],
            tools: [stage.tool('weather', undefined, { needsApproval: true })],
          },
          { session: 's1' },
        );
        expectAnswered(played);
        expect(asked).toMatchObject([{ callId: 'c1', input: { city: 'Oslo' } }]);
        expect(played.read).toEqual({ c1: 'sunny in Oslo' });
      },
    },
    {
      rule: '`approval: deny` denies what hooks require, also of a call that the framework asks about, and no person is asked',
      needs: [required, can(PermissionRequest), canPause],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const tools = [stage.tool('weather', undefined, { needsApproval: true })];
        const played = await stage.play(
          askWeather,
          { attach: { approval: 'deny' }, tools },
          { session: 's1' },
        );
        expectAnswered(played);
        expect(played.result.pending).toEqual([]);
        expect(stage.ran).toEqual([]);
        expect(played.read['c1']).toContain('It costs money.');
      },
    },
    {
      rule: 'the approval of the framework is skipped for a blocked call and for an input that does not fit the schema',
      needs: [can(BeforeToolCall, 'block'), can(PermissionRequest, 'block'), canPause],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, ({ callId }) => (callId === 'rome' ? block('Not Rome.') : proceed()));
        stage.hooks.on(PermissionRequest, ({ callId }) => block(`Not ${callId}.`));
        const wrong = { id: 'wrong', name: 'weather', arguments: { city: 42 } };
        const played = await playAsking(
          stage,
          calls(call('rome', 'weather', 'Rome'), call('oslo', 'weather', 'Oslo'), wrong),
        );
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(played.read).toMatchObject({ rome: 'Not Rome.', oslo: 'Not oslo.' });
        expect(played.read['wrong']).not.toBe('Not wrong.');
      },
    },
  ],
};

/** Remembers approved tools, as a provider with a store would. */
function rememberIn(hooks: Hooks, ...tools: readonly string[]): void {
  const remembered = new Set(tools);
  hooks.on(PermissionRequest, ({ toolName, by }) =>
    remembered.has(toolName) && by !== 'person'
      ? grantApproval('It was approved before.', { source: 'user_approved_tool' })
      : proceed(),
  );
  hooks.on(ToolApprovalDecision, ({ toolName, remember }) => {
    if (remember === 'always') remembered.add(toolName);
  });
}

/** A run in which the framework itself pauses for approval of each call. */
function playAsking(stage: Stage, script: readonly Step[]): Promise<Played> {
  const tools = [stage.tool('weather', undefined, { needsApproval: true })];
  return stage.play(script, { attach: { approval: 'native' }, tools }, { session: 's1' });
}

/** An approver that records its requests. */
function approver(answer: ApprovalAnswer) {
  const asked: ApprovalRequest[] = [];
  const approval = (request: ApprovalRequest): ApprovalAnswer => {
    asked.push(request);
    return answer;
  };
  return { asked, attach: { approval } };
}
