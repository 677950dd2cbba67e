import { programOf } from './index.ts';
import type { Starts } from './program.ts';

/** What is left when a wrapper is taken away: another program, or a text for a shell. */
interface Unwrapped {
  readonly fields?: readonly string[];
  readonly shell?: string;
  readonly env?: readonly [string, string][];
  readonly folder?: string | undefined;
  /** A shell that reads its input. */
  readonly readsInput?: true;
  /** Its input as it reads there: with this machine's names of what is mounted. */
  readonly input?: (text: string) => string;
}

/** Takes one wrapper off, or answers nothing where the program is no wrapper or wraps nothing here. */
export function unwrap(name: string, args: readonly string[]): Unwrapped | undefined {
  const known = programOf(name);
  const contained = known?.container ? inContainer(args) : undefined;
  if (contained) return contained;
  const wrapper = known?.starts;
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
    const option = readOption(args[i] ?? '', args[i + 1], list(wrapper.valued), []);
    if (!option) return verbs.includes(args[i] ?? '') ? takeOff('', wrapper, args.slice(i + 1)) : undefined;
    if (option.usesNext) i++;
  }
  return undefined;
}

function takeOff(name: string, wrapper: Starts, args: readonly string[]): Unwrapped | undefined {
  const valued = list(wrapper.valued);
  const commandIn = list(wrapper.commandIn);
  const folderIn = list(wrapper.folderIn);
  const env: [string, string][] = [];
  let skip = wrapper.skip === 'all' ? Number.POSITIVE_INFINITY : (wrapper.skip ?? 0);
  let shell: string | undefined;
  let { folder } = wrapper;
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (list(wrapper.idle).includes(arg)) return undefined;
    if (arg === '--' && wrapper.skip === 'all') continue;
    if (arg === '--') {
      i++;
      break;
    }
    const option = readOption(arg, args[i + 1], valued, commandIn);
    const assignment = wrapper.assigns ? /^(\w+)=(.*)$/s.exec(arg) : null;
    if (option) {
      shell = option.shell ?? shell;
      folder = valueIn(folderIn, arg, args[i + 1]) ?? folder;
      if (option.usesNext) i++;
    } else if (assignment) env.push([assignment[1] ?? '', assignment[2] ?? '']);
    else if (skip > 0) skip--;
    else break;
  }
  const fields = args.slice(i + (skip > 0 && Number.isFinite(skip) ? skip : 0));
  // `env -S 'a b' c` goes on with what follows; the others take it as $0, $1, …
  if (shell !== undefined)
    return { shell: name === 'env' ? [shell, ...fields].join(' ') : shell, env, folder };
  if (fields.length === 0) return isShell(wrapper, args) ? { readsInput: true } : undefined;
  const isText =
    wrapper.joins === 'all' ||
    (fields.length === 1 && (wrapper.joins === 'one' || (wrapper.packages && /\s/.test(fields[0] ?? ''))));
  if (isText) return { shell: fields.join(' '), env, folder };
  // `rimraf@5` is `rimraf`.
  if (wrapper.packages)
    return { fields: [(fields[0] ?? '').replace(/(?<=.)@[^@]*$/, ''), ...fields.slice(1)], env };
  return { fields, env, folder };
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

function list(words: string | undefined): readonly string[] {
  return words ? words.split(' ') : [];
}

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
    const [, name = arg, value] = /^([^=]*)=(.*)$/s.exec(arg) ?? [];
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

/**
 * `docker exec web rm x`, `docker run alpine rm x`, `kubectl exec pod -- rm x`. What it does there counts as done here,
 * and what of this machine is mounted there has its name of here: with `-v /:/host`, `/host/etc` is `/etc`.
 */
function inContainer(args: readonly string[]): Unwrapped | undefined {
  const verb = args.findIndex((arg) => /^(?:exec|run|debug)$/.test(arg));
  if (verb === -1) return undefined;
  const dashes = args.indexOf('--');
  let i = verb + 1;
  for (; i < args.length && args[i]?.startsWith('-'); i++) if (VALUED.test(args[i] ?? '')) i++;
  const fields = dashes !== -1 ? args.slice(dashes + 1) : args.slice(i + 1);
  if (fields.length === 0) return undefined;
  // In a debug container the node's own files are under /host.
  const given = args[verb] === 'debug' ? '-v /:/host' : args.slice(verb + 1, i).join(' ');
  const mounts = [...given.matchAll(MOUNTS)].map(([, host, inside, source, target]): [string, string] => [
    inside ?? target ?? '',
    (host ?? source ?? '').replace(/(?<!\/)\/+$/, ''),
  ]);
  if (mounts.length === 0) return { fields };
  const input = (text: string): string =>
    mounts.reduce((mapped, [from, to]) => onHost(mapped, from, to), text);
  return { fields: fields.map(input), input };
}

const VALUED =
  /^(?:-[itd]*[evpwulhmacn]|--(?:env|volume|publish|workdir|user|label|name|network|net|mount|env-file|entrypoint|hostname|memory|cpus|platform|add-host|device|restart|pull|ulimit|shm-size|tmpfs|link|expose|cap-add|cap-drop|security-opt|log-driver|index|detach-keys|gpus|ipc|pid|runtime|namespace|container|image|context))$/;

/** Folders of this machine, from `-v host:inside`, `--volume=…` and `--mount type=bind,source=…,target=…`. */
const MOUNTS =
  /(?:^| )(?:(?:-[itd]*v|--volume)[= ]?([/~.][^: ]{0,400}):(\/[^: ]{0,400})|--mount[= ](?=\S{0,400}\b(?:source|src)=([/~.][^, ]{0,400}))(?=\S{0,400}\b(?:target|destination|dst)=(\/[^, ]{0,400})))/g;

/** The same text with the name that one of its paths has outside. */
function onHost(text: string, inside: string, host: string): string {
  const from = inside.replace(/(?<!\/)\/+$/, '');
  if (from === '' || !text.includes(from)) return text;
  return text.split(from).reduce((left, right) => {
    const whole = /(?:^|[\s'"=:(,])$/.test(left) && /^(?:$|[/\s'");:,])/.test(right);
    return left + (whole ? host + (host === '' && !right.startsWith('/') ? '/' : '') : from) + right;
  });
}
