import type { CallOptions, ExecuteOptions, Hooks, ToolCall, ToolCallOutcome } from '@hooks/core';
import { hearsResult } from '@hooks/core/adapter';
import { withParentCall } from '../run/run.ts';
import { conclude, concludeUnrun, shownOf } from './answer.ts';
import { type Attempt, final, tried } from './attempt.ts';
import { Attempts, type Body, type Started } from './attempts.ts';
import { type Around, type Change, insideCall, interceptBody, tellChanged } from './intercept.ts';
import { isGenerator } from './result.ts';
import { runOnceMore } from './run-again.ts';
import { calledBy, type HookableTool, isHooked, type ToolBody } from './tool.ts';

/** What a call needs to know of its surroundings. */
export interface ExecutionSite {
  readonly hooks: Hooks;
  readonly call: ToolCall;
  /** The tool that was called, where the framework knows it. */
  readonly tool: HookableTool | undefined;
  readonly options: CallOptions;
  /** Other middleware may stand between us and the tool, and call it as it likes. */
  readonly between: boolean;
  /** What a tool yields or writes to the stream is held back until its result is decided on, where hooks may change that. */
  readonly holdStream: boolean;
}

/**
 * Runs a tool by the framework's own call.
 *
 * @param adopt where the tool is not known yet: makes of the one that is found what is to be called in its place
 */
export type Start = (tool: HookableTool | undefined, input: unknown, adopt?: Adopt) => unknown;

export type Adopt = (tool: HookableTool) => HookableTool;

type Verdict = ToolCallOutcome | Started;

/**
 * The executions of one tool call. Core decides on a result while the tool's own run is still open, so that a replaced
 * result is the only one there ever was: `execute` starts the tool and gives core what its function returned, while the
 * function's caller waits until `settle` says what it returned instead.
 */
export class Execution {
  readonly #site: ExecutionSite;
  #tool: HookableTool | undefined;
  /** The framework's own call, once it was started. */
  #calling: Promise<unknown> | undefined;
  #given: PromiseWithResolvers<unknown> | undefined;
  #raw: unknown;
  /** Whether hooks are told of the result: then it is decided on inside of the tool's own run. */
  #watched = true;
  /** Another input with which the hooks of a registry further in are about to have the function called. */
  #told: Change | undefined;
  /** What our hooks have made of the input, as those further out leave it. */
  #sent: Change | undefined;
  /** As the tool was found: with all that is around its function further out. */
  #found: HookableTool | undefined;
  /** Those that go on. */
  #attempts: Attempts | undefined;
  /** Whether the tool's own function was called. */
  #reached = false;
  #waiting: PromiseWithResolvers<Verdict> | undefined;
  #outcome: ToolCallOutcome | undefined;

  constructor(site: ExecutionSite) {
    this.#site = site;
  }

