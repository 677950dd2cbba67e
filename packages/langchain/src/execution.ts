import {
  BeforeToolCall,
  type CallOptions,
  type Hooks,
  type ToolCall,
  type ToolCallOutcome,
} from '@hooks/core';
import { decidesResult, hearsResult } from '@hooks/core/adapter';
import { answerToolCall, beginToolCall, callTool, hashInput } from '@hooks/core/tool-call';
import { type Attempt, final, tried } from './attempt.ts';
import { conclude, concludeInside, concludeUnrun, isReport, ReportedFailure } from './conclusion.ts';
import { type Around, type Change, insideCall, interceptBody, tellChanged } from './intercept.ts';
import { withParentCall } from './run.ts';
import { parsed } from './schema.ts';
import { calledBy, type HookableTool, isHooked, type ToolBody } from './tool.ts';
import { isGenerator, outputOf } from './translate.ts';
import { HeldWrites } from './writes.ts';

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

type Verdict = ToolCallOutcome | 'again';

/** Runs the tool's function; on a Retry with what its schema makes of the raw input. */
type Body = (writes: HeldWrites | undefined, again?: { readonly input: unknown }) => unknown;

/**
 * The executions of one tool call. Core decides on a result while the tool's own run is still open, so that a replaced
 * result is the only one there ever was: `execute` starts the tool and gives core what its function returned, while the
 * function's caller waits until `settle` says what it returned instead.
 */
