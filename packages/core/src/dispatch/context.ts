import type { Chain } from '../registry/chain.ts';

/** What a handler gets beside the event. */
export interface HandlerContext {
  /** Fires at the handler's timeout and when the run is aborted. Made when first read: before the handler has answered. */
  readonly signal: AbortSignal;
}

/** The context of a handler's call; handlers that answered at once and never read the signal may share one. */
export class Context implements HandlerContext {
  // Plain fields: private ones cost a fifth of a dispatch here.
  declare readonly run: AbortSignal | undefined;
  private made: AbortSignal | undefined;
  /** Set where its handler may still hold on to the signal: then the next handler needs a context of its own. */
  controller: AbortController | undefined;

  constructor(run?: AbortSignal) {
    this.run = run;
  }

  get signal(): AbortSignal {
    if (!this.made) {
      this.controller = new AbortController();
      const { signal } = this.controller;
      this.made = this.run ? AbortSignal.any([this.run, signal]) : signal;
    }
    return this.made;
  }

  /** Fires the signal, also where it is read only later. */
  abort(reason?: unknown): void {
    void this.signal;
    this.controller?.abort(reason);
  }
}

/** A context for hooks of a chain; those that run to completion on an abort are not given the run's signal. */
export function contextFor({ spec }: Chain, { signal }: Signaled, kept?: Context): Context {
  const run = spec.abortable ? signal : undefined;
  return kept !== undefined && kept.run === run ? kept : new Context(run);
}

/** The context of the last dispatch that nobody has kept. Making two for each tool call would cost a twentieth of the call. */
let spare: Context | undefined;

/** A context for all hooks of a chain, as long as they answer at once and none has read the signal. */
export function borrow(chain: Chain, options: Signaled): Context {
  const kept = spare;
  spare = undefined;
  return contextFor(chain, options, kept);
}

/** All who had it have answered, and none has read the signal: the next dispatch of that run may have it. */
export function giveBack(context: Context): void {
  spare = context;
}

interface Signaled {
  readonly signal?: AbortSignal | undefined;
}
