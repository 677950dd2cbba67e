import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  MaxIterations,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  Stop,
  SubagentStart,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import type { Script } from '../model-server/index.ts';
import { can, canPause, type Need } from '../need.ts';
import { askWeather, call, callOf, calls } from '../scenarios/script.ts';
import type { Stage } from '../stage.ts';

/** A conversation whose events are the same in all adapters. */
export interface Conversation {
  readonly name: string;
  /** The cells that an adapter has to support for it. */
  readonly needs: readonly Need[];
  /** Fields that differ between frameworks. */
  readonly leaveOut?: readonly string[];
  readonly play: (stage: Stage) => Promise<unknown>;
}

const approval = can(BeforeToolCall, 'modify.approval');

/** Conversations that together fire every event that all frameworks have. */
export const conversations: readonly Conversation[] = [
  {
    name: 'a tool call and an answer',
    needs: [],
    play: (stage) => stage.play(askWeather),
  },
  {
    name: 'two runs in one session',
    needs: [],
    async play(stage) {
      const actor = await stage.agent([{ text: 'Sunny.' }, { text: 'Rainy.' }]);
      await actor.run({ session: 's1' });
      await actor.run({ session: 's1', prompt: 'And now?' });
    },
  },
  {
    name: 'two parallel calls, one of them blocked',
    needs: [can(BeforeToolCall, 'block')],
    play(stage) {
      stage.hooks.on(BeforeToolCall, ({ callId }) => (callId === 'rome' ? block('Not Rome.') : proceed()));
      return stage.play(calls(call('rome', 'weather', 'Rome'), call('oslo', 'weather', 'Oslo')));
    },
  },
  {
    name: 'a changed input and output, and a Retry',
    needs: [
      can(BeforeToolCall, 'modify.input'),
      can(AfterToolCall, 'retry'),
      can(TransformToolResult, 'modify.output'),
    ],
    play(stage) {
      stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
      stage.hooks.on(TransformToolResult, ({ attempt }) => modify({ output: `attempt ${attempt}` }));
      stage.hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('once more') : proceed()));
      return stage.play(askWeather);
    },
  },
  {
    name: 'a tool that throws',
    needs: [],
    play(stage) {
      const tool = stage.tool('weather', () => {
        throw new Error('The sensor has an error.');
      });
      return stage.play(askWeather, { tools: [tool] });
    },
  },
  {
    name: 'an approver that denies',
    needs: [approval, can(PermissionRequest)],
    play(stage) {
      stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
      const attach = { approval: () => ({ decision: 'deny', reason: 'Too dear.' }) as const };
      return stage.play(askWeather, { attach });
    },
  },
  {
    name: 'a pause and an approval',
    needs: [approval, canPause],
    async play(stage) {
      stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
      const actor = await stage.agent(askWeather, { attach: { approval: 'native' } });
      await actor.run({ session: 's1' });
      await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }]);
    },
  },
  {
    name: 'a pause and a denial',
    needs: [approval, canPause],
    async play(stage) {
      stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
      const actor = await stage.agent(askWeather, { attach: { approval: 'native' } });
      await actor.run({ session: 's1' });
      await actor.resume('s1', [{ callId: 'c1', decision: 'deny', reason: 'Too dear.' }]);
    },
  },
  {
    name: 'a blocked prompt',
    needs: [can(UserPromptSubmit, 'block')],
    play(stage) {
      stage.hooks.on(UserPromptSubmit, () => block('Not today.'));
      return stage.play(askWeather);
    },
  },
  {
    name: 'a model and settings that a hook selects',
    needs: [can(BeforeRun, 'modify.model'), can(BeforeRun, 'modify.settings')],
    play(stage) {
      stage.hooks.on(BeforeRun, () => modify({ model: 'smaller', settings: { temperature: 0.25 } }));
      return stage.play([{ text: 'Done.' }]);
    },
  },
  {
    name: 'a blocked model call',
    needs: [can(BeforeModelCall, 'block')],
    play(stage) {
      stage.hooks.on(BeforeModelCall, () => block('The budget is spent.'));
      return stage.play(askWeather);
    },
  },
  {
    name: 'a Retry of an answer',
    needs: [can(AfterModelCall, 'retry')],
    play(stage) {
      stage.hooks.on(AfterModelCall, ({ attempt }) => (attempt === 1 ? retry('be polite') : proceed()));
      return stage.play([{ text: 'You fool.' }, { text: 'You peach.' }]);
    },
  },
  {
    name: 'a Stop that continues the agent',
    needs: [can(Stop, 'retry')],
    play(stage) {
      stage.hooks.on(Stop, ({ continuations }) =>
        continuations === 0 ? retry('Give the source.') : proceed(),
      );
      return stage.play([{ text: 'Sunny.' }, { text: 'Sunny, says the radio.' }]);
    },
  },
  {
    name: 'a Stop that ends the run as blocked',
    needs: [can(Stop, 'block')],
    play(stage) {
      stage.hooks.on(Stop, () => block('The tests are red.'));
      return stage.play([{ text: 'Done.' }]);
    },
  },
  {
    name: 'a Block that ends the run',
    needs: [can(BeforeToolCall, 'block')],
    play(stage) {
      stage.hooks.on(BeforeToolCall, () => block('That is enough.', { stop: true }));
      return stage.play(askWeather);
    },
  },
  {
    name: 'a model that fails',
    needs: [],
    play: (stage) => stage.play([{ status: 400, error: 'No credit.' }]),
  },
  {
    name: 'the limit of iterations',
    needs: [can(MaxIterations)],
    play(stage) {
      let id = 0;
      return stage.play(() => ({ toolCalls: [call(`c${++id}`, 'weather', 'Rome')] }), { maxIterations: 2 });
    },
  },
  {
    name: 'an abort while a tool runs',
    needs: [],
    play(stage) {
      const abort = new AbortController();
      const tool = stage.tool('weather', () => {
        abort.abort();
        throw abort.signal.reason;
      });
      return stage.play(askWeather, { tools: [tool] }, { signal: abort.signal });
    },
  },
  {
    name: 'a sub-agent',
    leaveOut: ['instructions', 'messages', 'input', 'modelInput', 'output', 'tool', 'response'],
    needs: [can(SubagentStart)],
    async play(stage) {
      const sub = {
        name: 'meteorologist',
        description: 'Knows the weather.',
        instructions: 'You are the meteorologist.',
        tools: [stage.tool('weather')],
      };
      const script: Script = (request) => {
        const inside = request.system.includes('meteorologist');
        if (request.messages.some(({ role }) => role === 'tool'))
          return { text: inside ? 'Sunny.' : 'Done.' };
        const toolCall = inside
          ? call('inner', 'weather', 'Rome')
          : callOf(request, 'meteorologist', 'outer');
        return { toolCalls: [toolCall] };
      };
      const actor = await stage.agent(script, { subagents: [sub], tools: [] });
      await actor.run({ session: 's1' });
    },
  },
];
