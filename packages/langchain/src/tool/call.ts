import type { Approver, RenameTarget } from '@hooks/core';
import { isThenable } from '@hooks/core/adapter';
import { isControlFlow } from '../internals.ts';
import { attachedOf } from '../members.ts';
import { Execution, type ExecutionSite, type Start } from './execution.ts';
import { interceptBody } from './intercept.ts';
import { descriptor } from './result.ts';
import { checkOf } from './schema.ts';
import type { FindTool, HookableTool } from './tool.ts';

/** A tool call where it enters, at the outermost of the registries that hook it. */
export interface EnteringCall extends Omit<ExecutionSite, 'options'> {
  /** How LangGraph's pause approves the call, where a registry or `interruptOn` wants that. */
  readonly native: Approver | undefined;
  /** `interruptOn` lists the tool, so that the pause approves whatever the registries say. */
  readonly reviewed?: boolean;
  readonly find: FindTool | undefined;
  /** Runs a tool by the framework's own call. */
  readonly start: Start;
  /** What the framework gets in the place of an error; throws what ends the run. */
  readonly failed: (error: unknown) => unknown;
}

/** Takes a tool call through core's pipeline once, for all registries that hook it, and gives what the framework gets of it. */
export async function callHooked({
  native,
  reviewed = false,
  find,
  start,
  failed,
  ...site
}: EnteringCall): Promise<unknown> {
  const { members, run, call, tool } = site;
  const further = members.filter(({ hooks }) => run.registries.every((one) => one.hooks !== hooks));
  const options = {
    check: checkOf(tool),
    isControlFlow,
    // A requirement of the outermost registry is no business of an approver further in.
    approval: reviewed || members[0].options.approval === 'native' ? native : undefined,
    inner: attachedOf(further, run.approvers, native),
    rename: find && ((name: string) => renamed(name, find)),
  };
  const execution = new Execution({ ...site, options });
  /** The tool that a hook puts in the place of the one called. */
  const renamed = (name: string, among: FindTool): RenameTarget | string => {
    const target = among(name);
    if (typeof target === 'string') return target;
    const check = checkOf(target);
    return {
      tool: descriptor(target),
      ...(check !== undefined && { check }),
      execute: (input, running) => execution.execute(target, input, running, start),
    };
  };
  try {
    const outcome = await run.callTool(
      call,
      (input, running) => execution.execute(tool, input, running, start),
      options,
    );
    const answer =
      outcome.code === 'INVALID_INPUT'
        ? refuseInput(tool, call.input, start, outcome.error)
        : execution.settle(outcome);
    return isThenable(answer) ? await answer : answer;
  } catch (error) {
    await execution.fail(error);
    return failed(error);
  }
}

/** The framework's own answer to an input that its schema refuses; the tool itself cannot be reached. */
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
  return start(closed, input, (found) => found);
}