export class Execution {
  readonly #site: ExecutionSite;
  #tool: HookableTool | undefined;
  #input: unknown;
  /** The framework's own call, once it was started. */
  #running: Promise<unknown> | undefined;
  #given: PromiseWithResolvers<unknown> | undefined;
  #raw: unknown;
  /** Whether hooks are told of the result: then it is decided on inside of the tool's own run. */
  #watched = true;
  /** Another input with which the hooks of a registry further in are about to have the function called. */
  #told: Change | undefined;
  /** That of the last call of the function. */
  #change: Change | undefined;
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
  execute(tool: HookableTool | undefined, input: unknown, start: Start): Promise<unknown> {
    this.#input = input;
    this.#tool = tool;
    const waiting = this.#waiting;
    if (waiting === undefined) {
      this.#watched = hearsResult(this.#site.hooks, this.#name);
      const called: Adopt = (found) => this.#called(found);
      this.#running = Promise.resolve(
        tool === undefined ? start(tool, input, called) : start(called(tool), input),
      );
      if (!this.#watched) return this.#running.then((raw) => this.#shown(raw));
      // Where the function is not reached (another middleware answers, the tool has an `invoke` of its own), the answer
      // of the whole call is the result.
      this.#running.then(
        (raw) => this.#reached || this.#given?.resolve(raw),
        (error) => this.#given?.reject(error),
      );
    }
    this.#raw = undefined;
    this.#given = Promise.withResolvers();
    this.#waiting = undefined;
    waiting?.resolve('again');
    return this.#given.promise.then((raw) => this.#shown(raw));
  }

  /** The tool as the framework is to call it. */
  #called(found: HookableTool): HookableTool {
    const { hooks, call, between } = this.#site;
    const tool = calledBy(hooks, found);
    this.#tool = tool;
    if (this.#input !== call.input) tellChanged(found, this.#input);
    if (!this.#watched && !between && !isHooked(tool)) return insideCall(tool, call.callId);
    const wrap = (body: ToolBody) => (args: unknown, manager: unknown, given: unknown) => {
      const config = withParentCall(given, call.callId);
      return this.#within((writes, again) => {
        const input = again ? again.input : args;
        if (writes === undefined) return body(input, manager, config);
        return writes.around(() => body(input, writes.callbacks(manager), writes.config(config)));
      });
    };
    const changed = (change: Change): void => {
      this.#told = change;
    };
    const around: Around = Object.assign(wrap, { changed });
    return interceptBody(tool, around) ?? tool;
  }

  /** What hooks are shown of a raw result. */
  #shown(raw: unknown): unknown {
    this.#raw = raw;
    if (isReport(raw)) throw new ReportedFailure(raw);
    return outputOf(raw, this.#site.call.callId);
  }

  /** What the framework is to get of a call that is over. */
  settle(outcome: ToolCallOutcome): unknown {
    this.#outcome = outcome;
    const waiting = this.#waiting;
    const { call, tool } = this.#site;
    if (waiting === undefined)
      return this.#running === undefined
        ? concludeUnrun(call, outcome, tool)
        : conclude(call, outcome, this.#raw, this.#tool);
    this.#waiting = undefined;
    waiting.resolve(outcome);
    return this.#running;
  }

  /** Ends what is still open with the framework's own control flow. */
  async fail(error: unknown): Promise<void> {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
    await this.#running?.catch(() => {});
  }

  /** Around the tool's function, inside its run. */
  #within(body: Body): unknown {
    const change = this.#told;
    this.#told = undefined; // the next call of the function may be one with what hooks were asked about
    this.#change = change;
    return change !== undefined && isGuarded(this.#site.hooks, this.#name)
      ? this.#recheck(change, body)
      : this.#run(body);
  }

  #run(body: Body): unknown {
    if (this.#outcome !== undefined || this.#reached) return this.#anew(body);
    this.#reached = true;
    return this.#watched ? this.#decided(body) : body(undefined);
  }

  /** Asks about the input that other hooks have put in place: the call goes on with what ours leave of it. */
  async #recheck(change: Change, body: Body): Promise<unknown> {
    const { hooks, call, options } = this.#site;
    const { check, approval } = options;
    const can = { retry: true, ask: typeof approval === 'function' };
    let begun = await beginToolCall(hooks, { ...call, ...change }, { check, can });
    if (begun.kind === 'ask') begun = await answerToolCall(begun.token, options);
    if (begun.kind === 'done') return concludeInside(call, begun.outcome, undefined, this.#tool);
    const { input } = begun.token;
    const changed = input !== change.input;
    change.input = input;
    const left = changed ? await this.#again() : undefined;
    return this.#run((writes, again = left) => body(writes, again));
  }

  async #decided(body: Body): Promise<unknown> {
    let writes = this.#hold();
    let attempt = await tried(() => body(writes));
    if ('output' in attempt && isGenerator(attempt.output)) return this.#stream(attempt.output, body, writes);
    for (;;) {
      const verdict = await this.#ask(attempt);
      if (verdict !== 'again') return this.#returned(verdict, attempt, writes);
      const held = this.#hold();
      attempt = await tried(async () => final(await body(held, await this.#again()), held));
      writes = held;
    }
  }

  /** A generator stays one; what it yields is passed on at once, or when its result stands. */
  async *#stream(
    first: AsyncGenerator<unknown, unknown>,
    body: Body,
    held: HeldWrites | undefined,
  ): AsyncGenerator<unknown, unknown> {
    let writes = held;
    let chunks: unknown[] = [];
    let generator: unknown = first;
    for (;;) {
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
      if (verdict !== 'again') {
        const result = await this.#returned(verdict, attempt, writes);
        if (result === this.#raw) yield* chunks;
        return result;
      }
      writes = this.#hold();
      generator = await body(writes, await this.#again());
    }
  }

  /** Where hooks may change or refuse the result: what holds back the writes of one attempt. */
  #hold(): HeldWrites | undefined {
    const { holdStream, hooks } = this.#site;
    return holdStream && decidesResult(hooks, this.#name) ? new HeldWrites() : undefined;
  }

  #ask(attempt: Attempt): Promise<Verdict> {
    if (this.#outcome !== undefined) throw new Error('The call was over before its tool was.');
    this.#waiting = Promise.withResolvers();
    if ('error' in attempt) this.#given?.reject(attempt.error);
    else this.#given?.resolve(attempt.output);
    return this.#waiting.promise;
  }

  /** What the function gets of an input, unless other hooks have put one in its place. */
  async #again(own: unknown = this.#input): Promise<{ readonly input: unknown }> {
    const { input } = this.#change ?? { input: own };
    return { input: this.#tool === undefined ? input : await parsed(this.#tool, input) };
  }

  /** What the function returns in the end; what it wrote passes where that is what it gave. */
  async #returned(
    outcome: ToolCallOutcome,
    attempt: Attempt,
    writes: HeldWrites | undefined,
    raw: unknown = this.#raw,
  ): Promise<unknown> {
    if (outcome.status === 'error' && 'error' in attempt && outcome.error === attempt.error)
      await writes?.release();
    const result = concludeInside(this.#site.call, outcome, raw, this.#tool);
    if (result === raw) await writes?.release();
    return result;
  }

  /**
   * The tool runs once more, after its call was over or beside it, because a middleware between us and the tool wants so:
   * hooks are asked again, about what the model sent; a person who said yes to the same input is not.
   */
  async #anew(body: Body): Promise<unknown> {
    const { hooks, call, options } = this.#site;
    const resumed = { decision: 'allow', hash: await hashInput(this.#input) } as const;
    let writes: HeldWrites | undefined;
    let raw: unknown;
    let attempt: Attempt = { output: undefined };
    const outcome = await callTool(
      hooks,
      { ...call, resumed },
      async (input) => {
        const held = this.#hold();
        writes = held;
        attempt = await tried(async () => final(await body(held, await this.#again(input)), held));
        if ('error' in attempt) throw attempt.error;
        raw = attempt.output;
        if (isReport(raw)) throw new ReportedFailure(raw);
        return outputOf(raw, call.callId);
      },
      { ...options, begun: undefined },
    );
    return this.#returned(outcome, attempt, writes, raw);
  }
}

/** Whether there are hooks that have to see what will really run. */
function isGuarded(hooks: Hooks, name: string): boolean {
  return hooks.get(BeforeToolCall, name).some(({ verb }) => verb === 'guard');
}