  /** The name of the tool that runs. */
  get #name(): string {
    return this.#tool?.name ?? this.#site.call.toolName;
  }

  /** For core: runs the tool once. On a Retry the function runs again inside the run that is open. */
  execute(
    tool: HookableTool | undefined,
    input: unknown,
    running: ExecuteOptions,
    start: Start,
  ): Promise<unknown> {
    const started: Started = { input, running };
    this.#tool = tool;
    const waiting = this.#waiting;
    if (waiting === undefined) {
      this.#watched = hearsResult(this.#site.hooks, this.#name);
      const called: Adopt = (found) => this.#called(found, started);
      this.#calling = Promise.resolve(
        tool === undefined ? start(tool, input, called) : start(called(tool), input),
      );
      if (!this.#watched) return this.#calling.then((raw) => this.#shown(raw));
      // Where the function is not reached (another middleware answers, the tool has an `invoke` of its own), the answer
      // of the whole call is the result.
      this.#calling.then(
        (raw) => this.#reached || this.#given?.resolve(raw),
        (error) => this.#given?.reject(error),
      );
    }
    this.#raw = undefined;
    this.#given = Promise.withResolvers();
    this.#waiting = undefined;
    waiting?.resolve(started);
    return this.#given.promise.then((raw) => this.#shown(raw));
  }

  /** The tool as the framework is to call it. */
  #called(found: HookableTool, started: Started): HookableTool {
    const { hooks, call, between } = this.#site;
    const tool = calledBy(hooks, found);
    this.#tool = tool;
    this.#found = found;
    if (started.input !== call.input) {
      this.#sent = { input: started.input };
      tellChanged(found, this.#sent);
    }
    if (!this.#watched && !between && !isHooked(tool)) return insideCall(tool, call.callId);
    const wrap = (body: ToolBody) => (args: unknown, manager: unknown, given: unknown) => {
      const config = withParentCall(given, call.callId);
      return this.#within(started, (writes, other) => {
        const input = other ? other.input : args;
        if (writes === undefined) return body(input, manager, config);
        return writes.around(() => body(input, writes.callbacks(manager), writes.config(config)));
      });
    };
    const changed = (change: Change): void => {
      this.#told = change;
    };
    const changedAgain: Around['changedAgain'] = async (change) => this.#attempts?.changed(change);
    const around: Around = Object.assign(wrap, { changed, changedAgain });
    return interceptBody(tool, around) ?? tool;
  }

  /** What hooks are shown of a raw result. */
  #shown(raw: unknown): unknown {
    this.#raw = raw;
    return shownOf(raw, this.#site.call.callId);
  }

  /** What the framework is to get of a call that is over. */
  settle(outcome: ToolCallOutcome): unknown {
    this.#outcome = outcome;
    const waiting = this.#waiting;
    const { call, tool } = this.#site;
    if (waiting === undefined)
      return this.#calling === undefined
        ? concludeUnrun(call, outcome, tool)
        : conclude(call, outcome, this.#raw, this.#tool);
    this.#waiting = undefined;
    waiting.resolve(outcome);
    return this.#calling;
  }

  /** Ends what is still open with the framework's own control flow. */
  async fail(error: unknown): Promise<void> {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
    await this.#calling?.catch(() => {});
  }

  /** Around the tool's function, inside its run. */
  #within({ input, running }: Started, body: Body): unknown {
    const sent = this.#sent;
    const first = this.#outcome === undefined && !this.#reached;
    const left = first && sent !== undefined && sent.input !== input ? sent : undefined;
    const attempts = new Attempts(this.#site, this.#tool, body, this.#told ?? left);
    this.#told = undefined; // the next call of the function may be one with what hooks were asked about
    this.#attempts = attempts;
    if (!first) return runOnceMore(this.#site, attempts, this.#found, sent !== undefined);
    this.#reached = true;
    return this.#watched ? this.#decided(attempts, running) : attempts.first(running);
  }

  async #decided(attempts: Attempts, running: ExecuteOptions): Promise<unknown> {
    let attempt = await tried(() => attempts.first(running));
    if ('output' in attempt && isGenerator(attempt.output)) return this.#stream(attempt.output, attempts);
    for (;;) {
      const verdict = await this.#ask(attempt);
      if (!('running' in verdict)) return attempts.returned(verdict, attempt, this.#raw);
      attempt = await tried(async () => final(await attempts.again(verdict), attempts.writes));
    }
  }

  /** A generator stays one; what it yields is passed on at once, or when its result stands. */
  async *#stream(
    first: AsyncGenerator<unknown, unknown>,
    attempts: Attempts,
  ): AsyncGenerator<unknown, unknown> {
    let chunks: unknown[] = [];
    let generator: unknown = first;
    for (;;) {
      const { writes } = attempts;
      let attempt: Attempt;
      chunks = [];
      try {
        if (!isGenerator(generator)) attempt = { output: generator };
        else if (writes !== undefined) attempt = { output: await final(generator, writes, chunks) };
        else attempt = { output: yield* generator };
      } catch (error) {
        attempt = { error };
      }
      const verdict = await this.#ask(attempt);
      if (!('running' in verdict)) {
        const result = await attempts.returned(verdict, attempt, this.#raw);
        if (result === this.#raw) yield* chunks;
        return result;
      }
      generator = await attempts.again(verdict);
    }
  }

  #ask(attempt: Attempt): Promise<Verdict> {
    if (this.#outcome !== undefined) throw new Error('The call was over before its tool was.');
    this.#waiting = Promise.withResolvers();
    if ('error' in attempt) this.#given?.reject(attempt.error);
    else this.#given?.resolve(attempt.output);
    return this.#waiting.promise;
  }
}
