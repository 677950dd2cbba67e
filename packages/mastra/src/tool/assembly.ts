import { HooksError, type ToolDescriptor } from '@hooks/core';
import { BlockedError, isBlockedError, isSameInput } from '@hooks/core/adapter';
import { isValidationError, type ToolHooks, type ValidationError } from '@mastra/core/tools';
import type { AnyAgent, RunOptions, Tools } from '../agent.ts';
import { askingAsNoted, asksByItself } from '../approval/own-approval.ts';
import { addedFields, assembles, type CoreTool, madeOf, replaceMethod, thrownByTool } from '../internals.ts';
import type { Registries } from '../registries.ts';
import { type HookedRun, inRun } from '../run/run.ts';
import { ReturnedError } from '../translate.ts';
import { type EnteringCall, enterCall, unconcerned } from './call.ts';
import { type CallContext, callIdOf } from './context.ts';
import { type CurrentCall, noteCall } from './current-call.ts';
import { isPause } from './execution.ts';
import { hookedTool } from './hook-tool.ts';
import type { RunTools } from './run-tools.ts';

/** A run of a hooked agent. */
export interface AgentCalls extends HookedRun {
  readonly by: { readonly agent: AnyAgent };
  readonly tools: RunTools;
  /** Whether another process paused it. Then nothing is known of its calls. */
  readonly restored: boolean;
  /** The options it was started with, as the user gave them. */
  readonly given: RunOptions;
  /** Whether models may answer what a call has paused for (`autoResumeSuspendedTools`). */
  readonly modelsAnswer: boolean;
  /** Stores its owner. Call it before Mastra stores that the run is paused. */
  storeOwner(): Promise<void>;
}

/** Finds the current record of the run, which may have been replaced since it paused. */
export type FindRun = () => AgentCalls | undefined;

const RUN = Symbol('@hooks/mastra run');

/** The user's native hooks, which identify the run where Mastra assembles its tools. */
export function withRun(theirs: ToolHooks, run: FindRun): ToolHooks {
  const beforeToolCall: ToolHooks['beforeToolCall'] = (call) => theirs.beforeToolCall?.(call);
  return { ...theirs, beforeToolCall: Object.assign(beforeToolCall, { [RUN]: run }) };
}

/** The run that native hooks belong to. */
export function runIn(native: ToolHooks | undefined): FindRun | undefined {
  const carrier: { readonly [RUN]?: FindRun } = Object(native?.beforeToolCall);
  return carrier[RUN];
}

const MADE_OF_COPY = Symbol('@hooks/mastra made of a hooked copy');
const SEEN = Symbol('@hooks/mastra seen');

/** Whether a tool of a run has passed through {@link hookAssembly}. */
export function isAssembled(tool: object): boolean {
  return has(tool, SEEN);
}

/**
 * Stands where Mastra puts the tools of a run together, inside of native hooks, so that no tool runs unhooked whatever has
 * started the run. A hooked copy is told what the model sent, and in which run; a tool that Mastra has made itself
 * (`agent-*`, `workflow-*`, memory, workspace, skills, a browser) is hooked here.
 *
 * @throws HooksError `CONFIG_INVALID` where this version of Mastra does it in another way
 */
export function hookAssembly(agent: AnyAgent, registries: Registries): void {
  if (!assembles(agent))
    throw new HooksError(
      'CONFIG_INVALID',
      `hookedAgent: this version of @mastra/core assembles the tools of the agent "${agent.name}" in a way that @hooks/mastra does not know, so some could run unhooked: use a version that the peer range of @hooks/mastra allows.`,
    );
  const listAssignedTools = agent.listAssignedTools.bind(agent);
  const listToolsets = agent.listToolsets.bind(agent);
  const wrapToolsWithHooks = agent.wrapToolsWithHooks.bind(agent);
  replaceMethod(agent, 'listAssignedTools', async (given) => {
    const tools = await listAssignedTools(given);
    for (const tool of Object.values(tools)) mark(tool, MADE_OF_COPY);
    return tools;
  });
  replaceMethod(agent, 'listToolsets', async (given) => {
    const sources: Tools = Object.assign({}, ...Object.values(given.toolsets ?? {}));
    const tools = await listToolsets(given);
    for (const [name, tool] of Object.entries(tools))
      if (hookedTool(sources[name] ?? {}) !== undefined) mark(tool, MADE_OF_COPY);
    return tools;
  });
  replaceMethod(agent, 'wrapToolsWithHooks', (tools, native) => {
    const run = runIn(native);
    const known = run?.()?.tools;
    known?.noteIds(tools);
    const seen: Record<string, CoreTool> = {};
    for (const [name, tool] of Object.entries(tools)) {
      const isCopy = has(tool, MADE_OF_COPY);
      if (!isCopy) known?.noteMade(name, tool);
      seen[name] = isCopy ? seenCopy(name, tool, registries, run) : hookedMade(name, tool, registries, run);
    }
    const wrapped = wrapToolsWithHooks(seen, native);
    for (const tool of Object.values(wrapped)) mark(tool, SEEN);
    return wrapped;
  });
}

