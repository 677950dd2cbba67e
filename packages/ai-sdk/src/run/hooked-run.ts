import { AsyncLocalStorage } from 'node:async_hooks';
import { AfterModelCall, type ToolCall } from '@hooks/core';
import {
  AgentRun,
  type AgentRunOptions,
  type ModelCall,
  type ModelCallOptions,
  type NamedModel,
  NO_APPROVER,
} from '@hooks/core/adapter';
import { parsed } from '@hooks/language-model';
import type { Registries } from '../options.ts';
import type { ContentPart, StreamPart, ToolOptions } from '../sdk.ts';
import { isIterable } from '../tool/parts.ts';

/** The input that a model sent. The SDK passes on only the parsed form. */
export interface SentCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerExecuted?: boolean | undefined;
}

/** One hooked run of an agent, `generateText` or `streamText`. */
export class HookedRun extends AgentRun {
  readonly hookedBy: Registries;
  /** The calls of the last answer, in its order. */
  sent: SentCall[] = [];
  readonly #refused: Set<string> = new Set();
  /** The ids of the calls that wait for people, by those of their requests. */
  readonly requests: Map<string, string> = new Map();
  /**
   * What people have said through the SDK to calls, by their ids. It counts until the next model call.
   */
  readonly answers: Map<string, Pick<ToolCall, 'resumed' | 'approvalId'>> = new Map();
  /** The calls for which the messages have an approval that nobody can vouch for. */
  readonly unproven: Set<string> = new Set();
  /** What the SDK passed to the tools that are running, by call id. */
  readonly calling: Map<string, ToolOptions> = new Map();
  /** Whether calls of its tools may wait for a person. */
  asksPeople = false;

  constructor(hookedBy: Registries, options: AgentRunOptions) {
    super(hookedBy.attached(), options);
    this.hookedBy = hookedBy;
  }

  /** Why no person can be asked about a call that runs, here or in the client. */
  whyNoPause(callId: string | undefined, place: 'here' | 'client' = 'here'): string {
    return callId !== undefined && this.unproven.has(callId) ? UNPROVEN : CANNOT_PAUSE[place];
  }

  /** Whether streamed answers pass before hooks have decided. */
  get passes(): boolean {
    return !this.hookedBy.holds(AfterModelCall);
  }

  /** Whether hooks can pause a call through the SDK. Only a run that its user resumes can. */
  get pauses(): boolean {
    return this.parent === undefined && this.hookedBy.isNative;
  }

  /** The registries that hook the calls of a tool in this run. */
  registriesOf(tool: { readonly own: Registries } | undefined): Registries {
    return tool === undefined ? this.hookedBy : this.hookedBy.around(tool.own);
  }

  /** Each answer of a model is one of its own: also where the SDK asks again after a stream broke. */
  override modelCall(model: NamedModel, options?: ModelCallOptions): ModelCall {
    this.forgetCalls();
    return super.modelCall(model, options);
  }

  /** Forgets the calls of the last answer. */
  forgetCalls(): void {
    this.sent = [];
    this.#refused.clear();
  }

  /** Frees what a run does not need that is paused or over. When it resumes, the prompts come again. */
  shrink(): void {
    this.forgetCalls();
    this.answers.clear();
    this.unproven.clear();
    this.lastUserMessage = undefined;
  }

  /** Whether several calls of the last answer have this id. The SDK looks calls up by id, and would confuse them. */
  isRepeated(callId: string): boolean {
    return this.sent.filter(({ toolCallId }) => toolCallId === callId).length > 1;
  }

  /** A call of the last answer was refused because another one has its id. */
  noteRefused(callId: string): void {
    this.#refused.add(callId);
  }

  hasRefused(callId: string): boolean {
    return this.#refused.has(callId);
  }

  /** Stores a call that the model made. */
  note(part: ContentPart | StreamPart): void {
    if (part.type !== 'tool-call') return;
    const { toolCallId, toolName, input, providerExecuted } = part;
    this.sent.push({ toolCallId, toolName, input: parsed(input), providerExecuted });
  }
}

const UNPROVEN =
  'that in the messages is neither signed nor known to this process: set `experimental_toolApprovalSecret`';

const CANNOT_PAUSE = {
  here: `${NO_APPROVER} to an approver: a call inside a tool cannot pause the run`,
  client: `${NO_APPROVER} to an approver: the AI SDK cannot pause the run for a call that its client runs`,
};

/** Where a tool's code runs: its run and its call. */
export interface Place {
  readonly run: HookedRun;
  readonly callId: string;
}

// The SDK does not tell a tool's code, or what that calls, which run it belongs to.
const storage: AsyncLocalStorage<Place> = new AsyncLocalStorage();

/** The call inside which this is run, if there is one. */
export function currentPlace(): Place | undefined {
  return storage.getStore();
}

/** Runs the code of a tool. */
export function inPlace<T>(place: Place, act: () => T): T {
  return storage.run(place, act);
}

/**
 * The same for a tool whose result goes to the SDK as it is: some of its code may run only when the result is read.
 *
 * @param over is called when none of its code runs any more
 */
export function inPlaceUntilRead(
  place: Place,
  act: () => unknown,
  over: () => Promise<void> = async () => {},
): unknown {
  let result: unknown;
  try {
    result = inPlace(place, act);
  } catch (error) {
    void over();
    throw error;
  }
  return isIterable(result) ? read(place, result, over) : inPlace(place, async () => result).finally(over);
}

async function* read(
  place: Place,
  result: AsyncIterable<unknown>,
  over: () => Promise<void>,
): AsyncGenerator<unknown> {
  const iterator = inPlace(place, () => result[Symbol.asyncIterator]());
  const next = () => inPlace(place, () => iterator.next());
  let done: boolean | undefined = false;
  try {
    for (let part = await next(); !part.done; part = await next()) yield part.value;
    done = true;
  } catch (error) {
    done = true;
    throw error;
  } finally {
    // Whoever reads has left.
    if (!done) await inPlace(place, () => iterator.return?.());
    await over();
  }
}
