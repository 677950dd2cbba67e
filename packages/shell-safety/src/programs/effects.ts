import { fileKey } from '../paths/places.ts';
import { REMOTE, UNKNOWN } from '../shell/marks.ts';
import { options } from '../shell/options.ts';
import { isRemotePlace } from './network.ts';
import type { Invocation } from './program.ts';

/** The files that a program writes and what it puts there: a download, a copy, what `tee` read. */
export function writtenFiles(
  call: Invocation,
  files: ReadonlyMap<string, string>,
): readonly [string, string][] {
  return WRITERS.get(call.name)?.(call, files) ?? NONE;
}

type Written = (call: Invocation, files: ReadonlyMap<string, string>) => readonly [string, string][];

const NONE: readonly [string, string][] = [];

const WRITERS: ReadonlyMap<string, Written> = new Map<string, Written>([
  [
    'curl',
    (call) =>
      downloads(
        call,
        /^-o$|^--output$/,
        /^--output-dir$/,
        has(call, /^(?:-[a-zA-Z]*O|--remote-name(?:-all)?)$/),
      ),
  ],
  [
    'wget',
    (call) =>
      downloads(
        call,
        /^-O$|^--output-document$/,
        /^-P$|^--directory-prefix$/,
        !has(call, /^-\w*O|^--output-document/),
      ),
  ],
  ...forAll('aria2c axel', (call) => downloads(call, /^-o$|^--out(?:put)?$/, /^-d$|^--dir$/, true)),
  ...forAll('http https xh curlie', (call) =>
    downloads(call, /^-o$|^--output$/, /^$/, has(call, /^(?:-d|--download)$/)),
  ),
  ...forAll('tee sponge', (call) => options(call.args).operands.map((path) => [path, call.stdin ?? UNKNOWN])),
  ...forAll('cp mv ln install', copies),
  ...forAll('scp rsync sftp', (call) => fetched(call, call.args)),
  ...forAll('aws gsutil gcloud rclone mc s3cmd', (call) => {
    const verb = call.args.findIndex((arg) => /^(?:cp|copy|copyto|sync|get|mv|rsync)$/.test(arg));
    return verb === -1 ? NONE : fetched(call, call.args.slice(verb + 1));
  }),
  ...forAll('gunzip unxz bunzip2 unzstd uncompress', (call, files) =>
    options(call.args).operands.flatMap((path): [string, string][] => {
      const text = files.get(fileKey(path, call.cwd));
      return text === undefined ? [] : [[path.replace(/\.\w+$/, ''), text]];
    }),
  ),
]);

function forAll(names: string, written: Written): [string, Written][] {
  return names.split(' ').map((name) => [name, written]);
}

function has(call: Invocation, pattern: RegExp): boolean {
  return call.args.some((arg) => pattern.test(arg));
}

/** What was downloaded: where an option says, or under the last part of its address. */
function downloads(call: Invocation, file: RegExp, folder: RegExp, byName: boolean): [string, string][] {
  const { values, operands } = options(call.args, call.name === 'curl' ? VALUED_OF_CURL : VALUED);
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
  const { operands, values } = options(call.args, [...'tSgom', 'target-directory', 'mode', 'owner', 'group']);
  const folder = values.get('-t') ?? values.get('--target-directory');
  const to = folder ?? operands.at(-1);
  if (to === undefined) return NONE;
  return (folder === undefined ? operands.slice(0, -1) : operands).flatMap((from) => {
    const text = files.get(fileKey(from, call.cwd));
    return text === undefined ? [] : under(to, from, text);
  });
}

/** What comes from another machine. */
function fetched(call: Invocation, args: readonly string[]): readonly [string, string][] {
  const { operands } = options(args, [...'iPFoScJle', 'rsh', 'exclude', 'include', 'profile', 'region']);
  const sources = operands.filter(isRemotePlace);
  const last = operands.at(-1) ?? '.';
  const to = isRemotePlace(last) ? '.' : last;
  if (operands.length > 1 && isRemotePlace(last)) return NONE;
  if (call.name !== 'sftp' && operands.length < 2) return NONE;
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
