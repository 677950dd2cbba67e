/** What a command needs of the process that it runs in; a test gives its own. */
export interface Program {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** Where text is written. */
interface Output {
  write(text: string): unknown;
}

/** Something that the user did; told in a line, without a stack. */
export class UserError extends Error {}
