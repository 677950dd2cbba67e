import { fileKey } from '../paths/places.ts';
import { BULK, REMOTE, UNKNOWN } from '../shell/marks.ts';
import { options } from '../shell/options.ts';
import { copying } from './copying.ts';
import { isRemotePlace } from './network.ts';
import type { Fetches, Invocation } from './program.ts';

/** The files that a program writes and what it puts there: a download, a copy, what `tee` read. */
export function writtenFiles(
  call: Invocation,
  files: ReadonlyMap<string, string>,
): readonly [string, string][] {
  return call.known.fetches ? FETCHES[call.known.fetches](call, files) : NONE;
}

type Written = (call: Invocation, files: ReadonlyMap<string, string>) => readonly [string, string][];

const NONE: readonly [string, string][] = [];

const FETCHES: Readonly<Record<Fetches, Written>> = {
  curl: (call) =>
    downloads(
      call,
      /^-o$|^--output$/,
      /^--output-dir$/,
      has(call, /^(?:-[a-zA-Z]*O|--remote-name(?:-all)?)$/),
    ),
  wget: (call) =>
    downloads(
      call,
      /^-O$|^--output-document$/,
      /^-P$|^--directory-prefix$/,
      !has(call, /^-\w*O|^--output-document/),
    ),
  named: (call) => downloads(call, /^-o$|^--out(?:put)?$/, /^-d$|^--dir$/, true),
  asked: (call) => downloads(call, /^-o$|^--output$/, /^$/, has(call, /^(?:-d|--download)$/)),
  input: (call) => options(call.args).operands.map((path) => [path, call.stdin ?? UNKNOWN]),
  copies,
  remote: (call, files) => [...fetched(call.args, 2), ...copies(call, files)],
  dd: ({ args, cwd }, files) => {
    const value = (name: string): string => args.find((arg) => arg.startsWith(name))?.slice(3) ?? '';
    const text = files.get(fileKey(value('if='), cwd));
    return text === undefined ? NONE : [[value('of='), text]];
  },
  'any-remote': (call) => fetched(call.args, 1),
  'behind-verb': ({ args }) => {
    const verb = args.findIndex((arg) => /^(?:cp|copy|copyto|sync|get|mv|rsync)$/.test(arg));
    return verb === -1 ? NONE : fetched(args.slice(verb + 1), 2);
  },
  archive: (call, files) => {
    const packed = packsAll(call.args) ? packedInto(call.args) : undefined;
    if (packed !== undefined) return [[packed, BULK]];
    return fromNetwork(call, files) ? [[UNPACKED, REMOTE]] : NONE;
  },
  unpacks: (call, files) =>
    options(call.args).operands.flatMap((path): [string, string][] => {
      const text = files.get(fileKey(path, call.cwd));
      return text === undefined ? [] : [[path.replace(/\.\w+$/, ''), text]];
    }),
};

/** `tar czf x.tgz .`, `zip -r x.zip ~`, `git bundle create x --all`: the whole project, or the whole home. */
export function packsAll(args: readonly string[]): boolean {
  const packs = args.slice(0, 3).some((arg) => arg.length < 12 && PACKS.test(arg));
  return packs && args.some((arg) => /^(?:\.{1,2}\/?|\*|~\/?|\/|--all|src\/?)$/.test(arg));
}

const PACKS = /^(?:-?[a-zA-Z]*c[a-zA-Z]*|--create|-[a-qs-z]*r\w*|create)$/;

/** The archive that it makes; none where it prints it. */
function packedInto(args: readonly string[]): string | undefined {
  const file = args.findIndex((arg) => /^(?:-?[a-zA-Z]{0,8}f|--file)$/.test(arg));
  const path =
    file === -1 ? args.find((arg) => /\.(?:zip|tgz|tar\.\w+|7z|bundle)$/.test(arg)) : args[file + 1];
  return path === '-' ? undefined : path;
}

/** Under this name is kept that an archive from the network was unpacked: nobody knows the names of what was in it. */
export const UNPACKED = '/*unpacked';

function fromNetwork({ args, stdin, cwd }: Invocation, files: ReadonlyMap<string, string>): boolean {
  return stdin?.includes(REMOTE) === true || args.some((arg) => files.get(fileKey(arg, cwd)) === REMOTE);
}

function has(call: Invocation, pattern: RegExp): boolean {
  return call.args.some((arg) => pattern.test(arg));
}

/** What was downloaded: where an option says, or under the last part of its address. */
function downloads(call: Invocation, file: RegExp, folder: RegExp, byName: boolean): [string, string][] {
  const { values, operands } = options(call.args, call.known.fetches === 'curl' ? VALUED_OF_CURL : VALUED);
  const given = (pattern: RegExp): string | undefined =>
    [...values].find(([name]) => pattern.test(name))?.[1];
  const named = given(file);
  const where = given(folder);
  const names = byName ? operands.map((url) => url.replace(/[?#].*$/s, '').replace(/^.*\//s, '')) : [];
  if (named !== undefined) names.push(named);
  return names
    .filter((path) => path !== '' && path !== '-')
    .map((path) => [where === undefined ? path : `${where}/${path}`, REMOTE]);
}

/** Options with a value of the programs that download. */
const VALUED = [
  ...'oOHXdAubcFeTmPtUw',
  ...'output output-document output-dir out dir directory-prefix header request data user user-agent max-time retry'.split(
    ' ',
  ),
];

/** Its -O and -P have none. */
const VALUED_OF_CURL = VALUED.filter((name) => name !== 'O' && name !== 'P');

/** A known file under its new name. */
function copies(call: Invocation, files: ReadonlyMap<string, string>): readonly [string, string][] {
  if (files.size === 0) return NONE;
  const { sources, target } = copying(call.args, call.known.valued);
  if (target === undefined) return NONE;
  return sources.flatMap((from) => {
    const text = files.get(fileKey(from, call.cwd));
    return text === undefined ? [] : under(target, from, text);
  });
}

/** What comes from another machine. */
function fetched(args: readonly string[], least: number): readonly [string, string][] {
  const { operands } = options(args, [...'iPFoScJle', 'rsh', 'exclude', 'include', 'profile', 'region']);
  const sources = operands.filter(isRemotePlace);
  const last = operands.at(-1) ?? '.';
  const to = isRemotePlace(last) ? '.' : last;
  if (operands.length > 1 && isRemotePlace(last)) return NONE;
  if (operands.length < least) return NONE;
  return sources.flatMap((from) => under(to, from, REMOTE));
}

/** The target is the file itself, or the folder that it comes into. */
function under(to: string, from: string, text: string): [string, string][] {
  const name = from.slice(Math.max(from.lastIndexOf('/'), from.lastIndexOf(':')) + 1);
  return [
    [to, text],
    [`${to}/${name}`, text],
  ];
}
