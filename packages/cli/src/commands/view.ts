import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { JournalSource, ReplayReport } from '@hooks/journal';
import type { Store } from '@hooks/store';
import { type ComparedPolicy, openView } from '@hooks/view';
import { addressIn, namedStore } from '../address.ts';
import { type Program, UserError } from '../program.ts';
import { openStore, USUAL_STORE } from '../store.ts';
import { journalPath, publicKeyAt } from './journal.ts';
import { policyOf } from './mcp.ts';

/** Options of `view`. */
export interface ViewCommandOptions {
  readonly journal?: string;
  readonly store?: string;
  readonly policy?: string;
  readonly key?: string;
  readonly port?: string;
}

/** Serves the page about a journal until the process ends. */
export async function view(options: ViewCommandOptions, program: Program): Promise<number> {
  const { policy, key, port } = options;
  policyOf('--policy', policy, program);
  const store = await storeOf(options, program);
  const journal = journalOf(options, store, program);
  const { url } = await openView({
    journal,
    user: program.env['USER'] ?? 'hooks view',
    ...(store && { store }),
    ...(key !== undefined && { key: publicKeyAt(key, program) }),
    ...(policy !== undefined && { compare: comparedPolicy(policy, options, program) }),
    ...(port !== undefined && { port: portOf(port) }),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new UserError('--port: the port is in use; choose another one');
    throw error;
  });
  program.stdout.write(`Open ${url}\nAnyone with this address can read the journal`);
  program.stdout.write(store ? ' and answer approvals.\n' : '.\n');
  // The server keeps the process alive.
  return new Promise(() => {});
}

/** The store with pending approvals. A store that the user named must exist. */
async function storeOf({ store: given }: ViewCommandOptions, program: Program): Promise<Store | undefined> {
  const named = namedStore(given, program);
  if (named === undefined && !existsSync(resolve(program.cwd(), USUAL_STORE.given))) return undefined;
  return openStore(named ?? USUAL_STORE, program);
}

function journalOf(
  { journal, store: given }: ViewCommandOptions,
  store: Store | undefined,
  program: Program,
): JournalSource {
  if (journal === undefined && given !== undefined && store) return store;
  return journalPath('--journal', journal, program);
}

/** The variable with the address of the store, for the process that replays. */
const STORE_VARIABLE = 'HOOKS_VIEW_STORE';

/** The arguments that select the same journal for `hooks replay`. */
function journalWords({ journal, store }: ViewCommandOptions): readonly string[] {
  // An address may hold a password, which would be seen as an argument.
  if (journal === undefined && store !== undefined) return ['--store', `$${STORE_VARIABLE}`];
  return ['--journal', journal ?? '.hooks/journal'];
}

/** Runs the replay in a separate process, because it sets the clock of its process. */
function comparedPolicy(policy: string, options: ViewCommandOptions, program: Program): ComparedPolicy {
  const [command = '', ...words] = program.self;
  const run = promisify(execFile);
  return {
    name: policy,
    async replay(): Promise<ReplayReport> {
      try {
        const { stdout } = await run(
          command,
          [...words, 'replay', '--policy', policy, ...journalWords(options), '--json'],
          {
            cwd: program.cwd(),
            env: {
              ...process.env,
              ...(options.store !== undefined && {
                [STORE_VARIABLE]: addressIn({ name: '--store', given: options.store }, program),
              }),
            },
            maxBuffer: 1 << 30,
          },
        );
        return JSON.parse(stdout);
      } catch (error) {
        const { stderr = '', code }: { readonly stderr?: string; readonly code?: unknown } = Object(error);
        throw new UserError(stderr.trim() || `hooks replay ended with ${String(code)}`);
      }
    },
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UserError('--port: expected a number up to 65535');
  return port;
}
