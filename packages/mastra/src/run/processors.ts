import type { Hooks } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import type {
  InputProcessor,
  InputProcessorOrWorkflow,
  ProcessInputArgs,
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMRequestArgs,
  ProcessLLMResponseArgs,
} from '@mastra/core/processors';
import { hookedModel } from '../model/hooked-model.ts';
import { beforeModelCall, type CallPatch, type StepSetup } from '../model/request.ts';
import { withSystemText } from '../model/translate.ts';
import type { HookedOptions } from '../options.ts';
import type { ToolBelt } from '../tool/belt.ts';
import { mayBringTools, stepToolsProcessor } from '../tool/step-tools.ts';
import type { AgentRun } from './agent-run.ts';
import { Needs } from './needs.ts';
import { processPrompt, processSent } from './prompt.ts';
import { startTurn } from './turn.ts';

/** Where a processor of ours stands: around the user's, and where hooks nest, around those of the inner hooks. */
type Place = 'first' | 'tools' | 'model' | 'request';

const places: WeakMap<InputProcessorOrWorkflow, Place> = new WeakMap();

/**
 * The processors of one run, ours around the user's: the first sees the prompt before any other; behind all others one
 * hooks the tools that they bring along, one stands around the model, and one sees what it will really be asked. They have only the methods that the registered
 * hooks need, since each costs time and one that reads answers keeps Mastra from starting tools while the model is still
 * speaking.
 *
 * @param given those of the user, and those that hooks which were attached later have put around them
 * @param belt the hooked tools of the run
 */
export function runProcessors(
  { hooks, settings }: { readonly hooks: Hooks; readonly settings: HookedOptions },
  run: AgentRun,
  given: readonly InputProcessorOrWorkflow[],
  belt: ToolBelt,
): InputProcessorOrWorkflow[] {
  const needs = new Needs(hooks, settings);
  const call: ModelCall = { step: {}, patch: {} };
  const theirs = given.filter((one) => !places.has(one));
  const outer = (place: Place) => given.filter((one) => places.get(one) === place);
  const inner = (place: Place, needed: unknown, make: () => InputProcessor): readonly InputProcessor[] => {
    if (!needed) return [];
    const processor = make();
    places.set(processor, place);
    return [processor];
  };
  return [
    ...outer('first'),
    ...inner('first', needs.prompt || needs.step, () => firstProcessor(hooks, run, needs)),
    ...theirs,
    ...inner('tools', theirs.some(mayBringTools), () => stepToolsProcessor(belt)),
    ...outer('tools'),
    // The first to stand around the model stands closest to it.
    ...inner('model', needs.model, () => modelProcessor(hooks, run, needs, call)),
    ...outer('model'),
    ...outer('request'),
    ...inner('request', needs.request || needs.model || run.approvals, () =>
      requestProcessor(hooks, run, needs, call),
    ),
  ];
}

/** What is known of the model call that is next. */
interface ModelCall {
  step: StepSetup;
  patch: CallPatch;
}

function firstProcessor(hooks: Hooks, run: AgentRun, needs: Needs): InputProcessor {
  return {
    id: 'hooks',
    ...(needs.prompt && { processInput: (args: ProcessInputArgs) => processPrompt(hooks, run, args) }),
    ...(needs.step && {
      processInputStep: async (args: ProcessInputStepArgs): Promise<ProcessInputStepResult> => {
        if (needs.prompt) await processSent(hooks, run, args);
        await startTurn(hooks, run, args.stepNumber + 1);
        steer(run, args);
        return run.model === undefined ? {} : { model: run.model };
      },
    }),
    // One of the two is there, which the types cannot see.
  } as InputProcessor;
}

/** Puts the reason of a Stop hook behind the answer that it would not have, which is a message of its own from now on. */
function steer(run: AgentRun, { messageList, rotateResponseMessageId }: ProcessInputStepArgs): void {
  if (run.steer === undefined) return;
  rotateResponseMessageId?.();
  messageList.add({ role: 'user', content: run.steer }, 'input');
  run.steer = undefined;
}

function modelProcessor(hooks: Hooks, run: AgentRun, needs: Needs, call: ModelCall): InputProcessor {
  return {
    id: 'hooks-model',
    processInputStep: (args: ProcessInputStepArgs): ProcessInputStepResult => {
      call.step = args;
      return { model: hookedModel(hooks, run, args.model, needs.holding, () => call.patch) };
    },
  };
}

function requestProcessor(hooks: Hooks, run: AgentRun, needs: Needs, call: ModelCall): InputProcessor {
  return {
    id: 'hooks-request',
    processLLMRequest: async (args: ProcessLLMRequestArgs) => {
      if (run.stop !== undefined) args.abort(run.stop);
      const asked = needs.before
        ? await beforeModelCall(hooks, run, call.step, args)
        : { prompt: args.prompt, patch: {} };
      call.patch = { ...asked.patch, settings: { ...run.settings, ...asked.patch.settings } };
      const text = told(hooks, run, args.stepNumber + 1);
      return { prompt: text === '' ? asked.prompt : withSystemText(asked.prompt, text) };
    },
    ...((needs.answer || run.approvals) && {
      processLLMResponse: ({ abort, chunks }: ProcessLLMResponseArgs) => {
        if (run.refused !== undefined) abort(run.refused);
        run.approvals?.propose(chunks);
      },
    }),
  };
}

/** What the model is told beside the prompt, once for each model call and again where that is repeated. */
function told(hooks: Hooks, run: AgentRun, turn: number): string {
  if (run.told?.turn !== turn)
    run.told = { turn, text: takeContext(hooks, run.session, run.id).join('\n\n') };
  return run.told.text;
}
