import type { Attached, RenameTarget } from '@hooks/core';
import { isThenable } from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';
import { markFrom } from '../blocked.ts';
import type { HookedRun } from '../run/run.ts';
import { Execution, type ExecutionSite, type Start } from './execution.ts';
import { interceptBody } from './intercept.ts';
import { descriptor, isControlFlow } from './result.ts';
import { checkOf } from './schema.ts';
import type { FindTool, HookableTool, Member } from './tool.ts';

/** A tool call where it enters, at the outermost of the registries that hook it. */
export interface EnteringCall extends Omit<ExecutionSite, 'options' | 'registries'> {
  /** The registries as core takes them; they are those of `members`. */
  readonly registries: readonly Attached[];
  readonly find: FindTool | undefined;
  readonly run: HookedRun | undefined;
  /** Runs a tool by the framework's own call. */
  readonly start: Start;
  /** What the framework gets in the place of an error; throws what ends the run. */
  readonly failed: (error: unknown) => unknown;
}

/** Takes a tool call through core's pipeline once, for all registries that hook it, and gives what the framework gets of it. */
export async function callHooked({ find, run, start, failed, ...site }: EnteringCall): Promise<unknown> {
  const { registries, call, tool } = site;
  const options = {
    check: checkOf(tool),
    isControlFlow,
    rename: find && ((name: string) => renamed(name)),
  };
  const execution = new Execution({ ...site, options });
  /** The tool that a hook puts in the place of the one called. */
  const renamed = (name: string): RenameTarget | string => {
    const target = find?.(name) ?? 'the tool cannot be changed here';
    if (typeof target === 'string') return target;
    const check = checkOf(target);
    return {
      tool: descriptor(target),
      ...(check !== undefined && { check }),
      execute: (input, running) => execution.execute(target, input, running, start),
    };
  };
  try {
    const outcome = await callTool(
      registries,
      call,
      (input, running) => execution.execute(tool, input, running, start),
      options,
    );
    if (outcome.stop && run !== undefined) run.stopped = markFrom(outcome);
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

/** The registries in the list, each once; the first of a registry counts. */
export function membersOf(...lists: readonly (readonly Member[])[]): readonly Member[] {
  if (lists.every((list, index) => index === 0 || list.length === 0)) return lists[0] ?? [];
  const members = new Map<Member['hooks'], Member>();
  for (const member of lists.flat()) if (!members.has(member.hooks)) members.set(member.hooks, member);
  return [...members.values()];
}
