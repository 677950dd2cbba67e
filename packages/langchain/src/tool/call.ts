import type { Approver, RenameTarget } from '@hooks/core';
import { isThenable } from '@hooks/core/adapter';
import type { Whereabouts } from '../config.ts';
import { isControlFlow } from '../internals.ts';
import { type Approvers, attachedOf } from '../registries.ts';
import { nativeRun } from '../run/run.ts';
import { Execution, type ExecutionSite, type Start } from './execution.ts';
import { interceptBody } from './intercept.ts';
import { descriptor } from './result.ts';
import { checkOf } from './schema.ts';
import type { FindTool, HookableTool } from './tool.ts';

/** A tool call where it enters. */
export interface EnteringCall extends Omit<ExecutionSite, 'options'> {
  /** Approves the call by LangGraph's pause, if a registry or `interruptOn` wants that. */
  readonly native: Approver | undefined;
  readonly approvers: Approvers;
  /** The config of the call. */
  readonly config: Whereabouts | undefined;
  /** `interruptOn` lists the tool, so that the pause approves the call whatever the registries' option. */
  readonly reviewed?: boolean;
  readonly find: FindTool | undefined;
  /** Runs a tool by the framework's own call. */
  readonly start: Start;
  /**
   * Turns an error into what the framework gets, or throws if it ends the run.
   *
   * @param refused the call did not run, because its input is invalid
   */
  readonly failed: (error: unknown, refused: boolean) => unknown;
}

/** Runs a tool call through core's pipeline, once for all registries, and returns what the framework gets. */
export async function callHooked({
  native,
  approvers,
  reviewed = false,
  config,
  find,
  start,
  failed,
  ...site
}: EnteringCall): Promise<unknown> {
  const { registries, run, tool } = site;
  const principal = registries.principalOfCall(run, nativeRun(config));
  const call = principal === undefined ? site.call : { ...site.call, principal };
  const options = {
    check: checkOf(tool),
    isControlFlow,
    // Where no registry says who approves.
    approval: reviewed ? native : undefined,
    // Those of the run again, because they have approvers for this call.
    inner: attachedOf(registries, approvers, { native, reviewed }),
    rename: find && ((name: string) => renamed(name, find)),
  };
  const execution = new Execution({ ...site, call, options });
  /** The tool that a hook renames the call to. */
  const renamed = (name: string, among: FindTool): RenameTarget | string => {
    const target = among(name, registries);
    if (typeof target === 'string') return target;
    return {
      tool: descriptor(target),
      check: checkOf(target),
      execute: (input, running) => execution.execute(target, input, running, start),
    };
  };
  try {
    const outcome = await run.callTool(
      call,
      (input, running) => execution.execute(tool, input, running, start),
      options,
    );
    if (outcome.code === 'INVALID_INPUT')
      return await refuseInput(tool, call.input, start, outcome.error).catch((error: unknown) =>
        failed(error, true),
      );
    const answer = execution.settle(outcome);
    return isThenable(answer) ? await answer : answer;
  } catch (error) {
    await execution.fail(error);
    return failed(error, false);
  }
}

/** The framework's own answer to an input that does not fit the schema. The tool cannot run. */
async function refuseInput(
  tool: HookableTool | undefined,
  input: unknown,
  start: Start,
  error: unknown,
): Promise<unknown> {
  const closed =
    tool &&
    interceptBody(tool, () => () => {
      throw error;
    });
  if (closed === undefined) throw error;
  return start(closed, input, () => closed);
}
