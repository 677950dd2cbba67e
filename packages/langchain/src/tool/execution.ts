import type { CallOptions, ExecuteOptions } from '@hooks/core';
import type { InnerRegistries, RunToolCall } from '@hooks/core/adapter';
import { recheckToolCall, type ToolResult } from '@hooks/core/tool-call';
import { withParentCall } from '../config.ts';
import { isControlFlow } from '../internals.ts';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import { conclude, concludeInside, concludeUnrun, resultOf } from './answer.ts';
import { interceptBody } from './intercept.ts';
import { isGenerator, textOf } from './result.ts';
import { parsed } from './schema.ts';
import type { RunStep, Step } from './steps.ts';
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

/** Runs the tool of a call from its first step on, and returns what the framework gets. */
export async function execute(site: ExecutionSite, first: Step): Promise<unknown> {
  const { call, tool, start } = site;
  if ('outcome' in first) return concludeUnrun(call, first.outcome, tool);
  for (let step = first; ; ) {
    const opened = new ToolRun(site, step);
    const adopt: Adopt = (found) => opened.intercepted(found);
    const ran = step.tool;
    const attempt = await tried(() => start(ran && adopt(ran), step.input, adopt));
    if (step.ended || 'output' in attempt) await opened.decided;
    if (step.ended) return given(attempt);
    // The function was not reached: a middleware has answered, or the tool has an `invoke` of its own.
    const next = await step.end(resultOf(attempt, call));
    if ('outcome' in next) return conclude(call, next.outcome, outputOf(attempt), opened.tool);
    step = next;
  }
}

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

type Started = Pick<RunStep, 'input' | 'running'>;

/**
 * One run of a tool by the framework. Hooks decide on the result of the tool's function while this run is still open, so
 * nobody sees a result that they replace. On Retry, the function runs again inside it.
 */
class ToolRun {
  readonly #site: ExecutionSite;
  readonly #step: RunStep;
  #tool: HookableTool | undefined;
  /** The input that hooks decided on, as text, because middleware may change it in place. */
  #expected: { readonly input: string | undefined } | undefined;
  #reached: Promise<unknown> | undefined;

  constructor(site: ExecutionSite, step: RunStep) {
    this.#site = site;
    this.#step = step;
    this.#tool = step.tool;
  }

  /** The tool that ran. */
  get tool(): HookableTool | undefined {
    return this.#tool;
  }

  /** Settles once the tool's function, if it was called, has its final result. */
  get decided(): Promise<unknown> {
    return Promise.allSettled([this.#reached]);
  }

  /** The tool that the framework calls instead. */
  intercepted(found: HookableTool): HookableTool | undefined {
    const { registries, call, between } = this.#site;
    const tool = unhooked(found, registries);
    if (tool === undefined) return undefined;
    this.#tool = tool;
    this.#expected = between ? { input: textOf(this.#step.input) } : undefined;
    const around = (body: ToolBody) => (args: unknown, manager: unknown, config: unknown) => {
      const within = withParentCall(config, call.callId);
      const { toolCall } = Object(config);
      const writes = this.#withheldWrites();
      return this.#within({
        raw: toolCall === undefined ? args : toolCall.args, // user code may call the tool without a tool call
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

  /** Around the tool's function. */
  #within(body: BodyCall): Promise<unknown> {
    if (this.#reached !== undefined || this.#step.ended) return this.#onceMore(body);
    this.#reached = this.#first(body);
    return this.#reached;
  }

  async #first(body: BodyCall): Promise<unknown> {
    const first = await tried(() => (this.#isChanged(body) ? this.#run(body, this.#step) : body.run()));
    if ('output' in first && isGenerator(first.output)) return this.#stream(body, first.output);
    return this.#decide(body, first);
  }

  /** What the function returns once hooks have decided, possibly after further attempts. */
  async #decide(body: BodyCall, first: ToolResult): Promise<unknown> {
    const { call } = this.#site;
    let attempt = first;
    for (let step = this.#step; ; ) {
      const next = await step.end(resultOf(attempt, call));
      if ('outcome' in next) return concludeInside(call, next.outcome, outputOf(attempt), this.#tool);
      attempt = await this.#again(body, next);
      step = next;
    }
  }

  /** A generator stays one. What it yields passes at once, or is withheld. */
  async *#stream(
    body: BodyCall,
    generator: AsyncGenerator<unknown, unknown>,
  ): AsyncGenerator<unknown, unknown> {
    let attempt: ToolResult;
    try {
      attempt = { output: body.writes === undefined ? yield* generator : await final(generator, body) };
    } catch (error) {
      attempt = { error };
    }
    const result = await this.#decide(body, attempt);
    yield* body.chunks;
    return result;
  }

  /** Another attempt, from the raw input, because the function may have changed its parsed input. */
  #again(body: BodyCall, started: Started): Promise<ToolResult> {
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

  /**
   * Hooks only see the result, and what the tool writes to the stream may contain parts of it, or of what only the tool is
   * given.
   */
  #withheldWrites(): WithheldWrites | undefined {
    const { registries, call } = this.#site;
    const withheld = registries.withheld(this.#tool?.name ?? call.toolName, this.#step.running.call);
    return withheld && new WithheldWrites(withheld);
  }

  /**
   * A middleware calls the tool again. Hooks decide again on what the model sent, but an approver does not answer twice for
   * the same input.
   */
  async #onceMore(body: BodyCall): Promise<unknown> {
    const { run, call, options, tool } = this.#site;
    if (this.#step.tool !== tool)
      throw new Error(`Hooks renamed this call to "${this.#tool?.name}"; a middleware cannot run it again.`);
    let attempt: ToolResult = { output: undefined };
    const execute = async (input: unknown, running: ExecuteOptions): Promise<unknown> => {
      attempt = await this.#again(body, { input, running });
      return given(resultOf(attempt, call));
    };
    const outcome = await run.callTool(call, execute, options);
    return concludeInside(call, outcome, outputOf(attempt), this.#tool);
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
