import { isDeepStrictEqual } from 'node:util';
import {
  AfterModelCall,
  AfterToolCall,
  BeforeExecute,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
} from '@hooks/core';
import type { ModelCall, RequestPatch } from '@hooks/core/adapter';
import { changedPrompt, lostSetting } from '@hooks/language-model';
import type {
  InputProcessor,
  InputProcessorOrWorkflow,
  ProcessInputArgs,
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMRequestArgs,
  ProcessLLMResponseArgs,
} from '@mastra/core/processors';
import type { RunOptions } from '../agent.ts';
import { modelName } from '../internals.ts';
import { type Holding, hookedModel } from '../model/hooked-model.ts';
import { otherModel } from '../model/other-model.ts';
import { requestOf, type StepSetup } from '../model/request.ts';
import { isAssembled } from '../tool/assembly.ts';
import type { MastraRun } from './agent-run.ts';
import { processResults } from './client-results.ts';
import { processPrompt, processSent } from './prompt.ts';

/**
 * The processors of one run, ours around the user's: the first sees the prompt before any other, and the last the tools and
 * the model that the others have put in place, and the final request. Each step does what the hooks need that are registered
 * when it begins.
 */
export function runProcessors(
  run: MastraRun,
  theirs: readonly InputProcessorOrWorkflow[],
): InputProcessorOrWorkflow[] {
  const mayBring = theirs.some(mayBringTools);
  return [firstProcessor(run), ...theirs, lastProcessor(run, mayBring)];
}

/** What the registered hooks need of a step. */
interface Needs {
  /** Tools that the user's processors may bring, or the limits of what hooks may rename a call to. */
  readonly tools: boolean;
  /** The model itself, to wrap it. */
  readonly model: boolean;
  /** The request to the model. Any hook that may answer can contribute context or end the run. */
  readonly request: boolean;
  /** The model's answer. Mastra then starts no tool before it is complete. */
  readonly answer: boolean;
  readonly holding: Holding;
}

/** The events of a tool call. */
const OF_CALLS = [
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  BeforeExecute,
  TransformToolResult,
  AfterToolCall,
];

function needsOf(run: MastraRun, mayBring: boolean): Needs {
  const hears = (...points: Parameters<MastraRun['hears']>[0][]): boolean =>
    points.some((point) => run.hears(point));
  const all = [run.hooked, ...run.tools.registries];
  const { isOn } = run.approvals;
  const model = hears(BeforeRun, BeforeModelCall, AfterModelCall);
  const unheld = hears(AfterModelCall) ? 'passing' : 'unwatched';
  return {
    // The processors that a memory has, or Mastra adds, may bring tools, too.
    tools: mayBring || OF_CALLS.some((point) => all.some((registries) => registries.hearsOfAnyTool(point))),
    model,
    request: model || run.hooked.decidesAnything || isOn,
    answer: run.decides(AfterModelCall) || isOn,
    holding: run.hooked.holds(AfterModelCall) ? 'held' : unheld,
  };
}

function firstProcessor(run: MastraRun): InputProcessor {
  return {
    id: 'hooks',
    processInput: async (args: ProcessInputArgs) =>
      processResults(run, { ...args, messages: await processPrompt(run, args) }),
    processInputStep: async (args: ProcessInputStepArgs): Promise<ProcessInputStepResult> => {
      await processSent(run, args);
      const { stepNumber } = args;
      if (run.turn === undefined || run.iteration !== stepNumber + 1) {
        run.iteration = stepNumber; // the steps before it may have been made in another process
        await run.startTurn();
      }
      steer(run, args);
      const model = run.model && otherModel(await run.configuredModel(), run.model);
      return model === undefined ? {} : { model };
    },
  };
}

/** Puts the reason of a Stop hook behind the answer that it would not have, which is a message of its own from now on. */
function steer(run: MastraRun, { messageList, rotateResponseMessageId }: ProcessInputStepArgs): void {
  if (run.steer === undefined) return;
  rotateResponseMessageId?.();
  messageList.add({ role: 'user', content: run.steer }, 'input');
  run.steer = undefined;
}

