import type { ExecuteOptions, ToolCallOutcome } from '@hooks/core';
import { decidesResult, type RunToolCall } from '@hooks/core/adapter';
import { recheckToolCall } from '@hooks/core/tool-call';
import type { Member } from '../members.ts';
import { concludeInside } from './answer.ts';
import { isControlFlow, isGenerator } from './result.ts';
import { parsed } from './schema.ts';
import type { HookableTool } from './tool.ts';
import { HeldWrites } from './writes.ts';

/** What an attempt needs to know of its call. */
export interface AttemptSite {
  readonly call: RunToolCall;
  readonly members: readonly Member[];
}

/** Another input than the one that the framework has parsed: as the model would write it, and parsed. */
export interface OtherInput {
  readonly raw: unknown;
  readonly parsed: unknown;
}

/** Runs the tool's function with what the framework has made of the input, or with another input. */
export type Body = (writes: HeldWrites | undefined, other?: OtherInput) => unknown;

/** How core starts an attempt. */
export interface Started {
  readonly input: unknown;
  readonly running: ExecuteOptions;
}

/** How one attempt of a tool ended. */
export type Attempt = { readonly output: unknown } | { readonly error: unknown };

/** The attempts at a tool's function: the first, and those that hooks want afterwards. */
export class Attempts {
  readonly #site: AttemptSite;
  readonly #tool: HookableTool | undefined;
  readonly #body: Body;
  /** The input that user code between us and the tool has put in place, if it has. */
  readonly #changed: { readonly input: unknown } | undefined;
  #writes: HeldWrites | undefined;

  constructor(
    site: AttemptSite,
    tool: HookableTool | undefined,
    body: Body,
    changed: { readonly input: unknown } | undefined,
  ) {
    this.#site = site;
    this.#tool = tool;
    this.#body = body;
    this.#changed = changed;
  }

  /** What holds back the writes of the last attempt. */
  get writes(): HeldWrites | undefined {
    return this.#writes;
  }

  first(running: ExecuteOptions): unknown {
    this.#begin();
    return this.#changed === undefined ? this.#body(this.#writes) : this.#checked(this.#changed, running);
  }

  /** Runs again from the raw input: the function may have changed what it was given before. */
  again({ input, running }: Started): Promise<unknown> {
    this.#begin();
    return this.#changed === undefined ? this.#with(input) : this.#checked(this.#changed, running);
  }

  /** What the function returns in the end; what it wrote passes where that is what it gave. */
  async returned(outcome: ToolCallOutcome, attempt: Attempt, raw: unknown): Promise<unknown> {
    if (outcome.status === 'error' && 'error' in attempt && outcome.error === attempt.error)
      await this.#writes?.release();
    const result = concludeInside(this.#site.call, outcome, raw, this.#tool);
    if (result === raw) await this.#writes?.release();
    return result;
  }

  /** Asks about the changed input, and runs the function with what is left of it. */
  async #checked({ input }: { readonly input: unknown }, running: ExecuteOptions): Promise<unknown> {
    const checked = await recheckToolCall(running, input, { isControlFlow });
    return checked.kind === 'run'
      ? this.#with(checked.input)
      : concludeInside(this.#site.call, checked.outcome, undefined, this.#tool);
  }

  async #with(raw: unknown): Promise<unknown> {
    return this.#body(this.#writes, { raw, parsed: this.#tool ? await parsed(this.#tool, raw) : raw });
  }

  /** Where hooks may change or refuse the result, what is written is held back. */
  #begin(): void {
    const { members, call } = this.#site;
    const name = this.#tool?.name ?? call.toolName;
    const held = members.some(
      ({ hooks, options }) => options.holdStream !== false && decidesResult(hooks, name),
    );
    this.#writes = held ? new HeldWrites() : undefined;
  }
}

/** Runs an attempt, however it ends. */
export async function tried(run: () => unknown): Promise<Attempt> {
  try {
    return { output: await run() };
  } catch (error) {
    return { error };
  }
}

/** The final value of what may be a generator; notes what it yields. */
export async function final(value: unknown, writes?: HeldWrites, chunks?: unknown[]): Promise<unknown> {
  if (!isGenerator(value)) return value;
  for (;;) {
    const result = await (writes === undefined ? value.next() : writes.around(() => value.next()));
    if (result.done) return result.value;
    chunks?.push(result.value);
  }
}
