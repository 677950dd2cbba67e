import { type Hooks, Stop } from '@hooks/core';
import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages';
import type { AfterAgentHook, BeforeAgentHook } from 'langchain';
import { finalRefusal, markOf } from '../blocked.ts';
import type { AgentHookOptions } from '../options.ts';
import { common, endTurn } from './events.ts';
import { promptsIn, submitPrompt } from './prompt.ts';
import { continuationId, runFor } from './run.ts';

interface NodeSeat {
  readonly hooks: Hooks;
  readonly options: AgentHookOptions;
  readonly owner: object;
}

/** Submits the prompt of a run that was not started with it through the adapter's agent; its history takes it back, if blocked. */
export function promptNode({ hooks, owner }: NodeSeat): BeforeAgentHook<undefined, unknown> {
  return {
    canJumpTo: ['end'],
    hook: async ({ messages }, runtime) => {
      const run = runFor(hooks, owner, runtime, messages);
      if (run.parent !== undefined) return undefined;
      const { state, refused } = await submitPrompt(
        hooks,
        run,
        { messages },
        { model: {}, signal: runtime.signal, prompts: promptsIn },
      );
      if (refused !== undefined) {
        run.refused = refused;
        run.over = true;
        const removed = promptsIn(messages).flatMap((index) => {
          const id = messages[index]?.id;
          return id === undefined ? [] : [new RemoveMessage({ id })];
        });
        return { jumpTo: 'end', messages: [...removed, finalRefusal(refused)] };
      }
      const submitted: readonly BaseMessage[] = Reflect.get(Object(state), 'messages');
      const changed = submitted.filter((message, index) => message !== messages[index]);
      return changed.length === 0 ? undefined : { messages: changed };
    },
  };
}

/**
 * Asks `Stop` when the agent has finished, and ends the turn of its last answer; a Retry goes on with its reason as the
 * next user message.
 */
export function stopNode({ hooks, options, owner }: NodeSeat): AfterAgentHook<undefined, unknown> {
  const { maxContinuations = 3 } = options;
  return {
    canJumpTo: ['model'],
    hook: async ({ messages }, runtime) => {
      const last = messages.at(-1);
      const run = runFor(hooks, owner, runtime, messages);
      if (!AIMessage.isInstance(last) || markOf(last) !== undefined) {
        await endTurn(hooks, run, 'normal');
        return undefined;
      }
      const { continuations, lastUserMessage } = run;
      const decision = await hooks.dispatch(
        Stop,
        {
          ...common(run),
          response: last.text,
          continuations,
          ...(lastUserMessage !== undefined && { lastUserMessage }),
        },
        { signal: runtime.signal },
      );
      const goesOn = decision.kind === 'retry' && continuations < maxContinuations;
      await endTurn(hooks, run, goesOn ? 'continue' : 'normal');
      if (!goesOn) return undefined;
      run.continuations++;
      run.lastUserMessage = decision.reason;
      const next = new HumanMessage({ content: decision.reason, id: continuationId(run) });
      return { jumpTo: 'model', messages: [next] };
    },
  };
}
