/** A problem in a file. Lines and columns count from 1. */
export interface ConfigIssue {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The path in the data: `hooks.pre_tool_use[0].hooks[1].timeout`. */
  readonly path: string;
  /** The problem, and what was expected. */
  readonly message: string;
}

/** A problem as a line for people: `hooks.yaml:7:13: hooks.stop[0].timeout: expected a number, …`. */
export function formatIssue({ file, line, column, path, message }: ConfigIssue): string {
  return `${file}:${line}:${column}: ${path ? `${path}: ` : ''}${message}`;
}
