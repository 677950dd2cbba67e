import type { ApprovalAnswer, ApprovalRequest, Begun } from '@hooks/core';
import { answerToolCall } from '@hooks/core/tool-call';
import type { CachedLLMStepChunk } from '@mastra/core/processors';
import type { StoredCall } from '../agent.ts';
import { argumentsOf, madeOf } from '../internals.ts';
import type { BegunCall } from '../run/run.ts';

/** A call that the model has made, and what came of it once Mastra has asked whether it needs approval. */
export interface ProposedCall extends BegunCall {
  readonly callId: string | undefined;
  readonly toolName: string;
  begun?: Begun | undefined;
  /** Set once Mastra has asked, which it does about several calls at a time. */
  beginning?: Promise<Pick<BegunCall, 'begun' | 'execution'>> | undefined;
}

/** The calls of a model's answers that have neither run nor been refused. */
export class ProposedCalls {
  #all: ProposedCall[] = [];

  /**
   * Notes the calls of a model's answer, with the names of the tools that the model calls by those or by their ids. Those
   * of an answer before it that nobody was asked about are over: they have run, or a processor has had it made again.
   */
  add(chunks: readonly CachedLLMStepChunk[], nameOf: (called: string) => string): void {
    this.#all = this.#all.filter(({ begun }) => begun !== undefined);
    for (const { type, payload } of chunks) {
      if (type !== 'tool-call') continue;
      const { toolCallId, toolName, args }: StoredCall = Object(payload);
      this.#all.push({
        callId: toolCallId,
        toolName: nameOf(String(toolName)),
        args: JSON.stringify(argumentsOf(args)),
      });
    }
  }

  forget(call: ProposedCall): void {
    this.#all = this.#all.filter((other) => other !== call);
  }

  /** Forgets them all: their session is over. */
  clear(): void {
    this.#all = [];
  }

  /** What is waited for: of these calls Mastra may be asking about some only after the others. */
  get requests(): readonly ApprovalRequest[] {
    return this.#all.flatMap(({ begun }) => (begun?.kind === 'ask' ? [begun.request] : []));
  }

  /** The call that Mastra asks about: of equal ones the first not asked about yet. */
  askedAbout(toolName: string, args: string): ProposedCall | undefined {
    const equal = this.#all.filter((one) => one.toolName === toolName && one.args === args);
    return equal.find(({ beginning }) => beginning === undefined) ?? equal[0];
  }

  /** The call that now runs, where Mastra has asked about it. */
  running(callId: string | undefined, toolName: string, input: unknown): ProposedCall | undefined {
    const args = JSON.stringify(input);
    // To what an agent as a tool is given Mastra adds the thread of its own.
    const extended = madeOf(toolName) === 'agent' && callId !== undefined;
    return this.#all.find(
      (one) =>
        one.toolName === toolName &&
        (one.args === args || (extended && one.callId === callId)) &&
        (one.callId ?? callId) === callId &&
        one.begun,
    );
  }

  /** The call that waits for a person's answer; without an id the first. */
  waiting(callId: string | undefined): ProposedCall | undefined {
    return this.#all.find(({ begun, callId: id }) => begun?.kind === 'ask' && (callId ?? id) === id);
  }

  /** The call of that id, as the model has written it. */
  written(callId: string): StoredCall | undefined {
    const call = this.#all.find((one) => one.callId === callId);
    return call && { toolCallId: callId, toolName: call.toolName, args: JSON.parse(call.args) };
  }

  /** A hook has ended the run beside calls that wait for a person: nobody is asked any more. */
  async cancel(reason: string): Promise<void> {
    for (const call of this.#all) await answered(call, canceled(reason));
  }
}

/** Whether a call runs with what the model wrote; to what an agent as a tool is given Mastra adds the thread of its own. */
export function runsAsWritten(toolName: string, input: unknown, args: unknown): boolean {
  const written: object = Object(args);
  const given = Object.entries(Object(input)).filter(([field]) => field in written);
  const runs: unknown = madeOf(toolName) === 'agent' ? Object.fromEntries(given) : input;
  return JSON.stringify(runs) === JSON.stringify(args);
}

/** Gives a call an answer, where it waits for one. */
export async function answered(
  call: ProposedCall,
  answer: Parameters<typeof answerToolCall>[1],
): Promise<Begun | undefined> {
  if (call.begun?.kind === 'ask') call.begun = await answerToolCall(call.begun.token, answer);
  return call.begun;
}

/** The answer to a call whose run a hook has ended. */
export function canceled(reason: string): ApprovalAnswer {
  return { decision: 'canceled', source: 'context_canceled', reason };
}
