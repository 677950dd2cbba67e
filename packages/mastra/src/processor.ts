import type { Hooks } from '@hooks/core';
import type {
  InputProcessor,
  ProcessInputArgs,
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMRequestArgs,
  ProcessLLMResponseArgs,
} from '@mastra/core/processors';
import type { AgentRun } from './agent-run.ts';
import { hookedModel } from './hooked-model.ts';
import { beforeModelCall, type CallPatch } from './model-call.ts';
import { withSystemText } from './model-translate.ts';
import { Needs } from './needs.ts';
import type { HookedOptions } from './options.ts';
import { processPrompt, processSent } from './prompt.ts';
import { startTurn } from './turn.ts';

/** Mastra's processors for one run: ours stand around the user's. */
export interface RunProcessors {
  readonly first?: InputProcessor;
  readonly last?: InputProcessor;
}

/**
 * The processors of one run: the first sees the prompt before any other, the last what the model will really be asked.
 * They have only the methods that the registered hooks need, since each costs time and one that reads answers keeps
 * Mastra from starting tools while the model is still speaking.
 */
export function runProcessors(hooks: Hooks, options: HookedOptions, run: AgentRun): RunProcessors {
  const needs = new Needs(hooks, options);
  return {
    ...((needs.prompt || needs.step) && { first: firstProcessor(hooks, run, needs) }),
    ...((needs.request || needs.model || run.approvals) && { last: lastProcessor(hooks, run, needs) }),
  };
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

function lastProcessor(hooks: Hooks, run: AgentRun, needs: Needs): InputProcessor {
  let step: Pick<ProcessInputStepArgs, 'tools' | 'modelSettings'> = {};
  let patch: CallPatch = {};
  return {
    id: 'hooks-model',
    ...(needs.model && {
      processInputStep: (args: ProcessInputStepArgs): ProcessInputStepResult => {
        step = args;
        return { model: hookedModel(hooks, run, args.model, needs.holding, () => patch) };
      },
    }),
    processLLMRequest: async (args: ProcessLLMRequestArgs) => {
      if (run.stop !== undefined) args.abort(run.stop);
      const asked = needs.before
        ? await beforeModelCall(hooks, run, step, args)
        : { prompt: args.prompt, patch: {} };
      patch = { ...asked.patch, settings: { ...run.settings, ...asked.patch.settings } };
      const texts = told(run, args.stepNumber + 1);
      return { prompt: texts.length === 0 ? asked.prompt : withSystemText(asked.prompt, texts.join('\n\n')) };
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
function told(run: AgentRun, turn: number): readonly string[] {
  if (run.told?.turn !== turn) run.told = { turn, texts: run.session.takeContext(run.id) };
  return run.told.texts;
}
