import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { MemorySaver } from '@langchain/langgraph';

/** A checkpointer that keeps its checkpoints in a file, as one that outlives its process does. */
export class FileSaver extends MemorySaver {
  readonly #file: string;

  constructor(file: string) {
    super();
    this.#file = file;
    if (existsSync(file)) Object.assign(this, deserialize(readFileSync(file)));
  }

  override async put(...checkpoint: Parameters<MemorySaver['put']>): ReturnType<MemorySaver['put']> {
    const config = await super.put(...checkpoint);
    this.#write();
    return config;
  }

  override async putWrites(...writes: Parameters<MemorySaver['putWrites']>): Promise<void> {
    await super.putWrites(...writes);
    this.#write();
  }

  #write(): void {
    const { storage, writes } = this;
    writeFileSync(this.#file, serialize({ storage, writes }));
  }
}
