import { addContext, type HookProvider, proceed, type Session, SessionStart, TurnStart } from '@hooks/core';
import { runtime } from '../node.ts';
import { redactorOf } from '../redact/redactor.ts';

/** Where a contributor looks. */
export interface ContextOptions {
  /** The working directory. Default: the process's own, as it is at each event,. */
  readonly cwd?: string;
}

/** Finds the text to tell the model, or nothing. */
export type Contribute = (where: {
  readonly cwd: string;
  readonly signal: AbortSignal;
}) => string | undefined | Promise<string | undefined>;

/** What the model is told at each turn: in that turn's model call only. */
export function eachTurn(name: string, { cwd }: ContextOptions, contribute: Contribute): HookProvider {
  return {
    name,
    register(hooks) {
      hooks.on(
        TurnStart,
        async ({ session }, context) => told(session, await contribute(where(cwd, context.signal))),
        { id: 'context' },
      );
    },
  };
}

/** What the model is told when a session starts: in all of its model calls. */
export function onceASession(name: string, { cwd }: ContextOptions, contribute: Contribute): HookProvider {
  return {
    name,
    register(hooks) {
      hooks.on(
        SessionStart,
        async ({ session }, context) => told(session, await contribute(where(cwd, context.signal))),
        { id: 'context' },
      );
    },
  };
}

/** The process's folder is asked for by those that look into one: the date is known without. */
function where(cwd: string | undefined, signal: AbortSignal): Parameters<Contribute>[0] {
  return {
    signal,
    get cwd() {
      return cwd ?? runtime().cwd();
    },
  };
}

/** Context reaches the model beside the messages that `redactSecrets` sees, so its secrets are taken out here. */
function told(session: Session, text = ''): ReturnType<typeof proceed> | ReturnType<typeof addContext> {
  return text.trim() === '' ? proceed() : addContext(redactorOf(session).text(text));
}
