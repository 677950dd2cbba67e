import {
  AfterToolCall,
  BeforeModelCall,
  type EventPayload,
  type HookRegistrar,
  sessionKey,
} from '@hooks/core';

/** A call that has been counted, and may yet be refused by another hook. */
export interface Counted {
  giveBack(): void | Promise<void>;
}

/** What came of counting a call: it was counted, or is refused. */
type Taken = Counted | { readonly giveBack?: never };
type Taking = Taken | Promise<Taken>;

/**
 * Gives back what calls have taken that then do not run: another hook has refused them while they were counted, or has
 * refused an input that a middleware changed since.
 */
export class Refunds {
  /** By execution, for as long as the session: a call that pauses may go on elsewhere. */
  readonly #ofTools = sessionKey<Map<string, Taking>>(`@hooks/guards/refunds/${++made}`);
  readonly #ofModels: WeakMap<EventPayload, Taking> = new WeakMap();

  /** Watches for tool calls that do not run. */
  watchTools(hooks: HookRegistrar, id: string): void {
    hooks.observe(
      AfterToolCall,
      ({ session, executionId = '', ran }) => {
        const ofTools = session.get(this.#ofTools, newMap);
        const taking = ofTools.get(executionId);
        ofTools.delete(executionId);
        return ran ? undefined : giveBack(taking);
      },
      // After the costs of the call are counted: in this order of events, the highest priority is asked last.
      { id, priority: 10_000 },
    );
  }

  /** Watches for model calls that do not run. */
  watchModels(hooks: HookRegistrar, id: string): void {
    hooks.observe(
      BeforeModelCall,
      (call, { kind }) => (kind === 'block' ? giveBack(this.#ofModels.get(call)) : undefined),
      { id },
    );
  }

  /** Notes what a tool call takes. Another program that reports a call may not say which one it is. */
  ofTool<T extends Taking>({ session, executionId }: ToolCall, taking: T): T {
    if (executionId !== undefined) session.get(this.#ofTools, newMap).set(executionId, taking);
    return taking;
  }

  /** Notes what a model call takes. */
  ofModel<T extends Taking>(call: EventPayload, taking: T): T {
    this.#ofModels.set(call, taking);
    return taking;
  }
}

type ToolCall = EventPayload & { readonly executionId?: string };

let made = 0;

function newMap(): Map<string, Taking> {
  return new Map();
}

function giveBack(taking: Taking | undefined): void | Promise<void> {
  if (!(taking instanceof Promise)) return taking?.giveBack?.();
  return taking.then((taken) => taken.giveBack?.());
}
