import { type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkOptions, needed, type OptionChecks, optionCheck, optionKinds } from '@hooks/core/options';
import { JournalError, type JournalSource } from '@hooks/journal';
import type { Store } from '@hooks/store';
import { forgetApproval } from '@hooks/store/approvals';
import type { Overview } from './api.ts';
import { Runs } from './runs/runs.ts';
import { type Access, refuseForeign, refuseUnknown } from './server/access.ts';
import { ChainCheck } from './server/chain.ts';
import { type ComparedPolicy, PolicyComparison } from './server/comparison.ts';
import { answerInbox, readInbox, readRemembered } from './server/inbox.ts';
import { Live } from './server/live.ts';
import { readPage, sendPage } from './server/page.ts';
import { readJson, sendError, sendJson } from './server/respond.ts';

/** Options of {@link openView}. */
export interface ViewOptions {
  /** The journal to show: a directory, a file, or a store. It need not exist yet. */
  readonly journal: JournalSource;
  /** The store with pending approvals. Without it, the page has no inbox. */
  readonly store?: Store;
  /** The public key that verifies the signatures of checkpoints. */
  readonly key?: KeyObject;
  /** Another policy. The page shows what it would have decided about the calls of the journal. */
  readonly compare?: ComparedPolicy;
  /** The name of the person who answers approvals. Default: `hooks view`. */
  readonly user?: string;
  /** The port on loopback. Default: a free one. */
  readonly port?: number;
}

const OPTIONS: OptionChecks<ViewOptions> = {
  journal: needed(
    optionCheck('a path or a store', (value) => typeof value === 'string' || Object(value) === value),
  ),
  store: optionKinds.object,
  key: optionKinds.object,
  compare: optionKinds.object,
  user: optionKinds.text,
  port: optionKinds.amount,
};

