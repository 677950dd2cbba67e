import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  Stop,
  TransformToolResult,
  TurnEnd,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import type { ModelCall } from '@hooks/core/adapter';
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
import { type Holding, hookedModel, lostSetting } from '../model/hooked-model.ts';
import { otherModel } from '../model/other-model.ts';
import { type CallPatch, patchedRequest, prepareRequest, type StepSetup } from '../model/request.ts';
import type { Registries } from '../registries.ts';
import { isAssembled } from '../tool/assembly.ts';
import type { MastraRun } from './agent-run.ts';
import { processResults } from './client-results.ts';
import { processPrompt, processSent } from './prompt.ts';

/**
 * The processors of one run, ours around the user's: the first sees the prompt before any other. After all others, one
 * hooks the tools that they bring, one wraps the model, and one sees the final request. They have only the methods
 * that the registered hooks need, because each costs time.
 */
export function runProcessors(
  run: MastraRun,
  theirs: readonly InputProcessorOrWorkflow[],
): InputProcessorOrWorkflow[] {
  const needs = needsOf(run);
  const next: NextRequest = { step: {}, patch: {}, call: undefined };
  return [
    ...(needs.prompt || needs.step ? [firstProcessor(run, needs)] : []),
    ...(needs.results ? [resultsProcessor(run)] : []),
    ...theirs,
    ...(theirs.some(mayBringTools) ? [stepToolsProcessor(run)] : []),
    ...(needs.offer ? [offerProcessor(run)] : []),
    ...(needs.model ? [modelProcessor(run, needs, next)] : []),
    ...(needs.request || run.approvals.setup !== undefined ? [requestProcessor(run, needs, next)] : []),
  ];
}

/** The processors that the registered hooks need. */
interface Needs {
  /** The user's message, which events of the model's answer also contain. */
  readonly prompt: boolean;
  /** The results of tools that the messages of the run bring. */
  readonly results: boolean;
  /** The tools that the model is offered, which limit to what hooks may rename a call. */
  readonly offer: boolean;
  /** The start of a turn, before which the user may have sent more messages. */
  readonly step: boolean;
  /** The model itself, to wrap it. */
  readonly model: boolean;
  /** The request to the model. Any hook that may answer can contribute context or end the run. */
  readonly request: boolean;
  /** The model's answer. */
  readonly answer: boolean;
  readonly holding: Holding;
}

type ToolPoint = Parameters<Registries['decidesOfAnyTool']>[0];

function needsOf(run: MastraRun): Needs {
  const hears = (...points: Parameters<MastraRun['hears']>[0][]): boolean =>
    points.some((point) => run.hears(point));
  const answer = run.decides(AfterModelCall);
  const holds = run.hooked.holds(AfterModelCall);
  const prompt = hears(UserPromptSubmit, BeforeRun, AfterModelCall, Stop);
  const model = hears(BeforeRun, BeforeModelCall, AfterModelCall);
  const decidesOfTools = (point: ToolPoint): boolean =>
    [run.hooked, ...run.tools.registries].some((registries) => registries.decidesOfAnyTool(point));
  return {
    prompt,
    results: [TransformToolResult, AfterToolCall].some(decidesOfTools),
    offer: decidesOfTools(BeforeToolCall),
    model,
    answer,
    step: model || prompt || hears(TurnStart, TurnEnd),
    request: model || run.hooked.hooks.some((hooks) => hooks.list().some(({ verb }) => verb !== 'observe')),
    holding: holds ? 'held' : run.hears(AfterModelCall) ? 'passing' : 'unwatched',
  };
}

function resultsProcessor(run: MastraRun): InputProcessor {
  return { id: 'hooks-results', processInput: (args: ProcessInputArgs) => processResults(run, args) };
}

/** The state of the next model call. */
interface NextRequest {
  step: StepSetup;
  patch: CallPatch;
  call: ModelCall | undefined;
}

