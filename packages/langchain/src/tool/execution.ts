import type { CallOptions, Execute, ExecuteOptions, ToolCallOutcome } from '@hooks/core';
import type { InnerRegistries, RunToolCall } from '@hooks/core/adapter';
import { recheckToolCall, type ToolResult } from '@hooks/core/tool-call';
import { withParentCall } from '../config.ts';
import { isControlFlow } from '../internals.ts';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import { conclude, concludeUnrun, inside, resultOf } from './answer.ts';
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
  /** Runs a tool by the framework's own call. */
  readonly start: Start;
}

/**
 * Runs a tool the way the framework does.
 *
 * @param adopt intercepts the tool that a middleware finds, if the framework knows none
 */
export type Start = (tool: HookableTool | undefined, input: unknown, adopt: Adopt) => unknown;

/** Undefined for a tool with hooks of its own that were not asked. */
export type Adopt = (tool: HookableTool) => HookableTool | undefined;

/** What core calls to run a tool: the called one, or the one that a hook renamed the call to. */
export type Executing = (tool: HookableTool | undefined) => Execute;

/** A call of the tool's function, inside the tool's run. */
interface BodyCall {
  /** The input of the call, before the schema's defaults. */
  readonly raw: unknown;
  /** Whether middleware replaced the input. One that is not JSON counts as replaced. */
  readonly isChanged: boolean;
  /** Withholds what the tool writes to the stream, if hooks may change or refuse its result. */
  readonly writes: WithheldWrites | undefined;
  /** What a generator yielded in further attempts. It passes after them. */
  readonly chunks: unknown[];
  /** Runs the function with the input that the framework parsed, or with another one. */
  readonly run: (other?: { readonly raw: unknown; readonly parsed: unknown }) => unknown;
}

/** What core runs a tool with. */
interface Started {
  readonly input: unknown;
  readonly running: ExecuteOptions;
}

/**
 * Runs a call through core, whose tool the framework runs. Hooks decide on the result of the tool's function while the
 * framework's run of it is still open, so nobody sees a result that they replace. On Retry, the function runs again inside it.
 */
export class Execution {
  readonly #site: ExecutionSite;
  readonly #outcome: Promise<ToolCallOutcome>;
  /** The tool that ran. */
  #tool: HookableTool | undefined;
  /** What it returned or threw last, as hooks have not seen it. */
  #result: ToolResult = { output: undefined };
  /** What the framework made of it; undefined if the tool never ran. */
  #answer: Promise<ToolResult> | undefined;
  /** The call of its function, if that was reached: it returns what hooks decide. */
  #body: BodyCall | undefined;

  /** @param call starts the call in core */
  constructor(site: ExecutionSite, call: (executing: Executing) => Promise<ToolCallOutcome>) {
    this.#site = site;
    this.#outcome = call((tool) => async (input, running) => {
      const started = { input, running };
      this.#result = await (this.#body ? this.#again(this.#body, started) : this.#start(tool, started));
      return given(resultOf(this.#result, site.call));
    });
  }

