import { type CommandRequest, type CommandResult, executeCommand } from './execute.ts';

/*
 * The spawner: a small process that is kept, and runs commands for a parent that has grown large (spawning blocks
 * in proportion to the memory of the process that spawns). It lives as long as its parent: when the channel
 * closes, it leaves, and what it still runs is killed with it.
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

// A terminal's Ctrl+C reaches this process too; the parent decides when to go.
process.on('SIGINT', () => {});
