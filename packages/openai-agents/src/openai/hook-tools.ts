import {
  type CallOptions,
  type ExecuteOptions,
  type Hooks,
  HooksError,
  markHooked,
  originalTool,
  type ToolCallOutcome,
} from '@hooks/core';
import { attachAdapter, concerns, warnOnce } from '@hooks/core/adapter';
import { type AskOuter, callTool, runNested } from '@hooks/core/tool-call';
import type { AttachOptions } from '../options.ts';
import { noteBlocked } from '../run/blocked.ts';
import { checkOf } from '../tool/schema.ts';
import { parseInput } from '../translate.ts';
import { callIdOf, type RunToolsRunner } from './call-id.ts';
import { runOf } from './run.ts';
import { type RunnableTool, runnableOf, withCallback } from './runnable.ts';
import { supports } from './supports.ts';

/** The SDK's own objects, as tool events carry them under `native`. */
export interface NativeRunToolsCall {
  readonly tool: object;
  /** What `runTools` gave. */
  readonly runner: object;
  readonly toolContext: unknown;
}

/**
 * Hooks a tool of `chat.completions.runTools`: one of `zodFunction`, or a function with or without `parse`. The tool
 * that was given is left as it is.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`, or `CONFIG_INVALID` for `approval: 'native'`, which this SDK does not have
 */
export function hookTool<T extends RunnableTool>(tool: T, hooks: Hooks, options: AttachOptions = {}): T {
  return hookTools([tool], hooks, options)[0] ?? tool;
}

/**
 * Hooks the tools of a `chat.completions.runTools`.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`, or `CONFIG_INVALID` for `approval: 'native'`, which this SDK does not have
 * @example
 * ```ts
 * const runner = client.chat.completions.runTools({
 *   model: 'gpt-5',
 *   messages: [{ role: 'user', content: 'Tidy up.' }],
 *   tools: hookTools([zodFunction({ name: 'shell', parameters, function: run })], hooks),
 * });
 * ```
 */
export function hookTools<T extends RunnableTool>(
  tools: readonly T[],
  hooks: Hooks,
  options: AttachOptions = {},
): T[] {
  const { approval, allowUnsupported } = options;
  if (approval === 'native')
    throw new HooksError(
      'CONFIG_INVALID',
      'The plain OpenAI SDK has no pause for approval: set `approval` to an approver, or to "deny".',
    );
  attachAdapter(hooks, {
    supports,
    tools: tools.flatMap((tool) => runnableOf(tool)?.name ?? []),
    ...(allowUnsupported && { allowUnsupported }),
  });
  const siblings = new Map<string, HookedTool>();
  return tools.map((tool) => {
    if (hookedTools.get(tool)?.isHookedBy(hooks)) return tool;
    const runnable = runnableOf(tool);
    if (runnable === undefined) return tool;
    const hooked = new HookedTool(tool, runnable, hooks, approval, siblings);
    siblings.set(runnable.name, hooked);
    const copy = withCallback(tool, hooked.parse, hooked.run);
    hookedTools.set(copy, hooked);
    return markHooked(copy, tool);
  });
}

const hookedTools: WeakMap<object, HookedTool> = new WeakMap();

/** What the SDK gives with a call; the id is known where other hooks have had the call before. */
interface Invocation {
  readonly runner: RunToolsRunner;
  readonly toolContext: unknown;
  readonly callId: string | undefined;
  /** The hooks that have had it before. */
  readonly outer?: AskOuter;
}

class HookedTool {
  readonly #tool: object;
  /** The same tool as other hooks have hooked it before. */
  readonly #inner: HookedTool | undefined;
  readonly #runnable: NonNullable<ReturnType<typeof runnableOf>>;
  readonly #hooks: Hooks;
  readonly #approval: CallOptions['approval'];
  readonly #siblings: ReadonlyMap<string, HookedTool>;

  constructor(
    tool: object,
    runnable: NonNullable<ReturnType<typeof runnableOf>>,
    hooks: Hooks,
    approval: CallOptions['approval'],
    siblings: ReadonlyMap<string, HookedTool>,
  ) {
    this.#tool = tool;
    this.#inner = hookedTools.get(tool);
    this.#runnable = runnable;
    this.#hooks = hooks;
    this.#approval = approval;
    this.#siblings = siblings;
  }