/** A tool whose hooked copy is inside: the copy goes through the pipeline. */
function seenCopy(
  toolName: string,
  tool: CoreTool,
  registries: Registries,
  find: FindRun | undefined,
): CoreTool {
  const { execute } = tool;
  if (execute === undefined) return tool;
  return {
    ...tool,
    execute: async (input, context) => {
      const run = find?.();
      const hooked = run?.tools.get(toolName);
      const hooking = hooked?.setup.registries ?? registries;
      const isAnswered = hooking.concerns(toolName) && mayBeAnsweredByModel(run, context);
      const call: CurrentCall = {
        run,
        toolName,
        callId: callIdOf(context),
        input,
        isAnswered,
        reached: false,
      };
      noteCall(context, call);
      let output: unknown;
      try {
        output = await execute(input, context);
      } catch (error) {
        const thrown = thrownByTool(error);
        throw isBlockedError(thrown) ? thrown : error;
      }
      if (call.reached || !hooking.concerns(toolName)) return output;
      if (isValidationError(output)) {
        const descriptor = hooked?.descriptor ?? descriptorOf(toolName);
        const refused = {
          ...call,
          ...refusing(output),
          given: input,
          registries: hooking,
          context,
          descriptor,
        };
        return inRun(run, hooking, context, (within) => enterCall({ ...refused, run: within }));
      }
      const reason = `The result is withheld, because "${toolName}" did not run as the tool that is hooked.`;
      throw new BlockedError({ reason, toolName });
    },
  };
}

/**
 * Whether the answer that a call has paused for may be the model's: Mastra takes it from a field `resumeData` of the arguments.
 * One that is, although the program does not let models answer, is removed.
 */
function mayBeAnsweredByModel(run: AgentCalls | undefined, context: CallContext | undefined): boolean {
  if (
    context?.resumeData === undefined ||
    run?.approvals?.takesResumeData(callIdOf(context), context.resumeData)
  )
    return false;
  if (run === undefined || run.modelsAnswer) return true;
  context.resumeData = undefined;
  return false;
}

/** A call whose input Mastra has refused. */
function refusing(output: ValidationError): Pick<EnteringCall, 'attempt' | 'own'> {
  const error = new ReturnedError(output);
  return {
    attempt: () => Promise.reject(error),
    own: {
      check: async () => ({ message: output.message, error }),
      find: () => 'the input does not fit the tool',
    },
  };
}

/** A tool that Mastra created itself: it runs once, unchanged. */
function hookedMade(
  toolName: string,
  made: CoreTool,
  registries: Registries,
  find: FindRun | undefined,
): CoreTool {
  const tool = asksByItself(made) ? askingAsNoted(made) : made;
  const { execute } = tool;
  if (execute === undefined) return tool;
  return {
    ...tool,
    execute: async (input, context = {}) => {
      const callId = callIdOf(context);
      const known = find?.();
      // Needed even if no hook applies to this call: it may call other tools that hooks apply to.
      noteCall(context, { run: known, toolName, callId, input, isAnswered: false, reached: true });
      if (!registries.concerns(toolName)) {
        unconcerned(known, { callId, toolName, input }, context);
        return execute(input, context);
      }
      const isAnswered = mayBeAnsweredByModel(known, context);
      return inRun(known, registries, context, (run) =>
        enterCall({
          run,
          registries,
          toolName,
          callId,
          given: input,
          isAnswered,
          context,
          descriptor: descriptorOf(toolName),
          attempt: async (effective, execution) => {
            try {
              const { sent } = execution;
              return await execute(withAdded(toolName, effective, { given: input, sent }), execution.context);
            } catch (error) {
              throw isPause(error) ? error : thrownByTool(error);
            }
          },
        }),
      );
    },
  };
}

/** How hooks see a tool that Mastra has made itself. */
export function descriptorOf(toolName: string): ToolDescriptor {
  return { kind: madeOf(toolName) === 'agent' ? 'agent' : 'framework' };
}

/** The input as hooks have left it, and what Mastra has added to what was sent. The rest of what it gives may be another call's. */
function withAdded(
  toolName: string,
  effective: unknown,
  { given, sent }: { readonly given: unknown; readonly sent: unknown },
): unknown {
  if (isSameInput(effective, given)) return given;
  const added = addedFields(toolName, given, sent).map((field) => [field, Reflect.get(Object(given), field)]);
  if (added.length === 0 || typeof effective !== 'object' || Array.isArray(effective)) return effective;
  return { ...Object.fromEntries(added), ...effective };
}

/** Marks the function of a tool, so that a tool with another function has no mark. */
function mark({ execute }: CoreTool, as: symbol): void {
  if (execute !== undefined) Object.assign(execute, { [as]: true });
}

function has({ execute }: { readonly execute?: unknown }, as: symbol): boolean {
  return typeof execute === 'function' && as in execute;
}
