import type { ServerResponse } from 'node:http';
import { HEADERS } from './respond.ts';

/** The interval at which the journal and the inbox are checked while a page is open. */
const EVERY_MS = 400;

/** Sends changes to the open pages by server-sent events. */
export class Live {
  readonly #responses = new Set<ServerResponse>();
  readonly #look: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  /** @param look checks for changes and calls `send` */
  constructor(look: () => Promise<void>) {
    this.#look = look;
  }

  open(response: ServerResponse): void {
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(': open\n\n');
    this.#responses.add(response);
    response.on('close', () => {
      this.#responses.delete(response);
      if (this.#responses.size === 0) this.#rest();
    });
    this.#timer ??= setTimeout(this.#tick, EVERY_MS);
  }

  send(event: string, data: unknown): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const response of this.#responses) response.write(text);
  }

  close(): void {
    this.#rest();
    for (const response of this.#responses) response.end();
  }

  readonly #tick = async (): Promise<void> => {
    await this.#look();
    if (this.#responses.size > 0) this.#timer = setTimeout(this.#tick, EVERY_MS);
  };

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
