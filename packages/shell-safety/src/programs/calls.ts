import { namesIn, options } from '../shell/options.ts';
import { isNamed, type Names } from './pattern.ts';
import type { Invocation } from './program.ts';
import { fitsOne } from './read-call.ts';

/** The prefix under which aliases of git are stored among the files of the script. */
export const ALIAS = '/*alias.';

/** A call of git: its command, what stands behind it, and the settings (`-c name=value`) in front of it. */
interface GitCall {
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
  for (; args[i]?.startsWith('-'); i++) {
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

const VALUED: ReadonlySet<string> = new Set(
  '-C -c --git-dir --work-tree --namespace --config-env --exec-path --super-prefix --attr-source --shallow-file'.split(
    ' ',
  ),
);

interface Copying {
  readonly sources: readonly string[];
  /** Nothing where there is one operand alone. */
  readonly target: string | undefined;
}

/** `cp a b folder`, `cp -t folder a b`; `valued` are the options with a value, where they are not those of `cp`. */
export function copying(args: readonly string[], valued: string = OPTIONS): Copying {
  const { operands, values } = options(args, valued);
  const folder = values.get('-t') ?? values.get('--target-directory');
  if (folder !== undefined) return { sources: operands, target: folder };
  if (operands.length < 2) return { sources: operands, target: undefined };
  return { sources: operands.slice(0, -1), target: operands.at(-1) };
}

/** A file that is copied into a folder keeps its name there. */
export function inFolder(folder: string, from: string): string {
  return `${folder}/${from.slice(Math.max(from.lastIndexOf('/'), from.lastIndexOf(':')) + 1)}`;
}

/** The values of options (`o output`); `others` are those that have a value, too. */
export function optionValues(args: readonly string[], names: string, others = ''): readonly string[] {
  const own = namesIn(names);
  const { given } = options(args, `${names} ${others}`);
  return given.flatMap(([name, value]) => (own.has(name.replace(/^--?/, '')) ? value : []));
}

const OPTIONS = 't S m g o target-directory suffix mode owner group profile region';

/** The words behind options of these names. */
export function wordsBehind(args: readonly string[], names: Names): readonly string[] {
  return args.filter((_, i) => isNamed([args[i - 1] ?? ''], names));
}

/** Whether what a program prints came over the network. */
export function printsRemote(call: Invocation): boolean {
  const { remote } = call.known;
  return remote === true || (remote !== undefined && fitsOne(call, remote));
}

/** Whether the source of a copy is on another machine: `host:x`, `s3://bucket/x`. */
export function isRemotePlace(path: string): boolean {
  return /^(?:[a-z][\w+.-]*:\/\/|(?:[\w.-]+@)?[\w.-]{2,}:(?!\\))/i.test(path);
}

/** The machines that words name: in an address, before a path, or as `user@host`. */
export function hostsIn(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => HOST.exec(arg)?.slice(1).find(Boolean) ?? []);
}

const HOST =
  /^(?:[a-z][\w+.-]{0,20}:\/\/(?:[^@/\s]{0,80}@)?([\w.-]{1,200})|[\w.-]{1,80}@([\w.-]{1,200})|([\w-]{1,80}(?:\.[\w-]{1,80}){1,8}):)/i;
