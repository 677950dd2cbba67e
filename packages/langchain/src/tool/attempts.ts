import type { ExecuteOptions, ToolCallOutcome } from '@hooks/core';
import { decidesResult } from '@hooks/core/adapter';
import { recheckToolCall } from '@hooks/core/tool-call';
import { concludeInside } from './answer.ts';
import type { Attempt } from './attempt.ts';
import type { ExecutionSite } from './execution.ts';
import type { Change, Refusal } from './intercept.ts';
import { parsed } from './schema.ts';
import type { HookableTool } from './tool.ts';
import { HeldWrites } from './writes.ts';

/** Runs the tool's function: with what the framework has made of the input, or with what is given as `other`. */
export type Body = (writes: HeldWrites | undefined, other?: { readonly input: unknown }) => unknown;

/** How core starts an attempt. */
export interface Started {
  readonly input: unknown;
  readonly running: ExecuteOptions;
}

/** The attempts at a tool's function in one call of core's. */
export class Attempts {
  readonly #site: ExecutionSite;
  readonly #tool: HookableTool | undefined;
  readonly #body: Body;
  /** Set where hooks of other registries have made another input of the call's. */
  #change: Change | undefined;
  #running: ExecuteOptions | undefined;
  #writes: HeldWrites | undefined;

  constructor(site: ExecutionSite, tool: HookableTool | undefined, body: Body, change: Change | undefined) {
    this.#site = site;
    this.#tool = tool;
    this.#body = body;
    this.#change = change;
  }

  /** What holds back the writes of the last attempt. */
  get writes(): HeldWrites | undefined {
    return this.#writes;
  }

  first(running: ExecuteOptions): unknown {
    this.#begin(running);
    return this.#change === undefined ? this.#body(this.#writes) : this.#asked(this.#change, running, false);
  }

  /** With what the schema makes of the raw input: the function may have changed what it was given before. */
  again({ input, running }: Started): Promise<unknown> {
    this.#begin(running);
    return this.#change === undefined ? this.#with(input) : this.#asked(this.#change, running, true);
  }

  /** Hooks of another registry have made another input of it by now: our hooks are asked before it runs with that. */
  take(change: Change): void {
    this.#change = change;
  }

  /** Asks about what hooks of another registry make of the input by now. */
  async changed(
    change: Change,
    running: ExecuteOptions | undefined = this.#running,
  ): Promise<Refusal | undefined> {
    if (running === undefined) return undefined;
    this.#change = change;
    const { call, options } = this.#site;
    const checked = await recheckToolCall(running, change.input, options);
    if (checked.kind === 'done')
      return { answer: concludeInside(call, checked.outcome, undefined, this.#tool) };
    change.input = checked.input;
    return undefined;
  }

  /** What the function returns in the end; what it wrote passes where that is what it gave. */
  async returned(outcome: ToolCallOutcome, attempt: Attempt, raw: unknown): Promise<unknown> {
    if (outcome.status === 'error' && 'error' in attempt && outcome.error === attempt.error)
      await this.#writes?.release();
    const result = concludeInside(this.#site.call, outcome, raw, this.#tool);
    if (result === raw) await this.#writes?.release();
    return result;
  }

  /** Runs the function where our hooks let pass what others have made of the input, with what they leave of that. */
  async #asked(change: Change, running: ExecuteOptions, again: boolean): Promise<unknown> {
    const asked = change.input;
    const refusal = await this.changed(change, running);
    if (refusal !== undefined) return refusal.answer;
    return again || change.input !== asked ? this.#with(change.input) : this.#body(this.#writes);
  }

  async #with(input: unknown): Promise<unknown> {
    return this.#body(this.#writes, {
      input: this.#tool === undefined ? input : await parsed(this.#tool, input),
    });
  }

  /** Where hooks may change or refuse the result, what is written is held back. */
  #begin(running: ExecuteOptions): void {
    const { holdStream, hooks, call } = this.#site;
    const held = holdStream && decidesResult(hooks, this.#tool?.name ?? call.toolName);
    this.#writes = held ? new HeldWrites() : undefined;
    this.#running = running;
  }
}
