/** What a command needs of the process that it runs in; a test gives its own. */
export interface Program {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words that start this program: Node, its options and the file. */
  readonly self: readonly string[];
  cwd(): string;
}

/** Where text is written. */
interface Output {
  write(text: string): unknown;
}

/** Something that the user did; told in a line, without a stack. */
export class UserError extends Error {}

/** What is said of anything that was thrown, also of what throws when it is made a text. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'something was thrown that is no error';
  }
}