type PrepareStep = NonNullable<RunOptions['prepareStep']>;

/**
 * `prepareStep` of the run as the processor that Mastra makes of it, so that ours can come after it: hooks would not see
 * what it puts in place (a model, tools). Processors cannot give a workspace, so that is left to be given as `prepareStep`.
 */
export function preparedStep(prepareStep: PrepareStep): {
  readonly processor: InputProcessor;
  readonly rest: PrepareStep;
} {
  let given: unknown;
  const processor = {
    id: 'prepare-step',
    processInputStep: async (args: ProcessInputStepArgs) => (given = await prepareStep(args)),
    // Mastra makes the same of it; only the types of the two results differ.
  } as InputProcessor;
  const rest = (): ProcessInputStepResult => {
    // The types of `prepareStep` do not tell of it.
    const { workspace }: { readonly workspace?: unknown } = Object(given);
    return workspace === undefined ? {} : ({ workspace } as ProcessInputStepResult);
  };
  return { processor, rest };
}

/** Whether a processor may put tools in place for a step. Of a workflow of processors it cannot be seen. */
export function mayBringTools(processor: InputProcessorOrWorkflow): boolean {
  return 'processInputStep' in processor || 'createRun' in processor;
}

/** A request as hooks left it. */
interface HookedRequest {
  readonly call: ModelCall;
  readonly patch: RequestPatch;
  /** Its prompt. Undefined for the one that Mastra has. */
  readonly prompt?: ProcessLLMRequestArgs['prompt'];
  /** The context in it. */
  readonly context?: string | undefined;
}

/** The state of the next model call. */
interface NextRequest {
  step: StepSetup;
  /** Asks hooks about its request. */
  ask: (() => Promise<HookedRequest>) | undefined;
  /** The request that Mastra sends first. If that fails, Mastra sends it again without its processors. */
  first: HookedRequest | undefined;
  isSent: boolean;
}

function lastProcessor(run: MastraRun, mayBring: boolean): InputProcessor {
  const next: NextRequest = { step: {}, ask: undefined, first: undefined, isSent: false };
  // Not before it is needed: where a processor has this method, Mastra starts no tool before an answer is complete.
  const refuse = (reason: string): void => {
    run.refused = reason;
    Object.assign(processor, responseMethod(run));
  };
  const processor = {
    id: 'hooks-last',
    processInputStep: (args: ProcessInputStepArgs): ProcessInputStepResult => {
      const needs = needsOf(run, mayBring);
      const { tools, model, holding } = needs;
      // Mastra looks in each step which of these methods a processor has, and runs the step differently for it.
      for (const method of ['processLLMRequest', 'processLLMResponse'])
        Reflect.deleteProperty(processor, method);
      Object.assign(processor, modelMethods(run, needs, next));
      if (!tools && !model) return {};
      next.step = { ...args, ...hookedTools(run, args) };
      const { activeTools, tools: offered } = next.step;
      // Where the model is wrapped, that tells more exactly, behind the hooks of its request.
      if (offered !== undefined) run.offer((activeTools ?? Object.keys(offered)).map(modelName));
      return {
        ...(offered !== args.tools && { tools: offered }),
        ...(model && { model: modelOf(run, args, holding, next, refuse) }),
      };
    },
  };
  return processor;
}

/** The methods of the last processor for the model call of a step. */
function modelMethods(run: MastraRun, { request, answer, holding }: Needs, next: NextRequest): object {
  return {
    ...(request && {
      processLLMRequest: (args: ProcessLLMRequestArgs) => sendRequest(run, args, holding, next),
    }),
    ...(answer && responseMethod(run)),
  };
}

function responseMethod(run: MastraRun): Pick<InputProcessor, 'processLLMResponse'> {
  return {
    processLLMResponse: ({ abort, chunks }: ProcessLLMResponseArgs) => {
      if (run.refused !== undefined) abort(run.refused);
      run.approvals.propose(chunks);
    },
  };
}

