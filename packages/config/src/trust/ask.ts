import { TrustStore } from './store.ts';
import { visible } from './visible.ts';

/** What a person is asked to trust. */
export interface TrustQuestion {
  /** The real path of the file. */
  readonly file: string;
  /** The whole file, safe for display. */
  readonly content: string;
}

/** Whether a file may run hooks. `true` trusts it without asking. */
export type Trust = true | TrustOptions;

/** How to decide whether a file is trusted. */
export interface TrustOptions {
  /** Where decisions are stored. */
  readonly store?: TrustStore;
  /** Asks a person. Default: asks on the terminal; without a terminal the answer is no. */
  readonly ask?: (question: TrustQuestion) => Promise<boolean>;
}

/** Whether the file with this content may run: by the stored decision, or by asking a person. */
export async function isTrusted(file: string, content: string, trust: Trust): Promise<boolean> {
  if (trust === true) return true;
  const { store = new TrustStore(), ask = askOnTerminal } = trust;
  if (await store.isTrusted(file, content)) return true;
  if (!(await ask({ file, content: visible(content) }))) return false;
  await store.trust(file, content);
  return true;
}

async function askOnTerminal({ file, content }: TrustQuestion): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const { createInterface } = process.getBuiltinModule('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(
      `${content}\n\n${visible(file)} wants to run the hooks above, as you, whenever an agent works here.\nTrust it? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