  /**
   * What the framework gets.
   *
   * @param refuse makes the answer to an input that does not fit the tool's schema
   */
  async answer(refuse: (error: unknown) => Promise<unknown>): Promise<unknown> {
    const { call, tool } = this.#site;
    await Promise.allSettled([this.#outcome]);
    if (this.#body !== undefined) return given((await this.#answer) ?? this.#result);
    const outcome = await this.#outcome;
    if (this.#answer !== undefined) return conclude(call, outcome, outputOf(this.#result), this.#tool);
    return outcome.code === 'INVALID_INPUT' ? refuse(outcome.error) : concludeUnrun(call, outcome, tool);
  }

  /** Lets the framework run the tool. Resolves with the result of its function, or with the framework's where that is not reached. */
  #start(tool: HookableTool | undefined, started: Started): Promise<ToolResult> {
    const { promise, resolve } = Promise.withResolvers<ToolResult>();
    let first: Promise<unknown> | undefined;
    let over = false;
    const enter = (body: BodyCall): Promise<unknown> => {
      if (first !== undefined || over) return this.#onceMore(body, tool);
      first = this.#first(body, started, (result) => {
        if (!over) this.#body = body;
        resolve(result);
      });
      return first;
    };
    const adopt: Adopt = (found) => this.#intercepted(found, started, enter);
    this.#tool = tool;
    this.#answer = tried(() => this.#site.start(tool && adopt(tool), started.input, adopt));
    void this.#answer.then(async (result) => {
      // A middleware may answer while the function still runs. Nobody may read on what a generator yields.
      if ('output' in result) await Promise.allSettled([first]);
      over = true;
      resolve(result);
    });
    return promise;
  }

  /** The tool that the framework calls instead. */
  #intercepted(
    found: HookableTool,
    { input, running }: Started,
    enter: (body: BodyCall) => Promise<unknown>,
  ): HookableTool | undefined {
    const { registries, call, between } = this.#site;
    const tool = unhooked(found, registries);
    if (tool === undefined) return undefined;
    this.#tool = tool;
    const expected = textOf(input); // now, because middleware may change it in place
    const around = (body: ToolBody) => (args: unknown, manager: unknown, config: unknown) => {
      const within = withParentCall(config, call.callId);
      const { toolCall } = Object(config);
      const raw: unknown = toolCall === undefined ? args : toolCall.args; // user code may call the tool without a tool call
      // Hooks only see the result, and writes may contain parts of it, or of what only the tool is given.
      const withheld = registries.withheld(tool.name, running.call);
      const writes = withheld && new WithheldWrites(withheld);
      return enter({
        raw,
        isChanged: between && (expected === undefined || textOf(raw) !== expected),
        writes,
        chunks: [],
        run(other) {
          const input = other === undefined ? args : other.parsed;
          // Another `hooksMiddleware` further in reads the raw input from here.
          const place =
            other && toolCall ? { ...Object(within), toolCall: { ...toolCall, args: other.raw } } : within;
          if (writes === undefined) return body(input, manager, place);
          return writes.around(() => body(input, writes.callbacks(manager), writes.config(place)));
        },
      });
    };
    return interceptBody(tool, around) ?? tool;
  }

  async #first(body: BodyCall, started: Started, decide: (result: ToolResult) => void): Promise<unknown> {
    const first = await tried(() => (body.isChanged ? this.#run(body, started) : body.run()));
    if ('output' in first && isGenerator(first.output)) return this.#stream(body, first.output, decide);
    decide(first);
    return this.#decided();
  }

  /** A generator stays one. What it yields passes at once, or is withheld. */
  async *#stream(
    body: BodyCall,
    generator: AsyncGenerator<unknown, unknown>,
    decide: (result: ToolResult) => void,
  ): AsyncGenerator<unknown, unknown> {
    try {
      decide({ output: body.writes === undefined ? yield* generator : await final(generator, body) });
    } catch (error) {
      decide({ error });
    }
    const result = await this.#decided();
    yield* body.chunks;
    return result;
  }

  /** What the function returns once hooks have decided. */
  async #decided(): Promise<unknown> {
    return this.#concluded(await this.#outcome, this.#result);
  }

  #concluded(outcome: ToolCallOutcome, result: ToolResult): unknown {
    return inside(conclude(this.#site.call, outcome, outputOf(result), this.#tool), this.#tool);
  }

  /** Another attempt, from the raw input, because the function may have changed its parsed input. */
  #again(body: BodyCall, started: Started): Promise<ToolResult> {
    return tried(async () => final(await this.#run(body, started), body));
  }

  /** Runs the function with core's input. If middleware replaced that, rechecks the replacement first. */
  async #run(body: BodyCall, { input, running }: Started): Promise<unknown> {
    let raw = input;
    if (body.isChanged) {
      const checked = await recheckToolCall(running, body.raw, { isControlFlow });
      if (checked.kind === 'done') return undefined; // the call is over, with an outcome of its own
      raw = checked.input;
    }
    return body.run({ raw, parsed: this.#tool ? await parsed(this.#tool, raw) : raw });
  }

  /**
   * A middleware calls the tool again. Hooks decide again on what the model sent, but an approver does not answer twice for
   * the same input.
   */
  async #onceMore(body: BodyCall, ran: HookableTool | undefined): Promise<unknown> {
    const { run, call, options, tool } = this.#site;
    if (ran !== tool)
      throw new Error(`Hooks renamed this call to "${this.#tool?.name}"; a middleware cannot run it again.`);
    let result: ToolResult = { output: undefined };
    const execute = async (input: unknown, running: ExecuteOptions): Promise<unknown> => {
      result = await this.#again(body, { input, running });
      return given(resultOf(result, call));
    };
    const outcome = await run.callTool(call, execute, options);
    return this.#concluded(outcome, result);
  }
}

async function tried(run: () => unknown): Promise<ToolResult> {
  try {
    return { output: await run() };
  } catch (error) {
    return { error };
  }
}

function given(attempt: ToolResult): unknown {
  if ('error' in attempt) throw attempt.error;
  return attempt.output;
}

function outputOf(attempt: ToolResult): unknown {
  return 'output' in attempt ? attempt.output : undefined;
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
