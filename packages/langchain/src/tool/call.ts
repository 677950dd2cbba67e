import type { FindTarget } from '@hooks/core';
import type { RunToolCall } from '@hooks/core/adapter';
import {
  checkWaitsFor,
  type NativeApproval,
  nativeApproval,
  type PausableCall,
} from '../approval/approval.ts';
import type { NodeCall } from '../approval/node-calls.ts';
import { idOfItsOwn, type Review } from '../approval/review.ts';
import { parentCall, type Whereabouts } from '../config.ts';
import { isControlFlow } from '../internals.ts';
import type { NativeToolCall } from '../options.ts';
import { type Approvers, attachedOf } from '../registries.ts';
import { principalOf } from '../run/run.ts';
import { inside } from './answer.ts';
import { type Executing, Execution, type ExecutionSite, type Start } from './execution.ts';
import { interceptBody, originalOf } from './intercept.ts';
import { descriptor } from './result.ts';
import { checkOf } from './schema.ts';
import type { FindTool, HookableTool } from './tool.ts';

/** A tool call where it enters. */
export interface EnteringCall
  extends Pick<ExecutionSite, 'run' | 'registries' | 'tool' | 'between' | 'start'> {
  /** The call as the model made it. */
  readonly about: Pick<RunToolCall, 'toolName' | 'callId' | 'input'>;
  readonly native: NativeToolCall;
  /** The state of the graph, or the input of its node. */
  readonly state: unknown;
  /** The config of its node, and that of the call itself. */
  readonly config: Whereabouts | undefined;
  readonly place: Whereabouts;
  /** Whether LangGraph's pause may ask a person, or a person has answered. */
  readonly pauses: boolean;
  readonly review?: () => Promise<Review | undefined>;
  readonly runEnds?: PausableCall['runEnds'];
  readonly node?: NodeCall | undefined;
  /** What came of the call before its node paused. */
  readonly before?: () => Promise<unknown> | undefined;
  readonly approvers: Approvers;
  readonly find: FindTool | undefined;
  /**
   * Turns an error into what the framework gets, or throws if it ends the run.
   *
   * @param refused the call did not run, because its input is invalid
   */
  readonly failed: (error: unknown, refused: boolean) => unknown;
}

/** Runs a tool call through core's pipeline, once for all registries, and returns what the framework gets. */
export async function callHooked(entering: EnteringCall): Promise<unknown> {
  const { registries, run, tool, about, native, config, place, node, before, ...rest } = entering;
  const { callId } = about;
  const principal = principalOf(registries, run, place);
  await checkWaitsFor(principal, callId, { run, registries, config, node });
  const { pause, ...said }: Partial<NativeApproval> = rest.pauses
    ? await nativeApproval({
        registries,
        run,
        call: { ...about, callId: idOfItsOwn(callId, rest.state) }, // only an answer has to name the call
        config,
        principal,
        review: await rest.review?.(),
        runEnds: rest.runEnds,
        node,
      })
    : {};
  const known = before?.();
  if (known !== undefined) return known;
  if (callId !== undefined && said.resumed?.decision === 'deny') run.pending.forget(callId);
  const call: RunToolCall = {
    ...about,
    ...said,
    agent: run.agent,
    tool: tool && descriptor(originalOf(tool)),
    parentCallId: parentCall(config),
    signal: place.signal,
    native,
    ...(principal && { principal }),
  };
  const options = {
    check: checkOf(tool),
    isControlFlow,
    pause,
    // Those of the run again, because they have approvers for this call.
    inner: attachedOf(registries, rest.approvers),
  };
  const { between, start, find, failed } = rest;
  try {
    const execution = new Execution(
      { run, registries, tool, call, options, between, start },
      async (executing) => {
        const rename = find && renaming(find, native, executing);
        if (node !== undefined && isNamed(call)) {
          const ask = typeof pause === 'function';
          const capabilities = { retry: true, route: true, ask, ...(rename && { rename }) };
          const begun = await run.beginTool(call, { ...options, capabilities, runsIn: 'callTool' });
          if (begun.kind === 'run') await node.ready();
        }
        return run.callTool(call, executing(tool), { ...options, rename });
      },
    );
    return await execution.answer((error) => refuseInput(tool, call.input, start, error, failed));
  } catch (error) {
    return failed(error, false);
  }
}

function isNamed(call: RunToolCall): call is RunToolCall & { readonly callId: string } {
  return call.callId !== undefined;
}

/** Finds the tool that a hook renames a call to, as core takes it. */
function renaming(find: FindTool, native: NativeToolCall, executing: Executing): FindTarget {
  return (name) => {
    const { tool, registries, unenforced, hooked } = find(name) ?? {};
    return (
      tool &&
      registries && {
        name: tool.name,
        tool: descriptor(tool),
        native: { ...native, tool },
        registries: registries.attached(),
        unenforced,
        hooked,
        check: checkOf(tool),
        execute: executing(tool),
      }
    );
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
