import type { Hooks, Session } from '@hooks/core';
import type { RunToolsRunner } from './call-id.ts';

const runs: WeakMap<
  RunToolsRunner,
  Map<Hooks, { readonly session: Session; readonly run: string }>
> = new WeakMap();

/** The session of a `runTools`: it opens at the first tool call, and closes with the runner. */
export function runOf(
  hooks: Hooks,
  runner: RunToolsRunner,
): { readonly session: Session; readonly run: string } {
  const ofRunner = runs.get(runner) ?? new Map();
  runs.set(runner, ofRunner);
  let own = ofRunner.get(hooks);
  if (own === undefined) {
    const session = hooks.session();
    own = { session, run: crypto.randomUUID() };
    ofRunner.set(hooks, own);
    runner.on('end', () => void session.close());
  }
  return own;
}
