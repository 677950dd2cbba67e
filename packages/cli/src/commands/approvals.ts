import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isStoreError, type Store } from '@hooks/store';
import { answerApproval, type InboxAnswer, waitingApprovals } from '@hooks/store/approvals';
import { type Program, UserError } from '../program.ts';
import { table } from '../table.ts';

/** Where the requests are. */
export interface StoreOption {
  readonly store?: string;
}

/** Shows the requests that wait in an inbox. */
export async function listApprovals(
  { json, ...options }: StoreOption & { readonly json?: boolean },
  program: Program,
): Promise<number> {
  return inStore(options, program, async (store) => {
    const waiting = await waitingApprovals(store);
    if (json) program.stdout.write(`${JSON.stringify(waiting, undefined, 2)}\n`);
    else if (waiting.length === 0) program.stdout.write('No call waits for approval.\n');
    else
      program.stdout.write(
        table(
          ['id', 'tool', 'input', 'reason', 'until'],
          waiting.map(({ id, toolName, input, reason, deadline }) => [
            id,
            toolName,
            JSON.stringify(input) ?? '',
            reason,
            new Date(deadline).toISOString(),
          ]),
        ),
      );
    return 0;
  });
}

/** Answers a request. Its id may be shortened, as long as it is the only one that begins so. */
export async function answer(
  id: string,
  given: InboxAnswer,
  options: StoreOption,
  program: Program,
): Promise<number> {
  return inStore(options, program, async (store) => {
    const whole = await wholeId(store, id);
    const { toolName } = await answerApproval(store, whole, { by: program.env['USER'] ?? 'hooks', ...given });
    program.stdout.write(`${given.decision === 'allow' ? 'allowed' : 'denied'}: ${toolName} (${whole})\n`);
    return 0;
  });
}

async function wholeId(store: Store, id: string): Promise<string> {
  const fitting = (await waitingApprovals(store)).filter((request) => request.id.startsWith(id));
  if (fitting.length > 1)
    throw new UserError(`${fitting.length} requests begin with ${id}; give more of the id.`);
  return fitting[0]?.id ?? id;
}

/** Opens the store of an agent on this machine, which has to be there already. */
async function inStore(
  { store: given }: StoreOption,
  program: Program,
  use: (store: Store) => Promise<number>,
): Promise<number> {
  const path = resolve(program.cwd(), given ?? program.env['HOOKS_STORE'] ?? '.hooks/store.db');
  if (!existsSync(path))
    throw new UserError(
      `There is no store at ${path}. Give the file that your agent opens with sqliteStore(path): --store <path>, or HOOKS_STORE.`,
    );
  // Node's SQLite is slow to load, and missing in old versions: only these commands need it.
  const { sqliteStore } = await import('@hooks/store/sqlite');
  const store = sqliteStore(path);
  try {
    return await use(store);
  } catch (error) {
    if (isStoreError(error)) throw new UserError(error.message);
    throw error;
  } finally {
    await store.close();
  }
}
