import type { CallOptions, ExecuteOptions, ToolCallOutcome } from '@hooks/core';
import { decidesResult, type InnerRegistries, type RunToolCall } from '@hooks/core/adapter';
import { recheckToolCall } from '@hooks/core/tool-call';
import { withParentCall } from '../config.ts';
import { isControlFlow } from '../internals.ts';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import { conclude, concludeInside, concludeUnrun, shownOf } from './answer.ts';
import { interceptBody } from './intercept.ts';
import { isGenerator, textOf } from './result.ts';
import { parsed } from './schema.ts';
import { type HookableTool, type ToolBody, unhooked } from './tool.ts';
import { HeldWrites } from './writes.ts';

/** What a call needs to know of its surroundings. */
export interface ExecutionSite {
  readonly run: HookedRun;
  readonly call: RunToolCall;
  /** All registries that hook the call, outermost first. */
  readonly registries: Registries;
  /** The tool that was called, where the framework knows it. */
  readonly tool: HookableTool | undefined;
  readonly options: CallOptions & InnerRegistries;
  /** Whether user code may stand between us and the tool, and call it as it likes. */
  readonly between: boolean;
}

/**
 * Runs a tool by the framework's own call.
 *
 * @param adopt intercepts the tool that a middleware finds, if the framework knows none
 */
export type Start = (tool: HookableTool | undefined, input: unknown, adopt: Adopt) => unknown;

/** Undefined for a tool with hooks of its own that were not asked. */
export type Adopt = (tool: HookableTool) => HookableTool | undefined;

/** How core starts an attempt. */
interface Started {
  readonly input: unknown;
  readonly running: ExecuteOptions;
}

/** How one attempt of a tool ended; `writes` holds back what it wrote to the stream. */
type Attempt = ({ readonly output: unknown } | { readonly error: unknown }) & {
  readonly writes: HeldWrites | undefined;
};

