import {
  type ApprovalAnswer,
  type Approver,
  BeforeToolCall,
  block,
  type CallOptions,
  createHooks,
  type Execute,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  type ToolCall,
  type ToolCallOutcome,
} from '../../src/index.ts';
import { type AskOuter, callTool, runNested } from '../../src/tool-call/index.ts';

/** One of the registries around a tool, and who approves there. */
export interface Layer
  extends Pick<CallOptions, 'approval' | 'check' | 'isControlFlow'>,
    Pick<ToolCall, 'needsApproval'> {
  readonly hooks: Hooks;
}

/** What came of a call that all layers hook. */
export interface NestedOutcome {
  /** How the call ended in each layer that it came to, the outermost first. */
  readonly ended: readonly ToolCallOutcome[];
  /** What the tool was called with. */
  readonly ranWith: readonly unknown[];
}

/**
 * One call of the tool `exec`, with the input `ls`, through registries that know nothing of each other: each calls the
 * next, as an adapter has it, and the innermost calls the tool, which echoes unless told otherwise.
 *
 * @param layers the outermost first
 */
export async function callNested(
  layers: readonly Layer[],
  tool: Execute = (input) => input,
): Promise<NestedOutcome> {
  const ended: ToolCallOutcome[] = [];
  const ranWith: unknown[] = [];
  const enter = async (at: number, input: unknown, outer: AskOuter | undefined): Promise<unknown> => {
    const layer = layers[at];
    const execute: Execute = (effective, running) => {
      const changed = effective === input ? undefined : { input: effective };
      return runNested({ ...layer, running, outer }, changed, (left, ask) => {
        const next = left === undefined ? input : left.input;
        if (at + 1 < layers.length) return enter(at + 1, next, ask);
        ranWith.push(next);
        return tool(next, running);
      });
    };
    if (layer === undefined) throw new Error('no layer');
    const { hooks, needsApproval } = layer;
    const call = { session: hooks.session('s'), toolName: 'exec', callId: 'c', input, needsApproval };
    const outcome = await callTool(hooks, call, execute, layer);
    ended[at] = outcome;
    if (outcome.status === 'error') throw outcome.error;
    return outcome.status === 'ok' ? outcome.output : `refused: ${outcome.message}`;
  };
  await enter(0, 'ls', undefined).catch((error) => {
    // What ends no call is the framework's own.
    if (ended[0]?.error !== error || ended[0]?.status !== 'error') throw error;
  });
  return { ended, ranWith };
}

/** A registry whose guards note what they see. */
function registry(seen: string[], name: string): Hooks {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ input }) => (seen.push(`${name} ${input}`), proceed()));
  return hooks;
}

/** Three registries whose guards note what they see. */
export function registries(): {
  readonly seen: string[];
  readonly outer: Hooks;
  readonly between: Hooks;
  readonly inner: Hooks;
} {
  const seen: string[] = [];
  return {
    seen,
    outer: registry(seen, 'outer'),
    between: registry(seen, 'between'),
    inner: registry(seen, 'inner'),
  };
}

/** Registries as layers, the outermost first. */
export const layers = (...all: readonly (Hooks | Layer)[]): readonly Layer[] =>
  all.map((layer) => ('hooks' in layer ? layer : { hooks: layer }));

/** Puts an input in the place of any. */
export const sendTo = (hooks: Hooks, input: unknown): Disposable =>
  hooks.on(BeforeToolCall, () => modify({ input }));
/** Refuses one input. */
export const refuse = (hooks: Hooks, refused: unknown): Disposable =>
  hooks.guard(BeforeToolCall, ({ input }) => (input === refused ? block(`no ${refused}`) : proceed()), {
    id: 'no',
  });
/** Requires approval of one input. */
export const askOf = (hooks: Hooks, wanted: unknown): Disposable =>
  hooks.guard(BeforeToolCall, ({ input }) => (input === wanted ? requireApproval(`${wanted}?`) : proceed()));

/** Who answers by input, and the inputs that were shown. */
export function person(answers: { readonly [input: string]: ApprovalAnswer }): {
  readonly shown: unknown[];
  readonly approval: Approver;
} {
  const shown: unknown[] = [];
  const approval: Approver = ({ input }) => {
    shown.push(input);
    return answers[String(input)] ?? { decision: 'deny' };
  };
  return { shown, approval };
}
