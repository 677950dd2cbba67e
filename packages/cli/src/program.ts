/** The process that a command runs in. Tests pass their own. */
export interface Program {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command line that starts this program: Node, its options and the file. */
  readonly self: readonly string[];
  cwd(): string;
}

/** A writable stream. */
interface Output {
  write(text: string): unknown;
}

/** A mistake of the user, printed as one line without a stack. */
export class UserError extends Error {}

/** The message of a thrown value, even one that throws when converted to text. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'a value was thrown that is not an error';
  }
}
