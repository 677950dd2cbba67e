import {
  type Approver,
  type CallOptions,
  type Execute,
  type Hooks,
  HooksError,
  markHooked,
  originalTool,
  type ToolCallOutcome,
  type ToolDescriptor,
} from '@hooks/core';
import {
  Attachment,
  approverOption,
  blockReasonWith,
  errorText,
  noteBlocked,
  noteHookedAgain,
  type RunToolCall,
} from '@hooks/core/adapter';
import type { OptionChecks } from '@hooks/core/options';
import {
  type HookToolOptions as AgentsOptions,
  OF_TOOLS as OF_AGENTS_TOOLS,
  type Registries,
} from '../options.ts';
import { checkOf, notAnObject } from '../tool/schema.ts';
import { parseInput, writeInput } from '../translate.ts';
import { claimId, type RunToolsRunner, runOf } from './run.ts';
import { type Runnable, type RunnableTool, runnableOf, withCallback } from './runnable.ts';
import { supports } from './supports.ts';

/** Options of `hookTool` and `hookTools`. `principal` gets the context of a `runTools`. */
export interface HookToolOptions extends Omit<AgentsOptions, 'approval'> {
  /** Who approves calls for which a hook requires approval: an approver function, or nobody (`deny`, the default). */
  readonly approval?: 'deny' | Approver;
}

const OF_TOOLS: OptionChecks<HookToolOptions> = { ...OF_AGENTS_TOOLS, approval: approverOption };

/** `native` of tool events: the SDK's own objects. */
export interface NativeToolCall {
  readonly tool: object;
  /** The result of `runTools`. */
  readonly runner: object;
  readonly toolContext: unknown;
}

/**
 * Hooks a tool of `chat.completions.runTools`: one of `zodFunction`, or a function with or without `parse`. The tool
 * itself does not change.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`, or `CONFIG_INVALID` for `approval: 'native'`, which this SDK does not have
 */
export function hookTool<T extends RunnableTool>(tool: T, hooks: Hooks, options: HookToolOptions = {}): T {
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
  options: HookToolOptions = {},
): T[] {
  const approval: unknown = options.approval; // without types it may be that of the Agents SDK
  if (approval === 'native')
    throw new HooksError(
      'CONFIG_INVALID',
      'The plain OpenAI SDK has no pause for approval: set `approval` to an approver, or to "deny".',
    );
  const names = tools.flatMap((tool) => runnableOf(tool)?.name ?? []);
  const attached: Registries = Attachment.of(hooks, options, {
    of: 'hookTools',
    takes: OF_TOOLS,
    supports,
    tools: names,
  });
  const siblings = new Map<string, HookedTool>();
  return tools.map((tool) => {
    const known = hookedToolOf(tool);
    const runnable = known?.runnable ?? runnableOf(tool);
    const registries = attached.around(known?.registries ?? Attachment.none);
    if (known !== undefined && registries === known.registries) {
      siblings.set(known.runnable.name, known);
      return tool;
    }
    if (runnable === undefined) return tool;
    noteHookedAgain(known);
    const hooked = new HookedTool(tool, runnable, registries, siblings);
    siblings.set(runnable.name, hooked);
    const copy = withCallback(tool, hooked.parse, hooked.run);
    return markHooked(Object.defineProperty(copy, HOOKED, { value: hooked, configurable: true }), tool);
  });
}

const HOOKED = Symbol('hooks.tool');

function hookedToolOf(tool: object): HookedTool | undefined {
  return Reflect.get(tool, HOOKED);
}

class HookedTool {
  /** Runs the tool without hooks. */
  readonly runnable: Runnable;
  readonly registries: Registries;
  readonly #tool: object;
  readonly #siblings: ReadonlyMap<string, HookedTool>;

  constructor(
    tool: object,
    runnable: Runnable,
    registries: Registries,
    siblings: ReadonlyMap<string, HookedTool>,
  ) {
    this.runnable = runnable;
    this.registries = registries;
    this.#tool = tool;
    this.#siblings = siblings;
  }

  get #descriptor(): ToolDescriptor {
    return { kind: 'function', ref: originalTool(this.#tool), description: this.runnable.description };
  }

  /** Hooks are shown the arguments as the model wrote them. */
  readonly parse = (raw: string): string => raw;

  readonly run = async (raw: string, runner: RunToolsRunner, toolContext: unknown): Promise<unknown> => {
    const { name } = this.runnable;
    const input = parseInput(raw);
    const native: NativeToolCall = { tool: this.#tool, runner, toolContext };
    const principal = this.registries.principal(toolContext);
    const call: RunToolCall = {
      toolName: name,
      principal,
      callId: claimId(runner, name, raw),
      input,
      tool: this.#descriptor,
      native,
    };
    const inner = this.registries.attached();
    const [outermost] = inner;
    if (outermost === undefined) return this.#execute(raw, runner, toolContext);
    const run = runOf(runner, outermost.hooks, principal);
    const through =
      (target: HookedTool): Execute =>
      (effective) =>
        target.#execute(writeInput(effective, raw), runner, toolContext);
    const outcome = await run.callTool(call, through(this), {
      inner,
      check: this.check,
      rename: (other) => {
        const target = this.#siblings.get(other);
        if (target === undefined) return `there is no tool "${other}" beside it`;
        return {
          name: other,
          tool: target.#descriptor,
          native: { ...native, tool: target.#tool },
          registries: target.registries.attached(),
          unenforced: undefined,
          hooked: target,
          check: target.check,
          execute: through(target),
        };
      },
    });
    if (outcome.context.length > 0)
      run.warnOnce('@hooks/openai-agents/openai has no way to hand the context of hooks to a model.');
    return settle(outcome, runner);
  };

  readonly check: NonNullable<CallOptions['check']> = async (input) => {
    const { name, parse, parameters } = this.runnable;
    const isConcerned = this.registries.concerns(name);
    // A parser of the tool's own may read fields in a text in which hooks would see none.
    const unread = isConcerned ? notAnObject(input) : undefined;
    if (unread !== undefined) return unread;
    // The SDK checks nothing by itself.
    if (parse === undefined) return isConcerned ? checkOf(parameters)?.(input) : undefined;
    try {
      await parse(typeof input === 'string' ? input : JSON.stringify(input));
      return undefined;
    } catch (error) {
      return { message: errorText(error), error };
    }
  };

  async #execute(raw: string, runner: RunToolsRunner, toolContext: unknown): Promise<unknown> {
    const { parse, callback } = this.runnable;
    return callback(parse === undefined ? raw : await parse(raw), runner, toolContext);
  }
}

function settle(outcome: ToolCallOutcome, runner: RunToolsRunner): unknown {
  if (outcome.status === 'ok') return outcome.output;
  if (outcome.status === 'error') {
    // The SDK tells the model what is wrong with its arguments, and rejects with everything else.
    if (outcome.code === undefined) throw outcome.error;
    return errorText(outcome.error);
  }
  const { reason = '', message = reason, stop } = outcome;
  if (stop) {
    noteBlocked(runner, reason);
    runner.abort();
  }
  return message;
}

/** Why a hook ended a `runTools`; undefined if none did. */
export const blockReason: (runnerOrError: unknown) => string | undefined = blockReasonWith(() => undefined);