/** The tools of a step, with those hooked that processors have put in place. */
function hookedTools(run: MastraRun, { tools }: ProcessInputStepArgs): Pick<StepSetup, 'tools'> {
  const brought = Object.entries(tools ?? {}).filter(isBrought);
  const all = { ...tools, ...run.tools.hookStep(Object.fromEntries(brought)) };
  run.tools.noteIds(all);
  return brought.length === 0 ? {} : { tools: all };
}

function isBrought(entry: [string, unknown]): entry is [string, object] {
  const [, tool] = entry;
  return typeof tool === 'object' && tool !== null && !isAssembled(tool);
}

function modelOf(
  run: MastraRun,
  { model }: ProcessInputStepArgs,
  holding: Holding,
  next: NextRequest,
  refuse: (reason: string) => void,
): ProcessInputStepArgs['model'] {
  const rules = { offer: (tools: readonly string[]) => run.offer(tools), refuse };
  return hookedModel(model, holding, async (prompt) => {
    const { first = { call: run.modelCall(model), patch: {} }, ask, isSent } = next;
    next.isSent = true;
    if (!isSent || ask === undefined) return { call: first.call, patch: first.patch, ...rules };
    const again = run.stop === undefined ? repeated(run, first, await ask(), prompt) : first;
    return { ...again, stop: run.stop, ...rules };
  });
}

/**
 * A request that Mastra repeats after a failure. It repeats the prompt that it got from hooks the first time, perhaps with its own
 * instructions for structured output.
 */
function repeated(
  run: MastraRun,
  first: HookedRequest,
  again: HookedRequest,
  prompt: unknown,
): HookedRequest {
  if (prompt === first.prompt || run.stop !== undefined) return again;
  if (!isDeepStrictEqual(first.prompt, again.prompt)) run.endBy({ reason: CHANGED_AGAIN });
  return { call: again.call, patch: again.patch };
}

const CHANGED_AGAIN =
  'Hooks changed a request that is repeated after a failure in another way than the first time, and Mastra has added its instructions for structured output to that one. Make the same change each time, or set `modelSettings: { maxRetries: 0 }`.';

async function sendRequest(
  run: MastraRun,
  args: ProcessLLMRequestArgs,
  holding: Holding,
  next: NextRequest,
): Promise<Pick<ProcessLLMRequestArgs, 'prompt'>> {
  const { prompt, abort } = args;
  if (run.stop !== undefined) abort(run.stop.reason);
  next.ask = () => hookedRequest(run, args, holding, next.step);
  next.first = undefined;
  next.isSent = false;
  try {
    next.first = await next.ask();
  } catch (error) {
    if (run.signal?.aborted !== true) throw error;
    // The model does not send it. If the processor threw, Mastra would take the abort for an error and store nothing.
    return { prompt };
  }
  // It is set where hooks refuse the request, too.
  const { stop }: Pick<MastraRun, 'stop'> = run;
  if (stop !== undefined) return abort(stop.reason);
  run.told = next.first.context;
  return { prompt: next.first.prompt ?? prompt };
}

/** Asks hooks about a request. If they refuse it, the run has the stop. */
async function hookedRequest(
  run: MastraRun,
  args: ProcessLLMRequestArgs,
  holding: Holding,
  step: StepSetup,
): Promise<HookedRequest> {
  const { prompt, model } = args;
  const call = run.modelCall(
    { provider: model.provider, model: model.modelId },
    {
      refuse(decision, event) {
        if (event === 'request') return lostSetting(decision);
        const isLate = holding === 'passing' && decision.kind === 'modify';
        return isLate ? 'the answer was streamed already (`holdStream: false`)' : undefined;
      },
    },
  );
  const prepared = await call.prepare(() => requestOf(step, args));
  if (prepared.kind === 'blocked') return { call, patch: {} };
  const { patch, context } = prepared;
  const { instructions, messages } = patch;
  const told = context.length === 0 ? [] : [context.join('\n\n')];
  const changed = changedPrompt(prompt, { instructions, messages, context: told });
  return { call, patch, prompt: changed, context: told[0] };
}
