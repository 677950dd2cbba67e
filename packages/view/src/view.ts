import { type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JournalError, type JournalSource } from '@hooks/journal';
import type { Store } from '@hooks/store';
import { forget } from '@hooks/store/approvals';
import type { Overview } from './api.ts';
import { RunIndex } from './runs/run-index.ts';
import { type Access, refuseForeign, refuseUnknown } from './server/access.ts';
import { ChainCheck } from './server/chain.ts';
import { type ComparedPolicy, PolicyComparison } from './server/comparison.ts';
import { answerInbox, readInbox, readRemembered } from './server/inbox.ts';
import { Live } from './server/live.ts';
import { readPage, sendPage } from './server/page.ts';
import { readJson, sendError, sendJson } from './server/respond.ts';

/** Options of {@link openView}. */
export interface ViewOptions {
  /** The journal to show: a directory or a file, or a store. It may not be there yet. */
  readonly journal: JournalSource;
  /** The store in which approvals wait; without it the page has no inbox. */
  readonly store?: Store;
  /** The public key of the journal: signatures of checkpoints are checked with it. */
  readonly key?: KeyObject;
  /** Another policy: the page shows what it would have done to the calls of the journal. */
  readonly compare?: ComparedPolicy;
  /** Who answers approvals; `hooks view` unless set. */
  readonly user?: string;
  /** The port on loopback; a free one unless set. */
  readonly port?: number;
}

/** A page that is being served. */
export interface View extends AsyncDisposable {
  /** The address, with the token that opens it: whoever has it reads the journal, and answers approvals. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a page over a journal, on the loopback of this machine: runs, what hooks decided in them, the state of the chain, and the
 * approvals that wait. The journal and the store are not closed with it.
 *
 * @example
 * ```ts
 * await using view = await openView({ journal: '.hooks/journal' });
 * console.log(view.url);
 * ```
 */
export async function openView(options: ViewOptions): Promise<View> {
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
  // Behind `#` it is in no request: neither in a log of them nor in a Referer.
  return { url: `http://127.0.0.1:${port}/#token=${token}`, close, [Symbol.asyncDispose]: close };
}

type Handler = (request: IncomingMessage, response: ServerResponse, id: string) => void | Promise<void>;

/** What the page asks for. */
class Api {
  readonly #options: ViewOptions;
  readonly #access: Access;
  readonly #runs: RunIndex;
  readonly #chain: ChainCheck;
  readonly #comparison: PolicyComparison | undefined;
  readonly #live: Live;
  /** What the open pages were told last. */
  #told = '';
  #waiting = '[]';
  #remembered = '[]';

  constructor(options: ViewOptions, access: Access) {
    this.#options = options;
    this.#access = access;
    this.#runs = new RunIndex(options.journal);
    this.#chain = new ChainCheck(options.journal, options.key);
    this.#comparison = options.compare && new PolicyComparison(options.compare, this.#runs);
    this.#live = new Live(() => this.#look());
  }

  async answer(request: IncomingMessage, path: string, response: ServerResponse): Promise<void> {
    const refused = refuseUnknown(request, this.#access);
    if (refused) return sendError(response, refused.status, refused.message);
    const [, name = '', id = ''] = /^\/api\/([a-z]+)(?:\/([\w-]+))?$/.exec(path) ?? [];
    const handler = Object.hasOwn(this.#handlers, `${request.method} ${name}`)
      ? this.#handlers[`${request.method} ${name}`]
      : undefined;
    if (handler === undefined) return sendError(response, 404, 'There is nothing here.');
    await handler(request, response, id);
  }

  close(): void {
    this.#live.close();
  }

  readonly #handlers: Readonly<Record<string, Handler>> = {
    'GET overview': (_, response) => sendJson(response, 200, this.#overview()),
    'GET runs': async (_, response, id) => {
      // The whole list is there at once unless the journal is long; then it comes bit by bit.
      await Promise.race([this.#runs.refresh(), soon()]);
      if (id === '') return sendJson(response, 200, this.#runs.summaries);
      const detail = await this.#runs.detail(id);
      if (detail === undefined) return sendError(response, 404, 'There is no such run in the journal.');
      sendJson(response, 200, detail);
    },
    'GET policies': (_, response, digest) => {
      const policy = this.#runs.policy(digest);
      if (policy === undefined) return sendError(response, 404, 'There is no such policy in the journal.');
      sendJson(response, 200, policy);
    },
    'GET live': (_, response) => {
      this.#live.open(response);
      // A page that has just opened may have missed what the others were told.
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
      if (store === undefined) return sendError(response, 404, 'No store was given: there is no inbox.');
      const answered = await answerInbox(store, id, await readJson(request), user);
      if (answered.kind === 'done') return sendJson(response, 200, {});
      sendError(response, answered.kind === 'gone' ? 409 : 400, answered.message);
    },
    'GET remembered': async (_, response) => {
      const { store } = this.#options;
      sendJson(response, 200, store ? await readRemembered(store) : []);
    },
    'DELETE remembered': async (_, response, id) => {
      const { store } = this.#options;
      if (store !== undefined && (await forget(store, id))) return sendJson(response, 200, {});
      sendError(response, 404, 'This approval is not remembered, or no more.');
    },
  };

  #overview(): Overview {
    const { journal, store, compare } = this.#options;
    return {
      journal: typeof journal === 'string' ? journal : journal.name,
      ...(store && { store: store.name }),
      ...(compare && { comparedPolicy: compare.name }),
      loaded: this.#runs.loaded,
      records: this.#runs.records,
    };
  }

  async #sendComparison(response: ServerResponse, again: boolean): Promise<void> {
    if (this.#comparison === undefined)
      return sendError(response, 404, 'No policy was given to compare with.');
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

  /** Tells the open pages what is new. A store that cannot be reached now may be later. */
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

/** As long as a page waits before it shows a part of the list. */
function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
}