/** A call of the tool's function, inside its run. */
interface BodyCall {
  /** The input that the tool was called with, as the model would write it. */
  readonly raw: unknown;
  /** What a generator yielded in the last attempt, and nobody has got yet. */
  readonly chunks: unknown[];
  /** Runs the function with what the framework has parsed, or with another input. */
  readonly run: (
    writes: HeldWrites | undefined,
    other?: { readonly raw: unknown; readonly parsed: unknown },
  ) => unknown;
}

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
  #given: PromiseWithResolvers<unknown> = Promise.withResolvers();
  #raw: unknown;
  /** The input that the tool is to be called with, as text, where another may come: it may be changed in place. */
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

  /** For core: runs the tool once. On a Retry the function runs again inside the run that is open. */
  execute(
    tool: HookableTool | undefined,
    input: unknown,
    running: ExecuteOptions,
    start: Start,
  ): Promise<unknown> {
    const { call } = this.#site;
    const waiting = this.#waiting;
    const given = Promise.withResolvers<unknown>();
    const shown = given.promise.then((raw) => {
      this.#raw = raw;
      return shownOf(raw, call.callId);
    });
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
    // Where the function is not reached (another middleware answers, the tool has an `invoke` of its own), the answer of the
    // whole call is the result.
    this.#calling.then(
      (raw) => this.#reached || this.#given.resolve(raw),
      (error) => this.#given.reject(error),
    );
    return shown;
  }

  /** What the framework gets of a call that is over. */
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

  /** Ends what is still open with the framework's own control flow. */
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
      return this.#within(started, {
        raw: toolCall === undefined ? args : toolCall.args, // user code may call the tool without a tool call
        chunks: [],
        run(writes, other) {
          const input = other === undefined ? args : other.parsed;
          // Interceptions further in look there for the raw input.
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
    const writes = this.#heldWrites();
    const first = await tried(writes, () =>
      this.#isChanged(body) ? this.#run(body, started, writes) : body.run(writes),
    );
    if ('output' in first && isGenerator(first.output)) return this.#stream(body, first.output, writes);
    return this.#decided(body, first);
  }

  /** What the function returns when hooks have decided, maybe after further attempts. */
  async #decided(body: BodyCall, first: Attempt): Promise<unknown> {
    let attempt = first;
    for (;;) {
      const verdict = await this.#ask(attempt);
      if (!('running' in verdict)) return this.#returned(verdict, attempt, this.#raw);
      attempt = await this.#again(body, verdict);
    }
  }

  /** A generator stays one; what it yields passes at once, or when its result stands. */
  async *#stream(
    body: BodyCall,
    generator: AsyncGenerator<unknown, unknown>,
    writes: HeldWrites | undefined,
  ): AsyncGenerator<unknown, unknown> {
    let attempt: Attempt;
    try {
      const output = writes === undefined ? yield* generator : await final(generator, writes, body.chunks);
      attempt = { output, writes };
    } catch (error) {
      attempt = { error, writes };
    }
    const result = await this.#decided(body, attempt);
    if (result === this.#raw) yield* body.chunks;
    return result;
  }

  /** Another attempt, from the raw input: the function may have changed what it was given before. */
  #again(body: BodyCall, started: Started): Promise<Attempt> {
    const writes = this.#heldWrites();
    body.chunks.length = 0;
    return tried(writes, async () => final(await this.#run(body, started, writes), writes, body.chunks));
  }

  /** Runs the function with an input of core's. One that user code has put in its place is checked first. */
  async #run(body: BodyCall, { input, running }: Started, writes: HeldWrites | undefined): Promise<unknown> {
    const tool = this.#tool;
    let raw = input;
    if (this.#isChanged(body)) {
      const checked = await recheckToolCall(running, body.raw, { isControlFlow });
      if (checked.kind === 'done') return concludeInside(this.#site.call, checked.outcome, undefined, tool);
      raw = checked.input;
    }
    return body.run(writes, { raw, parsed: tool ? await parsed(tool, raw) : raw });
  }

  /** Whether user code has put another input in place. One that has no text may be changed. */
  #isChanged({ raw }: BodyCall): boolean {
    if (this.#expected === undefined) return false;
    return this.#expected.input === undefined || textOf(raw) !== this.#expected.input;
  }

  #ask(attempt: Attempt): Promise<Verdict> {
    if (this.#over) throw new Error('The call was over before its tool was.');
    this.#waiting = Promise.withResolvers();
    if ('error' in attempt) this.#given.reject(attempt.error);
    else this.#given.resolve(attempt.output);
    return this.#waiting.promise;
  }

  /** What the function returns in the end; what it wrote passes where that is what it gave. */
  async #returned(outcome: ToolCallOutcome, attempt: Attempt, raw: unknown): Promise<unknown> {
    const failed = outcome.status === 'error' && 'error' in attempt && outcome.error === attempt.error;
    if (failed) await attempt.writes?.release();
    const result = concludeInside(this.#site.call, outcome, raw, this.#tool);
    if (result === raw) await attempt.writes?.release();
    return result;
  }

  /** Where hooks may change or refuse the result, what the tool writes is held back. */
  #heldWrites(): HeldWrites | undefined {
    const { registries, call } = this.#site;
    const name = this.#tool?.name ?? call.toolName;
    const held = registries.some(
      ({ hooks, options }) => options.holdStream !== false && decidesResult(hooks, name),
    );
    return held ? new HeldWrites() : undefined;
  }

  /**
   * A middleware calls the tool again. Hooks decide again on what the model sent, but an approver does not answer twice for
   * the same input.
   */
  async #onceMore(body: BodyCall): Promise<unknown> {
    const { run, call, options } = this.#site;
    if (this.#renamed)
      throw new Error(`Hooks renamed this call to "${this.#tool?.name}"; a middleware cannot run it again.`);
    let attempt: Attempt = { output: undefined, writes: undefined };
    const execute = async (input: unknown, running: ExecuteOptions): Promise<unknown> => {
      attempt = await this.#again(body, { input, running });
      if ('error' in attempt) throw attempt.error;
      return shownOf(attempt.output, call.callId);
    };
    const outcome = await run.callTool(call, execute, { ...options, rename: undefined });
    return this.#returned(outcome, attempt, 'output' in attempt ? attempt.output : undefined);
  }
}

async function tried(writes: HeldWrites | undefined, run: () => unknown): Promise<Attempt> {
  try {
    return { output: await run(), writes };
  } catch (error) {
    return { error, writes };
  }
}

/** The final value of what may be a generator; notes what it yields. */
async function final(value: unknown, writes?: HeldWrites, chunks?: unknown[]): Promise<unknown> {
  if (!isGenerator(value)) return value;
  for (;;) {
    const result = await (writes === undefined ? value.next() : writes.around(() => value.next()));
    if (result.done) return result.value;
    chunks?.push(result.value);
  }
}
