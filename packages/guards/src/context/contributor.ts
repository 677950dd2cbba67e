import { addContext, type HookProvider, proceed, type Session, SessionStart, TurnStart } from '@hooks/core';
import { runtime } from '../node.ts';
import { type Checks, text } from '../options.ts';
import { redactorOf } from '../redact/redactor.ts';
import { versionOf } from '../version.ts';

/** Where a contributor reads files and runs git. */
export interface ContextOptions {
  /** The working directory. Default: the process's current one at each event. */
  readonly cwd?: string;
}

/** The checks of {@link ContextOptions}. */
export const CONTEXT: Checks<ContextOptions> = { cwd: text };

/** Returns the text for the model, or undefined. */
export type Contribute = (where: {
  readonly cwd: string;
  readonly signal: AbortSignal;
}) => string | undefined | Promise<string | undefined>;

/** A provider that adds text at each turn, to that turn's model call only. */
export function eachTurn(name: string, options: ContextOptions, contribute: Contribute): HookProvider {
  const { cwd } = options;
  return {
    name,
    version: versionOf(options),
    register(hooks) {
      hooks.on(
        TurnStart,
        async ({ session }, context) => told(session, await contribute(where(cwd, context.signal))),
        { id: 'context' },
      );
    },
  };
}

/** A provider that adds text at the start of a session, to all of its model calls. */
export function onceASession(name: string, options: ContextOptions, contribute: Contribute): HookProvider {
  const { cwd } = options;
  return {
    name,
    version: versionOf(options),
    register(hooks) {
      hooks.on(
        SessionStart,
        async ({ session }, context) => told(session, await contribute(where(cwd, context.signal))),
        { id: 'context' },
      );
    },
  };
}

/** Reads the working directory only when a contributor uses it, so that the date works without Node.js. */
function where(cwd: string | undefined, signal: AbortSignal): Parameters<Contribute>[0] {
  return {
    signal,
    get cwd() {
      return cwd ?? runtime().cwd();
    },
  };
}

/** Context does not pass through `redactSecrets`, so secrets are removed here. */
function told(session: Session, text = ''): ReturnType<typeof proceed> | ReturnType<typeof addContext> {
  return text.trim() === '' ? proceed() : addContext(redactorOf(session).text(text));
}
