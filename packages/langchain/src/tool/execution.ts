import type { CallOptions, ExecuteOptions, ToolCallOutcome } from '@hooks/core';
import { type AgentRun, hearsResult, type InnerRegistries } from '@hooks/core/adapter';
import { withParentCall } from '../config.ts';
import { conclude, concludeUnrun, shownOf } from './answer.ts';
import {
  type Attempt,
  type AttemptSite,
  Attempts,
  type Body,
  final,
  type Started,
  tried,
} from './attempts.ts';
import { insideCall, interceptBody } from './intercept.ts';
import { isGenerator, textOf } from './result.ts';
import { type HookableTool, hookedTool, type ToolBody, unhooked } from './tool.ts';

/** What a call needs to know of its surroundings. */
export interface ExecutionSite extends AttemptSite {
  readonly run: AgentRun;
  /** The tool that was called, where the framework knows it. */
  readonly tool: HookableTool | undefined;
  readonly options: CallOptions & InnerRegistries;
  /** Whether user code may stand between us and the tool, and call it as it likes. */
  readonly between: boolean;
}

/**
 * Runs a tool by the framework's own call.
 *
 * @param adopt where the tool is not known yet: makes of the one that is found what is to be called in its place
 */
export type Start = (tool: HookableTool | undefined, input: unknown, adopt: Adopt) => unknown;

export type Adopt = (tool: HookableTool) => HookableTool;

type Verdict = ToolCallOutcome | Started;

/**
 * The executions of one tool call. Core decides on a result while the tool's own run is still open, so that nobody ever sees
 * a result that hooks replace: `execute` starts the tool and gives core what its function returned, while the function's
 * caller waits until `settle` says what it returns instead.
 */
export class Execution {
  readonly #site: ExecutionSite;
  #tool: HookableTool | undefined;
  /** The framework's own call, once it was started. */
  #calling: Promise<unknown> | undefined;
  #given: PromiseWithResolvers<unknown> | undefined;
  #raw: unknown;
  /** Whether hooks hear of the result: then they decide on it inside the tool's own run. */
  #watched = true;
  /** The input that the tool is to be called with, as text, where another may come: it may be changed in place. */
  #expected: { readonly input: string | undefined } | undefined;
  /** Whether the tool's own function was called. */
  #reached = false;
  #waiting: PromiseWithResolvers<Verdict> | undefined;
  #outcome: ToolCallOutcome | undefined;

  constructor(site: ExecutionSite) {
    this.#site = site;
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
      const { members, call } = this.#site;
      const name = tool?.name ?? call.toolName;
      this.#watched = members.some(({ hooks }) => hearsResult(hooks, name));
      const adopt: Adopt = (found) => this.#called(found, started);
      this.#calling = Promise.resolve(start(tool && adopt(tool), input, adopt));
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
    const { members, call, between } = this.#site;
    const tool = unhooked(found, members);
    this.#tool = tool;
    const changeable = between || hookedTool(tool) !== undefined;
    if (!this.#watched && !changeable) return insideCall(tool, call.callId);
    this.#expected = changeable ? { input: textOf(started.input) } : undefined;
    const around = (body: ToolBody) => (args: unknown, manager: unknown, given: unknown) => {
      const config = withParentCall(given, call.callId);
      return this.#within(started, rawInput(given, args), (writes, other) => {
        const input = other === undefined ? args : other.parsed;
        const place = other === undefined ? config : withRawInput(config, other.raw);
        if (writes === undefined) return body(input, manager, place);
        return writes.around(() => body(input, writes.callbacks(manager), writes.config(place)));
      });
    };
    return interceptBody(tool, around) ?? tool;
  }

  /** What hooks are shown of a raw result. */
  #shown(raw: unknown): unknown {
    this.#raw = raw;
    return shownOf(raw, this.#site.call.callId);
  }

  /** What the framework gets of a call that is over. */
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
  #within({ running }: Started, raw: unknown, body: Body): unknown {
    const attempts = new Attempts(
      this.#site,
      this.#tool,
      body,
      this.#isChanged(raw) ? { input: raw } : undefined,
    );
    if (this.#reached || this.#outcome !== undefined) return this.#onceMore(attempts);
    this.#reached = true;
    return this.#watched ? this.#decided(attempts, running) : attempts.first(running);
  }

  /** Whether user code has put another input in place. One that has no text may be changed. */
  #isChanged(raw: unknown): boolean {
    if (this.#expected === undefined) return false;
    return this.#expected.input === undefined || textOf(raw) !== this.#expected.input;
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

  /** A generator stays one; what it yields passes at once, or when its result stands. */
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

  /**
   * A middleware between us and the tool calls it once more: hooks are asked again, about what the model sent; whoever has
   * approved the same input is not.
   */
  async #onceMore(attempts: Attempts): Promise<unknown> {
    const { run, call, options } = this.#site;
    const tool = this.#tool;
    let raw: unknown;
    let attempt: Attempt = { output: undefined };
    const execute = async (input: unknown, running: ExecuteOptions): Promise<unknown> => {
      attempt = await tried(async () => final(await attempts.again({ input, running }), attempts.writes));
      if ('error' in attempt) throw attempt.error;
      raw = attempt.output;
      return shownOf(raw, call.callId);
    };
    const rename: CallOptions['rename'] = (name) => {
      const target = options.rename?.(name);
      if (typeof target !== 'object') return target ?? 'the tool cannot be changed here';
      return name === tool?.name ? { ...target, execute } : 'another attempt may not be one of another tool';
    };
    const outcome = await run.callTool(call, execute, { ...options, rename });
    return attempts.returned(outcome, attempt, raw);
  }
}

/** The raw input of a call: the parsed one where user code called the tool without a tool call. */
function rawInput(config: unknown, parsed: unknown): unknown {
  const { toolCall } = Object(config);
  return toolCall === undefined ? parsed : toolCall.args;
}

/** The config of a call with another input: interceptions further in look there for the raw input. */
function withRawInput(config: unknown, args: unknown): unknown {
  const { toolCall } = Object(config);
  return toolCall === undefined ? config : { ...Object(config), toolCall: { ...toolCall, args } };
}
