import { inContainer, type Unwrapped } from './containers.ts';
import { programOf } from './index.ts';
import { has, type Starts } from './program.ts';

/** Takes one wrapper off, or answers nothing where the program is no wrapper or wraps nothing here. */
export function unwrap(name: string, args: readonly string[]): Unwrapped | undefined {
  const contained = inContainer(programOf(name) ?? {}, args, programOf);
  if (contained) return contained;
  const own = programOf(name)?.starts;
  // `runuser` without -u is `su`.
  const other = args.some((arg) => /^(?:-u|--user)/.test(arg)) ? undefined : own?.otherwise;
  const wrapper = other === undefined ? own : programOf(other)?.starts;
  if (!wrapper) return undefined;
  return wrapper.verbs ? behindVerb(wrapper, list(wrapper.verbs), args) : takeOff(name, wrapper, args);
}

/** `poetry run x`: the verb is the first word that is no option. */
function behindVerb(
  wrapper: Starts,
  verbs: readonly string[],
  args: readonly string[],
): Unwrapped | undefined {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    const option = readOption(arg, args[i + 1], list(wrapper.valued), []);
    if (!option && verbs.includes(arg)) return takeOff('', wrapper, args.slice(i + 1));
    // `pnpm prisma db push` needs no verb.
    if (!option) return wrapper.packages && isTool(arg) ? takeOff('', wrapper, args.slice(i)) : undefined;
    if (option.usesNext) i++;
  }
  return undefined;
}

function takeOff(name: string, wrapper: Starts, args: readonly string[]): Unwrapped | undefined {
  const valued = list(wrapper.valued);
  const commandIn = list(wrapper.commandIn);
  const idle = list(wrapper.idle);
  const folderIn = list(wrapper.folderIn);
  const env: [string, string][] = [];
  let skip = wrapper.skip === 'all' ? Number.POSITIVE_INFINITY : (wrapper.skip ?? 0);
  let shell: string | undefined;
  let { folder } = wrapper;
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (idle.includes(arg)) return undefined;
    if (arg === '--' && wrapper.skip === 'all') continue;
    if (arg === '--') {
      i++;
      break;
    }
    const option = readOption(arg, args[i + 1], valued, commandIn);
    if (option) {
      shell = option.shell ?? shell;
      if (folderIn.length > 0) folder = valueIn(folderIn, arg, args[i + 1]) ?? folder;
      if (option.usesNext) i++;
      continue;
    }
    const assignment = wrapper.assigns ? /^(\w+)=(.*)$/s.exec(arg) : null;
    if (assignment) env.push([assignment[1] ?? '', assignment[2] ?? '']);
    else if (skip > 0) skip--;
    else break;
  }
  const fields = args.slice(i + (skip > 0 && Number.isFinite(skip) ? skip : 0));
  if (shell !== undefined) {
    // `env -S 'a b' c` goes on with what follows; the others take it as $0, $1, …
    return { shell: name === 'env' ? [shell, ...fields].join(' ') : shell, env, ...(folder && { folder }) };
  }
  if (fields.length === 0) return isShell(wrapper, args) ? { readsInput: true } : undefined;
  if (wrapper.packages && fields.length === 1 && /\s/.test(fields[0] ?? ''))
    return { shell: fields[0] ?? '', env };
  if (wrapper.packages) return { fields: [withoutVersion(fields[0] ?? ''), ...fields.slice(1)], env };
  const isText = wrapper.joins === 'all' || (wrapper.joins === 'one' && fields.length === 1);
  const started = isText ? { shell: fields.join(' '), env } : { fields, env };
  return folder === undefined ? started : { ...started, folder };
}

/** A program that a project brings with it, and no command of the package manager. */
function isTool(name: string): boolean {
  const known = programOf(name);
  return (
    known?.dangers !== undefined && !known.starts && !known.rules && !has(known, 'text', 'names', 'shows')
  );
}

/** The value of an option of one of these names: `-C dir`, `-Cdir`, `--chdir=dir`. */
function valueIn(names: readonly string[], arg: string, next: string | undefined): string | undefined {
  if (names.includes(arg)) return next;
  const name = names.find((option) => arg.startsWith(option.startsWith('--') ? `${option}=` : option));
  return name && arg.slice(name.length).replace(/^=/, '');
}

/** `sudo -s`, `ssh host`, `su`: what they read are commands. */
function isShell({ shell }: Starts, args: readonly string[]): boolean {
  return shell === true || list(shell).some((option) => args.includes(option));
}

/** `rimraf@5` is `rimraf`. */
function withoutVersion(name: string): string {
  const at = name.lastIndexOf('@');
  return at > 0 ? name.slice(0, at) : name;
}

function list(words: string | undefined): readonly string[] {
  return words ? words.split(' ') : NONE;
}

const NONE: readonly string[] = [];

interface Option {
  readonly usesNext: boolean;
  readonly shell?: string;
}

function readOption(
  arg: string,
  next: string | undefined,
  valued: readonly string[],
  commandIn: readonly string[],
): Option | undefined {
  if (/^\/[a-z?]$/i.test(arg)) return { usesNext: false };
  if (!/^[-+]./.test(arg)) return undefined;
  if (arg.startsWith('--')) {
    const [name = '', value] = split(arg);
    if (commandIn.includes(name)) return { usesNext: value === undefined, shell: value ?? next ?? '' };
    return { usesNext: value === undefined && valued.includes(name.slice(2)) };
  }
  for (let c = 1; c < arg.length; c++) {
    const letter = arg[c] ?? '';
    const attached = arg.slice(c + 1);
    if (commandIn.includes(`-${letter}`)) return { usesNext: attached === '', shell: attached || next || '' };
    if (valued.includes(letter)) return { usesNext: attached === '' };
  }
  return { usesNext: false };
}

function split(option: string): [string, string | undefined] {
  const equals = option.indexOf('=');
  return equals === -1 ? [option, undefined] : [option.slice(0, equals), option.slice(equals + 1)];
}