function firstProcessor(run: MastraRun, needs: Needs): InputProcessor {
  return {
    id: 'hooks',
    ...(needs.prompt && { processInput: (args: ProcessInputArgs) => processPrompt(run, args) }),
    ...(needs.step && {
      processInputStep: async (args: ProcessInputStepArgs): Promise<ProcessInputStepResult> => {
        if (needs.prompt) await processSent(run, args);
        const { stepNumber } = args;
        if (run.turn === undefined || run.iteration !== stepNumber + 1) {
          run.iteration = stepNumber; // the steps before it may have been made in another process
          await run.startTurn();
        }
        steer(run, args);
        const model = run.model && otherModel(await run.configuredModel(), run.model);
        return model === undefined ? {} : { model };
      },
    }),
    // One of the two is there, which the types cannot see.
  } as InputProcessor;
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

/** Hooks the tools that processors before it have put in place. */
function stepToolsProcessor(run: MastraRun): InputProcessor {
  return {
    id: 'hooks-tools',
    processInputStep: ({ tools = {} }: ProcessInputStepArgs): ProcessInputStepResult => {
      const brought = Object.entries(tools).filter(isBrought);
      const hooked = run.tools.hookStep(Object.fromEntries(brought));
      run.tools.noteIds({ ...tools, ...hooked });
      return brought.length === 0 ? {} : { tools: { ...tools, ...hooked } };
    },
  };
}

function isBrought(entry: [string, unknown]): entry is [string, object] {
  const [, tool] = entry;
  return typeof tool === 'object' && tool !== null && !isAssembled(tool);
}

/** Notes what each step offers. Where the model itself is wrapped, that tells more exactly, behind the hooks of its request. */
function offerProcessor(run: MastraRun): InputProcessor {
  return {
    id: 'hooks-offer',
    processInputStep: ({ tools, activeTools = tools && Object.keys(tools) }: ProcessInputStepArgs) => {
      if (activeTools !== undefined) run.offer(activeTools.map(modelName));
      return {};
    },
  };
}

function modelProcessor(run: MastraRun, { holding }: Needs, next: NextRequest): InputProcessor {
  return {
    id: 'hooks-model',
    processInputStep: (args: ProcessInputStepArgs): ProcessInputStepResult => {
      next.step = args;
      const model = hookedModel(args.model, holding, () => ({
        patch: next.patch,
        call: next.call ?? run.modelCall(args.model),
        offer: (tools) => run.offer(tools),
        refuse: (reason) => {
          run.refused = reason;
        },
      }));
      return { model };
    },
  };
}

function requestProcessor(run: MastraRun, needs: Needs, next: NextRequest): InputProcessor {
  return {
    id: 'hooks-request',
    processLLMRequest: async (args: ProcessLLMRequestArgs) => {
      const { prompt, model, abort, stepNumber } = args;
      if (run.stop !== undefined) abort(run.stop.reason);
      next.call = run.modelCall(
        { provider: model.provider, model: model.modelId },
        {
          refuse: (decision, event) =>
            event === 'answer' && needs.holding === 'passing' && decision.kind === 'modify'
              ? 'the answer was streamed already (`holdStream: false`)'
              : event === 'request'
                ? lostSetting(decision)
                : undefined,
        },
      );
      const prepared = await prepareRequest(next.call, next.step, args).catch((error: unknown) => {
        if (run.signal?.aborted !== true) throw error;
      });
      // The model does not send it. If the processor threw, Mastra would take the abort for an error and store nothing.
      if (prepared === undefined) return { prompt };
      if (prepared.kind === 'blocked') return abort(prepared.stop.reason);
      if (run.told?.iteration !== stepNumber)
        run.told = { iteration: stepNumber, text: prepared.context.join('\n\n') };
      const { text } = run.told;
      const request = patchedRequest(prompt, prepared, text === '' ? [] : [text]);
      next.patch = request.patch;
      return { prompt: request.prompt };
    },
    ...((needs.answer || run.approvals.setup !== undefined) && {
      processLLMResponse: ({ abort, chunks }: ProcessLLMResponseArgs) => {
        if (run.refused !== undefined) abort(run.refused);
        run.approvals.propose(chunks);
      },
    }),
  };
}
