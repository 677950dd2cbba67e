import {
  AfterModelCall,
  AfterToolCall,
  addContext,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  type HookDecision,
  type Hooks,
  type ModelMessage,
  type ModelResponse,
  type ModelTool,
  modify,
  proceed,
  retry,
  SessionStart,
  Stop,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { draw } from './draw.ts';
import { hooksFrom, type Kinds, type RandomHook, registerAt } from './random-hook.ts';

/** What a hook of a random conversation does. */
type ConversationAct =
  | { readonly kind: 'proceed' | 'throw' | 'context' }
  /** Changes only the model call with this number in its run. */
  | { readonly kind: 'exclaim' | 'withoutArchive'; readonly at: number }
  | { readonly kind: 'instructions'; readonly at: number; readonly text: string }
  /** Blocks prompts and runs that begin with a word, and model calls from a number on. */
  | { readonly kind: 'block'; readonly prompts: string; readonly from: number }
  /** Blocks answers of a kind. */
  | { readonly kind: 'blockAnswer'; readonly of: AnswerKind }
  /** Ends the run at the model call with this number or a later one. */
  | { readonly kind: 'stop'; readonly from: number }
  | { readonly kind: 'append'; readonly text: string }
  /** Applies to the whole run, or to the model call with this number. */
  | { readonly kind: 'temperature'; readonly at: number; readonly value: number }
  /** Replaces the model's answer by one with its number, with or without its calls. */
  | { readonly kind: 'respond'; readonly text: string; readonly calls: boolean }
  | { readonly kind: 'retry'; readonly below: number }
  /** Ends the run as blocked after this many continuations. */
  | { readonly kind: 'refuse'; readonly from: number };

/** An answer of the model: it calls a tool, or it is final. */
export type AnswerKind = 'call' | 'text';

/** A hook of a random conversation. */
export type ConversationHook = RandomHook<ConversationAct>;

/** The events that its hooks are registered on. */
type Point =
  | 'session'
  | 'prompt'
  | 'run'
  | 'turn'
  | 'beforeModel'
  | 'afterModel'
  | 'beforeTool'
  | 'afterTool'
  | 'stop';

const points: { readonly [At in Point]: object } = {
  session: SessionStart,
  prompt: UserPromptSubmit,
  run: BeforeRun,
  turn: TurnStart,
  beforeModel: BeforeModelCall,
  afterModel: AfterModelCall,
  beforeTool: BeforeToolCall,
  afterTool: AfterToolCall,
  stop: Stop,
};

/** A few runs with a random policy. */
export interface RandomConversation {
  /** Whether the runs share a session; otherwise each has its own. */
  readonly session: boolean;
  /** The prompts. Each begins with a different word. */
  readonly prompts: readonly string[];
  /** The model's answers to all calls of the session. After the last entry it answers with text. */
  readonly answers: readonly AnswerKind[];
  readonly hooks: { readonly [At in Point]: readonly ConversationHook[] };
  /** Whether hooks return promises. */
  readonly asynchronous: boolean;
}

/** The conversation with this seed. */
export function randomConversation(seed: number): RandomConversation {
  const drawn = draw(seed);
  const { random, below, oneOf } = drawn;
  const hooks = hooksFrom<ConversationAct>(drawn, 3, {
    proceed: () => ({ kind: 'proceed' }),
    throw: () => ({ kind: 'throw' }),
    context: () => ({ kind: 'context' }),
    exclaim: () => ({ kind: 'exclaim', at: 1 + below(2) }),
    withoutArchive: () => ({ kind: 'withoutArchive', at: 1 + below(2) }),
    block: () => ({ kind: 'block', prompts: oneOf(['First', 'Second', 'Third', '']), from: 1 + below(3) }),
    blockAnswer: () => ({ kind: 'blockAnswer', of: oneOf(['call', 'text']) }),
    stop: () => ({ kind: 'stop', from: 1 + below(5) }),
    append: () => ({ kind: 'append', text: ` ${oneOf(['please', 'quickly', 'today'])}` }),
    instructions: () => ({ kind: 'instructions', at: 1 + below(2), text: oneOf(['Be kind.', 'Be loud.']) }),
    temperature: () => ({ kind: 'temperature', at: 1 + below(2), value: oneOf([0.25, 0.5, 0.75]) }),
    respond: () => ({ kind: 'respond', text: oneOf(['alt', 'new']), calls: random() < 0.6 }),
    retry: () => ({ kind: 'retry', below: 1 + below(4) }),
    refuse: () => ({ kind: 'refuse', from: below(4) }),
  });
  const gate: Kinds<ConversationAct['kind']> = ['proceed', 'proceed', 'proceed', 'throw', 'block'];
  return {
    session: random() < 0.7,
    prompts: ['First, how is the weather?', 'Second, and now?', 'Third, and tomorrow?'],
    answers: Array.from({ length: below(8) }, () => oneOf(['call', 'call', 'text'])),
    hooks: {
      session: hooks('session', ['proceed', 'throw', 'context']),
      prompt: hooks('prompt', ['proceed', 'throw', 'block', 'append', 'append', 'context', 'context'], gate),
      run: hooks('run', ['proceed', 'throw', 'block', 'temperature'], gate),
      turn: hooks('turn', ['proceed', 'throw', 'context']),
      beforeModel: hooks(
        'before-model',
        [
          ...(['proceed', 'throw', 'block', 'context', 'context', 'instructions'] as const),
          ...(['exclaim', 'exclaim', 'withoutArchive', 'withoutArchive', 'temperature'] as const),
        ],
        gate,
      ),
      afterModel: hooks(
        'after-model',
        ['proceed', 'throw', 'blockAnswer', 'respond', 'respond', 'respond', 'retry', 'retry'],
        ['proceed', 'proceed', 'throw', 'blockAnswer'],
      ),
      beforeTool: hooks('before-tool', ['proceed', 'context', 'context', 'stop']),
      afterTool: hooks('after-tool', ['proceed', 'context', 'context', 'stop']),
      stop: hooks('stop', ['proceed', 'throw', 'retry', 'retry', 'refuse']),
    },
    asynchronous: random() < 0.5,
  };
}

/** Registers the hooks of a random conversation. */
export function registerConversation(hooks: Hooks, { hooks: all, asynchronous }: RandomConversation): void {
  for (const [at, point] of Object.entries(points))
    registerAt(hooks, point, all[at as Point], asynchronous, decisionOf);
}

/** The fields that hooks read, of all these events. */
interface Asked {
  readonly prompt?: string;
  readonly message?: string;
  readonly iteration?: number;
  readonly attempt?: number;
  readonly continuations?: number;
  readonly callId?: string;
  readonly messages?: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  readonly response?: ModelResponse | string;
}

function decisionOf(id: string, act: ConversationAct, event: Asked): HookDecision {
  if ('at' in act && event.iteration !== undefined && event.iteration !== act.at) return proceed();
  switch (act.kind) {
    case 'proceed':
      return proceed();
    case 'throw':
      throw new Error('out of order');
    case 'context':
      return addContext(`context-${id}.`);
    case 'exclaim':
      return modify({
        messages: (event.messages ?? []).map((one) =>
          one.role === 'user' ? { role: 'user', text: `${one.text}!` } : one,
        ),
      });
    case 'withoutArchive':
      return modify({ tools: (event.tools ?? []).filter(({ name }) => name !== 'archive') });
    case 'block': {
      const asked = event.prompt ?? event.message;
      const meant = asked === undefined ? (event.iteration ?? 0) >= act.from : asked.startsWith(act.prompts);
      return meant ? block(`refused by ${id}`) : proceed();
    }
    case 'blockAnswer':
      return answerKind(event.response) === act.of ? block(`refused by ${id}`) : proceed();
    case 'stop':
      return callNumber(event.callId) >= act.from ? block(`refused by ${id}`, { stop: true }) : proceed();
    case 'append':
      return modify({ prompt: `${event.prompt}${act.text}` });
    case 'instructions':
      return modify({ instructions: act.text });
    case 'temperature':
      return modify({ settings: { temperature: act.value } });
    case 'respond': {
      const { text, toolCalls } = Object(event.response) as ModelResponse;
      return modify({ response: { text: renamed(text, act.text), toolCalls: act.calls ? toolCalls : [] } });
    }
    case 'retry':
      return (event.continuations ?? event.attempt ?? 0) < act.below
        ? retry(reason(id, event.response))
        : proceed();
    case 'refuse':
      return (event.continuations ?? 0) >= act.from ? block(`refused by ${id}`) : proceed();
  }
}

function answerKind(response: Asked['response']): AnswerKind {
  return typeof response === 'object' && response.toolCalls.length > 0 ? 'call' : 'text';
}

/** A new text for an answer, with the same number. */
export function renamed(text: string, name: string): string {
  return `${name}${text.slice(3)}`;
}

/** The next user message when a hook continues the run. It differs each time. */
export function reason(id: string, response: ModelResponse | string = ''): string {
  return `more-${id}-${typeof response === 'string' ? response : response.text}`;
}

/** The id of the call in the model's answer with this number. */
export function callIdAt(asked: number): string {
  return `c${asked}`;
}

function callNumber(callId = 'c0'): number {
  return Number(callId.slice(1));
}
