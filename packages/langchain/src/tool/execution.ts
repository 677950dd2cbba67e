import type { CallOptions, ExecuteOptions, ToolCallOutcome } from '@hooks/core';
import type { InnerRegistries, RunToolCall } from '@hooks/core/adapter';
import { recheckToolCall } from '@hooks/core/tool-call';
import { withParentCall } from '../config.ts';
import { isControlFlow } from '../internals.ts';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import { conclude, concludeInside, concludeUnrun, shownOf, thrownOf } from './answer.ts';
import { interceptBody } from './intercept.ts';
import { isGenerator, textOf } from './result.ts';
import { parsed } from './schema.ts';
import { type HookableTool, type ToolBody, unhooked } from './tool.ts';
import { WithheldWrites } from './writes.ts';

/** Where a call runs. */
export interface ExecutionSite {
  readonly run: HookedRun;
  readonly call: RunToolCall;
  /** All registries that hook the call, outermost first. */
  readonly registries: Registries;
  /** The called tool; undefined if the framework has none with this name. */
  readonly tool: HookableTool | undefined;
  readonly options: CallOptions & InnerRegistries;
  /** Whether user middleware may stand between us and the tool, and call it with another input or several times. */
  readonly between: boolean;
}

/**
 * Runs a tool the way the framework does.
 *
 * @param adopt intercepts the tool that a middleware finds, if the framework knows none
 */
export type Start = (tool: HookableTool | undefined, input: unknown, adopt: Adopt) => unknown;

/** Undefined for a tool with hooks of its own that were not asked. */
export type Adopt = (tool: HookableTool) => HookableTool | undefined;

/** An attempt, as core starts it. */
interface Started {
  readonly input: unknown;
  readonly running: ExecuteOptions;
}

/** How an attempt ended. */
type Attempt = { readonly output: unknown } | { readonly error: unknown };

/** A call of the tool's function, inside the tool's run. */
interface BodyCall {
  /** The input of the call, before the schema's defaults. */
  readonly raw: unknown;
  /** Withholds what the tool writes to the stream, if hooks may change or refuse its result. */
  readonly writes: WithheldWrites | undefined;
  /** What a generator yielded in further attempts. It passes after them. */
  readonly chunks: unknown[];
  /** Runs the function with the input that the framework parsed, or with another one. */
  readonly run: (other?: { readonly raw: unknown; readonly parsed: unknown }) => unknown;
}

type Verdict = ToolCallOutcome | Started;

/**
 * The executions of one tool call. Hooks decide on a result while the tool's run is still open, so nobody sees a result that
 * they replace: `execute` starts the tool and resolves with what its function returned, but the function's caller waits
 * until `settle` provides the final result.
 */
export class Execution {
  readonly #site: ExecutionSite;
  #tool: HookableTool | undefined;
  /** The framework's call of the tool, once started. */
  #calling: Promise<unknown> | undefined;
  #given: PromiseWithResolvers<unknown> = Promise.withResolvers();
  #raw: unknown;
  /** The input that hooks decided on, as text, because middleware may change it in place. */
  #expected: { readonly input: string | undefined } | undefined;
  /** Whether the tool's own function was called. */
  #reached = false;
  #waiting: PromiseWithResolvers<Verdict> | undefined;
  #over = false;
  /** Hooks renamed the call. */
  #renamed = false;

  constructor(site: ExecutionSite) {
    this.#site = site;
  }

