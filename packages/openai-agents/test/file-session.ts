import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentInputItem, Session } from '@openai/agents';

/** A session that keeps its items in a file, as one that outlives its process does. */
export class FileSession implements Session {
  readonly #id: string;
  readonly #file: string;

  constructor(id: string, directory: string) {
    this.#id = id;
    this.#file = join(directory, `${id}.items.json`);
  }

  async getSessionId(): Promise<string> {
    return this.#id;
  }

  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const items = this.#read();
    return limit === undefined ? items : items.slice(-limit);
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    this.#write([...this.#read(), ...items]);
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    const items = this.#read();
    const last = items.pop();
    this.#write(items);
    return last;
  }

  async clearSession(): Promise<void> {
    this.#write([]);
  }

  #read(): AgentInputItem[] {
    return existsSync(this.#file) ? JSON.parse(readFileSync(this.#file, 'utf8')) : [];
  }

  #write(items: readonly AgentInputItem[]): void {
    writeFileSync(this.#file, JSON.stringify(items));
  }
}
