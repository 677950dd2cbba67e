import { options } from '../shell/options.ts';
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
  const [verb = '', ...rest] = options(args, list(wrapper.valued), true).operands;
  return verbs.includes(verb) ? takeOff('', wrapper, rest) : undefined;
}

function takeOff(name: string, wrapper: Starts, args: readonly string[]): Unwrapped | undefined {
  const { env, values, fields } = ownWords(wrapper, args);
  const own = args.slice(0, args.length - fields.length);
  if (list(wrapper.idle).some((option) => own.includes(option))) return undefined;
  const givenAs = (names: string | undefined): string | undefined =>
    list(names).flatMap((option) => values.get(option) ?? [])[0];
  const folder = givenAs(wrapper.folderIn) ?? wrapper.folder;
  const shell = givenAs(wrapper.commandIn);
  // `env -S 'a b' c` goes on with what follows; the others take it as $0, $1, …
  if (shell !== undefined)
    return { shell: name === 'env' ? [shell, ...fields].join(' ') : shell, env, folder };
  const [program, ...rest] = fields;
  if (program === undefined) return isShell(wrapper, args) ? { readsInput: true } : undefined;
  const { joins, packages } = wrapper;
  const isText = rest.length === 0 && (joins === 'one' || (packages && /\s/.test(program)));
  if (joins === 'all' || isText) return { shell: fields.join(' '), env, folder };
  // `rimraf@5` is `rimraf`.
  return { fields: packages ? [program.replace(/(?<=.)@[^@]*$/, ''), ...rest] : fields, env, folder };
}

interface OwnWords {
  readonly env: [string, string][];
  readonly values: ReadonlyMap<string, string>;
  /** What is left: the program and its arguments. */
  readonly fields: readonly string[];
}

/** What is a wrapper's own: options, assignments, and operands, behind which options may follow again. */
function ownWords(wrapper: Starts, args: readonly string[]): OwnWords {
  const { skip = 0, assigns } = wrapper;
  const named = [...list(wrapper.commandIn), ...list(wrapper.folderIn)].map((name) =>
    name.replace(/^--?/, ''),
  );
  const valued = [...list(wrapper.valued), ...named];
  // `su ann -- -c 'ls'`
  const words = skip === 'all' ? args.filter((arg) => arg !== '--') : args;
  const before = options(words, valued, skip !== 'all');
  const { operands } = before;
  const isOwn = (word: string): boolean => (assigns ? ASSIGNMENT.test(word) : !skip && CMD_SWITCH.test(word));
  const other = operands.findIndex((word) => !isOwn(word));
  const own = other === -1 ? operands : operands.slice(0, other);
  const behind = options(skip === 'all' ? [] : operands.slice(own.length + skip), valued, true);
  return {
    env: own.flatMap((word) => {
      const [, name, value = ''] = ASSIGNMENT.exec(word) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
    values: new Map([...before.values, ...behind.values]),
    fields: behind.operands,
  };
}

const CMD_SWITCH = /^\/[a-z?]$/i;
const ASSIGNMENT = /^(\w+)=(.*)$/s;

/** `sudo -s`, `ssh host`, `su`: what they read are commands. */
function isShell({ shell }: Starts, args: readonly string[]): boolean {
  return shell === true || list(shell).some((option) => args.includes(option));
}

function list(words: string | undefined): readonly string[] {
  return words ? words.split(' ') : [];
}

/**
 * `docker exec web rm x`, `docker run alpine rm x`, `kubectl exec pod -- rm x`. What it does there counts as done here,
 * and what of this machine is mounted there has its name of here: with `-v /:/host`, `/host/etc` is `/etc`.
 */
function inContainer(args: readonly string[]): Unwrapped | undefined {
  const verb = args.findIndex((arg) => /^(?:exec|run|debug)$/.test(arg));
  if (verb === -1) return undefined;
  const words = args.slice(verb + 1);
  const { operands } = options(words, VALUED, true);
  const dashes = args.indexOf('--');
  const fields = dashes !== -1 ? args.slice(dashes + 1) : operands.slice(1);
  if (fields.length === 0) return undefined;
  // In a debug container the node's own files are under /host.
  const given =
    args[verb] === 'debug' ? '-v /:/host' : words.slice(0, words.length - operands.length).join(' ');
  const mounts = [...given.matchAll(MOUNTS)].map(([, host, inside, source, target]): [string, string] => [
    inside ?? target ?? '',
    (host ?? source ?? '').replace(/(?<!\/)\/+$/, ''),
  ]);
  const input = (text: string): string =>
    mounts.reduce((mapped, [from, to]) => onHost(mapped, from, to), text);
  return { fields: fields.map(input), input };
}

const VALUED =
  'e v p w u l h m a c n env volume publish workdir user label name network net mount env-file entrypoint hostname memory cpus platform add-host device restart pull ulimit shm-size tmpfs link expose cap-add cap-drop security-opt log-driver index detach-keys gpus ipc pid runtime namespace container image context'.split(
    ' ',
  );

/** Folders of this machine, from `-v host:inside`, `--volume=…` and `--mount type=bind,source=…,target=…`. */
const MOUNTS =
  /(?:^| )(?:(?:-[itd]*v=?|--volume)[= ]?([/~.][^: ]{0,400}):(\/[^: ]{0,400})|--mount[= ](?=\S{0,400}\b(?:source|src)=([/~.][^, ]{0,400}))(?=\S{0,400}\b(?:target|destination|dst)=(\/[^, ]{0,400})))/g;

/** The same text with the name that one of its paths has outside. */
function onHost(text: string, inside: string, host: string): string {
  const from = inside.replace(/(?<!\/)\/+$/, '');
  if (from === '') return text;
  return text.split(from).reduce((left, right) => {
    const whole = /(?:^|[\s'"=:(,])$/.test(left) && /^(?:$|[/\s'");:,])/.test(right);
    return left + (whole ? host + (host === '' && !right.startsWith('/') ? '/' : '') : from) + right;
  });
}