  /** For core: runs the tool once. On Retry, its function runs again inside the open run. */
  execute(
    tool: HookableTool | undefined,
    input: unknown,
    running: ExecuteOptions,
    start: Start,
  ): Promise<unknown> {
    const { call } = this.#site;
    const waiting = this.#waiting;
    const given = Promise.withResolvers<unknown>();
    const shown = given.promise.then(
      (raw) => {
        this.#raw = raw;
        return shownOf(raw, call.callId);
      },
      (error) => Promise.reject(thrownOf(error)),
    );
    this.#given = given;
    this.#waiting = undefined;
    if (waiting !== undefined) {
      waiting.resolve({ input, running });
      return shown;
    }
    this.#tool = tool;
    this.#renamed = tool !== this.#site.tool;
    const adopt: Adopt = (found) => this.#intercepted(found, { input, running });
    this.#calling = Promise.resolve(start(tool && adopt(tool), input, adopt));
    // If the function is not reached (a middleware answers, or the tool has an `invoke` of its own), the result is what the
    // call returns.
    this.#calling.then(
      (raw) => this.#reached || this.#given.resolve(raw),
      (error) => this.#given.reject(error),
    );
    return shown;
  }

  /** The final result for the framework. */
  settle(outcome: ToolCallOutcome): unknown {
    this.#over = true;
    const waiting = this.#waiting;
    const { call, tool } = this.#site;
    if (this.#calling === undefined) return concludeUnrun(call, outcome, tool);
    if (waiting === undefined) return conclude(call, outcome, this.#raw, this.#tool);
    this.#waiting = undefined;
    waiting.resolve(outcome);
    return this.#calling;
  }

  /** Ends an open run of the tool with the framework's control flow. */
  async fail(error: unknown): Promise<void> {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
    await this.#calling?.catch(() => {});
  }

  /** The tool that the framework calls instead. */
  #intercepted(found: HookableTool, started: Started): HookableTool | undefined {
    const { registries, call, between } = this.#site;
    const tool = unhooked(found, registries);
    if (tool === undefined) return undefined;
    this.#tool = tool;
    this.#expected = between ? { input: textOf(started.input) } : undefined;
    const around = (body: ToolBody) => (args: unknown, manager: unknown, given: unknown) => {
      const config = withParentCall(given, call.callId);
      const { toolCall } = Object(given);
      const writes = this.#withheldWrites();
      return this.#within(started, {
        raw: toolCall === undefined ? args : toolCall.args, // user code may call the tool without a tool call
        writes,
        chunks: [],
        run(other) {
          const input = other === undefined ? args : other.parsed;
          // Another `hooksMiddleware` further in reads the raw input from here.
          const place =
            other && toolCall ? { ...Object(config), toolCall: { ...toolCall, args: other.raw } } : config;
          if (writes === undefined) return body(input, manager, place);
          return writes.around(() => body(input, writes.callbacks(manager), writes.config(place)));
        },
      });
    };
    return interceptBody(tool, around) ?? tool;
  }

  /** Around the tool's function, inside its run. */
  async #within(started: Started, body: BodyCall): Promise<unknown> {
    if (this.#reached || this.#over) return this.#onceMore(body);
    this.#reached = true;
    const first = await tried(() => (this.#isChanged(body) ? this.#run(body, started) : body.run()));
    if ('output' in first && isGenerator(first.output)) return this.#stream(body, first.output);
    return this.#decided(body, first);
  }

  /** What the function returns once hooks have decided, possibly after further attempts. */
  async #decided(body: BodyCall, first: Attempt): Promise<unknown> {
    let attempt = first;
    for (;;) {
      const verdict = await this.#ask(attempt);
      if (!('running' in verdict)) return concludeInside(this.#site.call, verdict, this.#raw, this.#tool);
      attempt = await this.#again(body, verdict);
    }
  }

  /** A generator stays one. What it yields passes at once, or is withheld. */
  async *#stream(
    body: BodyCall,
    generator: AsyncGenerator<unknown, unknown>,
  ): AsyncGenerator<unknown, unknown> {
    let attempt: Attempt;
    try {
      attempt = { output: body.writes === undefined ? yield* generator : await final(generator, body) };
    } catch (error) {
      attempt = { error };
    }
    const result = await this.#decided(body, attempt);
    yield* body.chunks;
    return result;
  }

  /** Another attempt, from the raw input, because the function may have changed its parsed input. */
  #again(body: BodyCall, started: Started): Promise<Attempt> {
    return tried(async () => final(await this.#run(body, started), body));
  }

  /** Runs the function with core's input. If middleware replaced that, rechecks the replacement first. */
  async #run(body: BodyCall, { input, running }: Started): Promise<unknown> {
    const tool = this.#tool;
    let raw = input;
    if (this.#isChanged(body)) {
      const checked = await recheckToolCall(running, body.raw, { isControlFlow });
      if (checked.kind === 'done') return concludeInside(this.#site.call, checked.outcome, undefined, tool);
      raw = checked.input;
    }
    return body.run({ raw, parsed: tool ? await parsed(tool, raw) : raw });
  }

  /** Whether middleware replaced the input. One that is not JSON counts as replaced. */
  #isChanged({ raw }: BodyCall): boolean {
    if (this.#expected === undefined) return false;
    return this.#expected.input === undefined || textOf(raw) !== this.#expected.input;
  }

  #ask(attempt: Attempt): Promise<Verdict> {
    if (this.#over) throw new Error('The tool finished after its call was over.');
    this.#waiting = Promise.withResolvers();
    if ('error' in attempt) this.#given.reject(attempt.error);
    else this.#given.resolve(attempt.output);
    return this.#waiting.promise;
  }

  /** Hooks only see the result, and what the tool writes to the stream may contain parts of it. */
  #withheldWrites(): WithheldWrites | undefined {
    const { registries, call } = this.#site;
    const name = this.#tool?.name ?? call.toolName;
    return registries.holdsResult(name) ? new WithheldWrites(() => registries.warnWithheld(name)) : undefined;
  }

  /**
   * A middleware calls the tool again. Hooks decide again on what the model sent, but an approver does not answer twice for
   * the same input.
   */
  async #onceMore(body: BodyCall): Promise<unknown> {
    const { run, call, options } = this.#site;
    if (this.#renamed)
      throw new Error(`Hooks renamed this call to "${this.#tool?.name}"; a middleware cannot run it again.`);
    let attempt: Attempt = { output: undefined };
    const execute = async (input: unknown, running: ExecuteOptions): Promise<unknown> => {
      attempt = await this.#again(body, { input, running });
      if ('error' in attempt) throw thrownOf(attempt.error);
      return shownOf(attempt.output, call.callId);
    };
    const outcome = await run.callTool(call, execute, { ...options, rename: undefined });
    const raw = 'output' in attempt ? attempt.output : undefined;
    return concludeInside(call, outcome, raw, this.#tool);
  }
}

async function tried(run: () => unknown): Promise<Attempt> {
  try {
    return { output: await run() };
  } catch (error) {
    return { error };
  }
}

/** The final value, of a generator, too. */
async function final(
  value: unknown,
  { writes, chunks }: Pick<BodyCall, 'writes' | 'chunks'>,
): Promise<unknown> {
  if (!isGenerator(value)) return value;
  for (;;) {
    const result = await (writes === undefined ? value.next() : writes.around(() => value.next()));
    if (result.done) return result.value;
    if (writes === undefined) chunks.push(result.value);
    else writes.withheld();
  }
}
