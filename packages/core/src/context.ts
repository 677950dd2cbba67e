/** What a handler gets beside the event. */
export interface HandlerContext {
  /** Fires at the handler's timeout and when the run is aborted. Made when first read. */
  readonly signal: AbortSignal;
}

/** The context of a handler's call; handlers that answered at once and never read the signal may share one. */
export class Context implements HandlerContext {
  // Plain fields: private ones cost a fifth of a dispatch here.
  private readonly run: AbortSignal | undefined;
  private controller: AbortController | undefined = undefined;
  private unlink: (() => void) | undefined = undefined;

  constructor(run: AbortSignal | undefined) {
    this.run = run;
  }

  /** Whether its handler may still hold on to the signal: then the next handler needs a context of its own. */
  get read(): boolean {
    return this.controller !== undefined;
  }

  get signal(): AbortSignal {
    this.controller ??= this.make();
    return this.controller.signal;
  }

  /** Fires the signal. */
  abort(reason: unknown): void {
    this.controller ??= this.make();
    this.controller.abort(reason);
  }

  /** The handler has answered: the run's signal, which may live long, lets go of this one. */
  release(): void {
    this.unlink?.();
  }

  private make(): AbortController {
    const controller = new AbortController();
    const run = this.run;
    if (run?.aborted) controller.abort(run.reason);
    else if (run !== undefined) {
      const abort = (): void => controller.abort(run.reason);
      run.addEventListener('abort', abort, { once: true });
      this.unlink = () => run.removeEventListener('abort', abort);
    }
    return controller;
  }
}
