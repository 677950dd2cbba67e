import { type CommandRequest, type CommandResult, executeCommand } from './execute.ts';

/*
 * The spawner: a small long-lived process that runs commands for a large parent, because a spawn blocks in proportion to
 * the memory of the process that spawns. When the parent's channel closes, it kills the commands that still run and
 * exits.
 */

/** A request from the parent. */
export type SpawnerRequest =
  | { readonly id: number; readonly kind: 'run'; readonly request: CommandRequest }
  | { readonly id: number; readonly kind: 'abort' };

/** The spawner's response, one per `run`. */
export interface SpawnerAnswer {
  readonly id: number;
  readonly result: CommandResult;
}

const aborts = new Map<number, AbortController>();

process.on('message', async (message: SpawnerRequest) => {
  if (message.kind === 'abort') {
    aborts.get(message.id)?.abort();
    return;
  }
  const controller = new AbortController();
  aborts.set(message.id, controller);
  const result = await executeCommand(message.request, controller.signal);
  aborts.delete(message.id);
  if (process.connected) process.send?.({ id: message.id, result } satisfies SpawnerAnswer);
});

process.on('disconnect', () => process.exit());

// Ctrl+C in a terminal reaches this process as well. The parent decides when to exit.
process.on('SIGINT', () => {});
