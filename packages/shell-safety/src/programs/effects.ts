import { baseName, fileKey } from '../paths/places.ts';
import { BULK, REMOTE, UNKNOWN } from '../shell/marks.ts';
import { options } from '../shell/options.ts';
import { ALIAS, copying, gitCall, inFolder, isRemotePlace, wordsBehind } from './calls.ts';
import type { Fetches, Invocation } from './program.ts';

type Files = ReadonlyMap<string, string>;
type Written = readonly (readonly [path: string, text: string])[];

/** The files that a program writes and what it puts there: a download, a copy, what `tee` read. */
export function writtenFiles(call: Invocation, files: Files): Written {
  const { fetches } = call.known;
  if (fetches === undefined) return [];
  return typeof fetches === 'object' ? downloads(call, fetches) : FETCHES[fetches](call, files);
}

const FETCHES: Readonly<Record<Extract<Fetches, string>, (call: Invocation, files: Files) => Written>> = {
  input: (call) => options(call.args).operands.map((path) => [path, call.stdin ?? UNKNOWN]),
  copies: copied,
  remote: copied,
  dd: ({ args, cwd }, files) => {
    const value = (name: string): string => args.find((arg) => arg.startsWith(name))?.slice(3) ?? '';
    const text = files.get(fileKey(value('if='), cwd));
    return text === undefined ? [] : [[value('of='), text]];
  },
  repository: (call, files) =>
    call.args.includes('bundle') ? FETCHES.archive(call, files) : repositoryMade(call.args),
  archive: ({ args, stdin, cwd }, files) => {
    if (packsAll(args)) {
      const named = wordsBehind(args, /^(?:-?[a-zA-Z]{0,8}f|--file)$/);
      const archives = args.filter((arg) => /\.(?:zip|tgz|tar(?:\.\w+)?|7z|bundle)$/.test(arg));
      return [...named, ...archives].filter((path) => path !== '-').map((path) => [path, BULK]);
    }
    const remote = stdin?.includes(REMOTE) || args.some((arg) => files.get(fileKey(arg, cwd)) === REMOTE);
    return remote ? [[UNPACKED, REMOTE]] : [];
  },
  unpacks: (call, files) =>
    options(call.args).operands.flatMap((path): Written => {
      const text = files.get(fileKey(path, call.cwd));
      return text === undefined ? [] : [[path.replace(/\.\w+$/, ''), text]];
    }),
};

/** `tar czf x.tgz .`, `zip -r x.zip ~`, `git bundle create x --all`: the whole project, or the whole home. */
export function packsAll(args: readonly string[]): boolean {
  const packs = args.slice(0, 3).some((arg) => PACKS.test(arg));
  return packs && args.some((arg) => /^(?:\.{1,2}\/?|\*|~\/?|\/|--all|src\/?)$/.test(arg));
}

const PACKS = /^(?:-?[a-zA-Z]{0,8}c[a-zA-Z]{0,8}|--create|-[a-qs-z]{0,8}r\w{0,8}|create)$/;

/** What `git init`, `clone` and `worktree add` create. A clone by HTTP may hold anything; by SSH it is the user's own. */
function repositoryMade(args: readonly string[]): Written {
  const { verb, rest, folders } = gitCall(args);
  if (verb === 'config') return aliasSet(rest);
  const { operands } = options(rest, [...'bojcu', 'branch', 'depth', 'origin', 'config']);
  const folder = folderMade(verb, operands);
  if (folder === undefined) return [];
  const path = fileKey(folder, folders.at(-1) ?? '.') || '.';
  const made: Written = [[fileKey('.git', path), UNKNOWN]];
  const foreign = verb === 'clone' && /^(?:https?|git):\/\//.test(operands[0] ?? '');
  return foreign ? [...made, [`${path}${UNPACKED}`, REMOTE]] : made;
}

/** `git config --global alias.x 'reset --hard'` */
function aliasSet(rest: readonly string[]): Written {
  const at = rest.findIndex((word) => /^alias\../i.test(word));
  const value = rest[at + 1];
  return at === -1 || value === undefined
    ? []
    : [[`${ALIAS}${(rest[at] ?? '').slice('alias.'.length).toLowerCase()}`, value]];
}

function folderMade(verb: string, [first, second]: readonly string[]): string | undefined {
  switch (verb) {
    case 'init':
      return first ?? '.';
    case 'clone':
      return second ?? (baseName((first ?? '').replace(/\/$/, '')).replace(/(?<=.)\.git$/s, '') || undefined);
    case 'worktree':
      return first === 'add' ? second : undefined;
    default:
      return undefined;
  }
}

/**
 * Marks that an archive from the network was unpacked, or behind a folder's name that a repository was cloned there:
 * nobody knows the names of what was in it.
 */
export const UNPACKED = '/*unpacked';

/** What was downloaded: where an option says, or under the last part of its address. */
function downloads(
  { args, known }: Invocation,
  { file, folder = '', byName }: Exclude<Fetches, string>,
): Written {
  const { given, operands, flags } = options(args, known.valued);
  const valuesOf = (names: string): readonly string[] =>
    given.flatMap(([name, value]) => (names.split(' ').includes(name) ? value : []));
  const named = valuesOf(file);
  const where = valuesOf(folder).at(-1);
  const asked = byName ? byName.split(' ').some((flag) => flags.has(flag)) : named.length === 0;
  const inUrls = asked ? operands.map((url) => url.replace(/[?#].*$/s, '').replace(/^.*\//s, '')) : [];
  return [...inUrls, ...named]
    .filter((path) => path !== '' && path !== '-')
    .map((path) => [where === undefined ? path : `${where}/${path}`, REMOTE]);
}

/** What is copied: from another machine (`scp host:x .`, `rclone copy s3:bucket/x .`), or a file that the command wrote. */
function copied({ args, cwd, known }: Invocation, files: Files): Written {
  const { sources, target = '.' } = copying(args, known.valued);
  return sources.flatMap((from): Written => {
    const text = isRemotePlace(from) ? REMOTE : files.get(fileKey(from, cwd));
    return text === undefined
      ? []
      : [
          [target, text],
          [inFolder(target, from), text],
        ];
  });
}