/** A served page. */
export interface View extends AsyncDisposable {
  /** The address with its token. Anyone who has it can read the journal and answer approvals. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a page about a journal, on loopback: runs, the decisions of hooks, the journal's integrity, and pending
 * approvals. Closing it does not close the journal and the store.
 *
 * @example
 * ```ts
 * await using view = await openView({ journal: '.hooks/journal' });
 * console.log(view.url);
 * ```
 */
export async function openView(options: ViewOptions): Promise<View> {
  options = checkOptions('openView', options, OPTIONS);
  const page = readPage();
  const token = randomBytes(32).toString('base64url');
  const hosts = new Set<string>();
  const api = new Api(options, { token, hosts });
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/[?#].*$/s, '');
    const foreign = refuseForeign(request, { token, hosts });
    if (foreign) return sendError(response, foreign.status, foreign.message);
    if (request.method === 'GET' && sendPage(page, path, response)) return;
    api.answer(request, path, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else sendError(response, 500, message);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  for (const host of ['127.0.0.1', 'localhost']) hosts.add(`${host}:${port}`);
  const close = async (): Promise<void> => {
    api.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  // After `#`, the token is in no request line, log or Referer.
  return { url: `http://127.0.0.1:${port}/#token=${token}`, close, [Symbol.asyncDispose]: close };
}

type Handler = (request: IncomingMessage, response: ServerResponse, id: string) => void | Promise<void>;

/** The API of the page. */
class Api {
  readonly #options: ViewOptions;
  readonly #access: Access;
  readonly #runs: Runs;
  readonly #chain: ChainCheck;
  readonly #comparison: PolicyComparison | undefined;
  readonly #live: Live;
  /** The last state sent to the open pages. */
  #told = '';
  #waiting = '[]';
  #remembered = '[]';

  constructor(options: ViewOptions, access: Access) {
    this.#options = options;
    this.#access = access;
    this.#runs = new Runs(options.journal);
    this.#chain = new ChainCheck(options.journal, options.key);
    this.#comparison = options.compare && new PolicyComparison(options.compare, this.#runs.all);
    this.#live = new Live(() => this.#look());
  }

  async answer(request: IncomingMessage, path: string, response: ServerResponse): Promise<void> {
    const refused = refuseUnknown(request, this.#access);
    if (refused) return sendError(response, refused.status, refused.message);
    const [, name = '', id = ''] = /^\/api\/([a-z]+)(?:\/([\w-]+))?$/.exec(path) ?? [];
    const handler = Object.hasOwn(this.#handlers, `${request.method} ${name}`)
      ? this.#handlers[`${request.method} ${name}`]
      : undefined;
    if (handler === undefined) return sendError(response, 404, 'This path does not exist.');
    await handler(request, response, id);
  }

  close(): void {
    this.#live.close();
  }

  readonly #handlers: Readonly<Record<string, Handler>> = {
    'GET overview': (_, response) => sendJson(response, 200, this.#overview()),
    'GET runs': async (_, response, id) => {
      // For a long journal, respond with a part of the list. The rest follows as events.
      await Promise.race([this.#runs.refresh(), soon()]);
      if (id === '') return sendJson(response, 200, this.#runs.summaries);
      const detail = await this.#find(() => this.#runs.detail(id));
      if (detail === undefined) return sendError(response, 404, 'There is no such run in the journal.');
      sendJson(response, 200, detail);
    },
    'GET policies': async (_, response, digest) => {
      const policy = await this.#find(() => this.#runs.policy(digest));
      if (policy === undefined) return sendError(response, 404, 'There is no such policy in the journal.');
      sendJson(response, 200, policy);
    },
    'GET live': (_, response) => {
      this.#live.open(response);
      // A page that has just opened may have missed the last state, so send it again.
      this.#told = '';
      this.#waiting = '';
      this.#remembered = '';
    },
    'GET chain': (_, response) => this.#sendChain(response, false),
    'POST chain': (_, response) => this.#sendChain(response, true),
    'GET comparison': (_, response) => this.#sendComparison(response, false),
    'POST comparison': (_, response) => this.#sendComparison(response, true),
    'GET approvals': async (_, response) => {
      const { store } = this.#options;
      sendJson(response, 200, store ? await readInbox(store) : []);
    },
    'POST approvals': async (request, response, id) => {
      const { store, user = 'hooks view' } = this.#options;
      if (store === undefined) return sendError(response, 404, 'There is no inbox without a store.');
      const answered = await answerInbox(store, id, await readJson(request), user);
      if (answered.kind === 'done') return sendJson(response, 200, { received: answered.received });
      sendError(response, answered.kind === 'gone' ? 409 : 400, answered.message);
    },
    'GET remembered': async (_, response) => {
      const { store } = this.#options;
      sendJson(response, 200, store ? await readRemembered(store) : []);
    },
    'DELETE remembered': async (_, response, id) => {
      const { store } = this.#options;
      if (store !== undefined && (await forgetApproval(store, id))) return sendJson(response, 200, {});
      sendError(response, 404, 'There is no such remembered approval.');
    },
  };

  /** Finds something in the journal, which it reads to its end before it answers that there is no such thing. */
  async #find<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T | undefined> {
    const found = await find();
    if (found !== undefined) return found;
    await this.#runs.refresh();
    return find();
  }

  #overview(): Overview {
    const { journal, store, compare } = this.#options;
    return {
      journal: typeof journal === 'string' ? journal : journal.name,
      ...(store && { store: store.name }),
      ...(compare && { comparedPolicy: compare.name }),
      loaded: this.#runs.all.loaded,
      records: this.#runs.all.records,
    };
  }

  async #sendComparison(response: ServerResponse, again: boolean): Promise<void> {
    if (this.#comparison === undefined)
      return sendError(response, 404, 'There is no policy to compare with.');
    sendJson(response, 200, await this.#comparison.result(again));
  }

  async #sendChain(response: ServerResponse, again: boolean): Promise<void> {
    try {
      sendJson(response, 200, await this.#chain.state(again));
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      sendError(response, 404, error.message);
    }
  }

  /** Sends changes to the open pages. Reports an unreachable store and tries again later. */
  async #look(): Promise<void> {
    const { store } = this.#options;
    try {
      await Promise.race([this.#runs.refresh(), soon()]);
      const changed = this.#runs.takeChanged();
      if (changed.length > 0) this.#live.send('runs', changed);
      const overview = JSON.stringify(this.#overview());
      if (overview !== this.#told) this.#live.send('overview', this.#overview());
      this.#told = overview;
      if (store === undefined) return;
      const waiting = await readInbox(store);
      const text = JSON.stringify(waiting);
      if (text !== this.#waiting) this.#live.send('approvals', waiting);
      this.#waiting = text;
      const remembered = await readRemembered(store);
      const kept = JSON.stringify(remembered);
      if (kept !== this.#remembered) this.#live.send('remembered', remembered);
      this.#remembered = kept;
    } catch (error) {
      this.#live.send('problem', { message: error instanceof Error ? error.message : String(error) });
    }
  }
}

/** The time that a page waits before it shows a part of the list. */
function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
}