  /** Hooks are shown the arguments as the model wrote them; where none concerns the tool, it parses them itself. */
  readonly parse = async (raw: string): Promise<unknown> => {
    const { parse } = this.#runnable;
    return parse === undefined || this.#concerned ? raw : new Parsed(await parse(raw));
  };

  readonly run = (input: string | Parsed, runner: RunToolsRunner, toolContext: unknown): unknown => {
    if (input instanceof Parsed) return this.#runnable.callback(input.value, runner, toolContext);
    return this.take(input, { runner, toolContext, callId: undefined });
  };

  take(raw: string, invocation: Invocation): Promise<unknown> {
    return this.#concerned ? this.call(raw, invocation) : this.execute(raw, invocation);
  }

  isHookedBy(hooks: Hooks): boolean {
    return this.#hooks === hooks || (this.#inner?.isHookedBy(hooks) ?? false);
  }

  get #concerned(): boolean {
    return concerns(this.#hooks, this.#runnable.name);
  }

  async call(raw: string, { runner, toolContext, ...known }: Invocation): Promise<unknown> {
    const { name, description } = this.#runnable;
    const callId = known.callId ?? callIdOf(runner, name, raw);
    const invocation: Invocation = { runner, toolContext, callId };
    const approval = this.#approval;
    const through = (target: HookedTool, effective: unknown, running: ExecuteOptions, outer?: AskOuter) =>
      runNested(
        { running, approval, outer },
        effective === input ? undefined : { input: effective },
        (changed, asking) =>
          target.execute(changed === undefined ? raw : JSON.stringify(changed.input), {
            ...invocation,
            outer: asking,
          }),
      );
    const { session, run } = runOf(this.#hooks, runner);
    const input = parseInput(raw);
    const native: NativeRunToolsCall = { tool: this.#tool, runner, toolContext };
    const outcome = await callTool(
      this.#hooks,
      {
        session,
        run,
        toolName: name,
        callId,
        input,
        tool: {
          kind: 'function',
          ref: originalTool(this.#tool),
          ...(description !== undefined && { description }),
        },
        signal: runner.controller.signal,
        native,
      },
      (effective, running) => through(this, effective, running, known.outer),
      {
        check: this.check,
        approval,
        rename: (other) => {
          const target = this.#siblings.get(other);
          if (target === undefined) return `there is no tool "${other}" beside it`;
          return {
            check: target.check,
            // Those further out were not asked about that tool.
            execute: (effective, running) => through(target, effective, running),
          };
        },
      },
    );
    if (outcome.context.length > 0)
      warnOnce(
        this.#hooks,
        '@hooks/openai-agents/openai has no way to hand the context of hooks to a model.',
      );
    return settle(outcome, runner);
  }

  readonly check: NonNullable<CallOptions['check']> = async (input) => {
    if (this.#inner) return this.#inner.check(input);
    const { parse, parameters } = this.#runnable;
    if (parse === undefined) return checkOf(parameters)?.(input);
    try {
      await parse(typeof input === 'string' ? input : JSON.stringify(input));
      return undefined;
    } catch (error) {
      return { message: error instanceof Error ? error.message : String(error), error };
    }
  };

  async execute(raw: string, invocation: Invocation): Promise<unknown> {
    if (this.#inner) return this.#inner.take(raw, invocation);
    const { runner, toolContext } = invocation;
    const { parse, callback } = this.#runnable;
    return callback(parse === undefined ? raw : await parse(raw), runner, toolContext);
  }
}

/** The arguments of a call that no hook concerned when they were parsed. */
class Parsed {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

function settle(outcome: ToolCallOutcome, runner: RunToolsRunner): unknown {
  if (outcome.status === 'ok') return outcome.output;
  if (outcome.status === 'error') {
    // The SDK tells the model what is wrong with its arguments, and rejects with everything else.
    if (outcome.code === undefined) throw outcome.error;
    return outcome.error instanceof Error ? outcome.error.message : String(outcome.error);
  }
  const { reason = '', message = reason, stop } = outcome;
  if (stop) {
    noteBlocked(runner, reason);
    runner.abort();
  }
  return message;
}
