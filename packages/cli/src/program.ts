/** What a command needs of the process that it runs in; a test gives its own. */
export interface Program {
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** Where text is written; colours only on a terminal. */
interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Something that the user did; told in a line, without a stack. */
export class UserError extends Error {}

/** All of stdin. */
export async function readAll(stdin: Program['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
