/** A call of git: its command, what stands behind it, and the settings (`-c name=value`) in front of it. */
export interface GitCall {
  readonly verb: string;
  readonly rest: readonly string[];
  readonly settings: readonly string[];
  /** Where its files are: `-C folder`, `--work-tree=folder`. */
  readonly folders: readonly string[];
}

export function gitCall(args: readonly string[]): GitCall {
  const settings: string[] = [];
  const folders: string[] = [];
  let i = 0;
  for (; i < args.length && args[i]?.startsWith('-'); i++) {
    const arg = args[i] ?? '';
    const [, name = arg, attached] = /^(-[cC]|--[\w-]+(?==))=?(.+)$/s.exec(arg) ?? [];
    if (!VALUED.has(name)) continue;
    const value = attached ?? args[++i] ?? '';
    if (name === '-c') settings.push(value);
    // Its value is that of a variable.
    if (name === '--config-env') settings.push(value.replace(/=.*$/s, '='));
    if (name === '-C' || name === '--work-tree') folders.push(value);
  }
  return { verb: args[i] ?? '', rest: args.slice(i + 1), settings, folders };
}

/** Options of git itself that take a value. */
const VALUED: ReadonlySet<string> = new Set(
  '-C -c --git-dir --work-tree --namespace --config-env --exec-path --super-prefix --attr-source --shallow-file'.split(
    ' ',
  ),
);
