import type { CallOptions, Execute, FindTarget, RenameTarget } from '@hooks/core';
import type { RunToolCall } from '@hooks/core/adapter';
import type { Whereabouts } from '../config.ts';
import { isControlFlow } from '../internals.ts';
import { type Approvers, attachedOf } from '../registries.ts';
import { principalOf } from '../run/run.ts';
import { inside } from './answer.ts';
import { type ExecutionSite, execute, type Start } from './execution.ts';
import { interceptBody } from './intercept.ts';
import { descriptor } from './result.ts';
import { checkOf } from './schema.ts';
import { stepsOf } from './steps.ts';
import type { FindTool, FoundTool, HookableTool } from './tool.ts';

/** A tool call where it enters. */
export interface EnteringCall extends Omit<ExecutionSite, 'options'> {
  /** LangGraph's pause, if a registry or `interruptOn` wants that. */
  readonly pause: CallOptions['pause'];
  readonly approvers: Approvers;
  /** The config of the call. */
  readonly config: Whereabouts | undefined;
  readonly find: FindTool | undefined;
  /**
   * Turns an error into what the framework gets, or throws if it ends the run.
   *
   * @param refused the call did not run, because its input is invalid
   */
  readonly failed: (error: unknown, refused: boolean) => unknown;
  /** Resolves when the call may run, once hooks have decided. Rejects with the framework's control flow if its node has paused. */
  readonly ready?: (() => Promise<void>) | undefined;
}

/** Runs a tool call through core's pipeline, once for all registries, and returns what the framework gets. */
export async function callHooked({
  pause,
  approvers,
  config,
  find,
  failed,
  ready,
  ...site
}: EnteringCall): Promise<unknown> {
  const { registries, run, tool } = site;
  const principal = principalOf(registries, run, config);
  const call = principal === undefined ? site.call : { ...site.call, principal };
  const options = {
    check: checkOf(tool),
    isControlFlow,
    pause,
    // Those of the run again, because they have approvers for this call.
    inner: attachedOf(registries, approvers),
  };
  try {
    const first = await stepsOf(async (executing) => {
      const rename: FindTarget | undefined =
        find &&
        ((name) => {
          const found = find(name);
          return found && targetOf(found, Object(call.native), executing);
        });
      if (ready !== undefined && isNamed(call)) {
        const ask = typeof pause === 'function';
        const capabilities = { retry: true, route: true, ask, ...(rename && { rename }) };
        const begun = await run.beginTool(call, { ...options, capabilities, runsIn: 'callTool' });
        if (begun.kind === 'run') await ready();
      }
      return run.callTool(call, executing(tool), { ...options, rename });
    });
    if ('outcome' in first && first.outcome.code === 'INVALID_INPUT')
      return await refuseInput(tool, call.input, site.start, first.outcome.error, failed);
    return await execute({ ...site, call, options }, first);
  } catch (error) {
    return failed(error, false);
  }
}

function isNamed(call: RunToolCall): call is RunToolCall & { readonly callId: string } {
  return call.callId !== undefined;
}

/** The tool that a hook renames a call to, as core takes it. */
function targetOf(
  { tool, registries, unenforced, hooked }: FoundTool,
  native: object,
  executing: (tool: HookableTool) => Execute,
): RenameTarget {
  return {
    name: tool.name,
    tool: descriptor(tool),
    native: { ...native, tool },
    registries: registries.attached(),
    unenforced,
    hooked,
    check: checkOf(tool) ?? 'itself',
    execute: executing(tool),
  };
}

/** The framework's own answer to an input that does not fit the schema. The tool cannot run. */
async function refuseInput(
  tool: HookableTool | undefined,
  input: unknown,
  start: Start,
  error: unknown,
  failed: EnteringCall['failed'],
): Promise<unknown> {
  // An answer, where there can be one: LangChain's stream of a tool that throws rejects a promise that readers may not know.
  const refuse = async (): Promise<unknown> => inside(failed(error, true), tool);
  const closed = tool && interceptBody(tool, () => refuse);
  if (closed === undefined) return failed(error, true);
  try {
    return await start(closed, input, () => closed);
  } catch (thrown) {
    return failed(thrown, true);
  }
}
