import { sensitiveKind } from '../../sensitive-paths/check.ts';
import type { SensitiveKind } from '../../sensitive-paths/list.ts';
import { type Invocation, options } from '../invocation.ts';
import { place } from '../places.ts';
import { type Finding, finding } from '../verdict.ts';
import { kindOf, mayName } from './kind-of-file.ts';
import { COPIES, EDITS_IN_PLACE, FEEDS, FILTERS, ONLY_TEXT, SENDS, SHOWS, USES } from './programs.ts';
import { shownFile } from './shown-files.ts';

/** Asked for every program: does it read, copy or send a file that holds secrets? */
export function checkSensitiveFiles(call: Invocation): Finding | undefined {
  for (const { operator, target } of call.redirects) {
    if (operator !== '<' && operator !== '<>') continue;
    const kind = kindOf(target, call.cwd);
    if (
      kind &&
      (!FEEDS.has(call.name) || call.args.includes('s_client')) &&
      !(isOpenToAll(target, call) && !SENDS.has(call.name))
    )
      return sensitiveFile(kind.what, target);
  }
  if (call.name === 'security' && /^(?:dump-keychain|find-\w+-password|export)$/.test(call.args[0] ?? ''))
    return sensitiveFile('stored logins', 'the keychain');
  if (call.name === 'getent' && /^g?shadow$/.test(call.args[0] ?? ''))
    return sensitiveFile('a system authentication file', '/etc/shadow');
  if (call.name === 'gpg' && call.args.some((arg) => arg.startsWith('--export-secret')))
    return sensitiveFile('your private keys', 'the keyring');
  if (call.name === 'git' && !GIT_SHOWS.has(gitVerb(call.args))) return undefined;
  if (call.args.length === 0 || ONLY_TEXT.has(call.name)) return undefined;
  const shown = shownFile(call);
  if (shown) return sensitiveFile(shown.what, shown.path);
  if (USES.has(call.name) && !copiesAway(call)) return storedInCluster(call);
  for (const path of pathsRead(call)) {
    const kind = kindOf(path, call.cwd);
    if (kind && reads(call, path, kind)) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

/** `kubectl create secret generic x --from-file=key`: certificates and settings belong there, a person's keys do not. */
function storedInCluster({ name, args, cwd }: Invocation): Finding | undefined {
  if (name !== 'kubectl' && name !== 'oc') return undefined;
  for (const [i, arg] of args.entries()) {
    const value = /^--from-file=(.+)$/s.exec(arg)?.[1] ?? (args[i - 1] === '--from-file' ? arg : undefined);
    const path = value?.replace(/^[\w.-]+=/, '');
    const kind = path === undefined ? undefined : kindOf(path, cwd);
    if (path !== undefined && kind && !EVERYDAY.has(kind.id)) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

export function sensitiveFile(what: string, path: string): Finding {
  return finding(
    'sensitive-file/read',
    `This reads or copies ${path}, ${what}.`,
    'Do not look into it; ask the user for the one value you need, or use the program that reads the file itself.',
  );
}

/** Kinds that are ordinary project files too: here only what shows or copies the content counts. */
export const EVERYDAY: ReadonlySet<string> = new Set([
  'environment',
  'certificate',
  'shell-profile',
  'infrastructure',
  'kubernetes',
  'docker',
  'secret',
]);

function reads(call: Invocation, path: string, kind: SensitiveKind): boolean {
  const { name, args } = call;
  if (name === 'git' && gitVerb(args) === 'log')
    return args.some((arg) => /^(?:-p|-u|--patch|-L.*|-S.*|-G.*)$/.test(arg));
  if (name === 'git')
    return (
      gitVerb(args) !== 'add' || kind.id !== 'environment' || args.some((arg) => /^-\w*f|^--force$/.test(arg))
    );
  // In a folder of secrets any word could be a file; only readers take their words for files.
  if (call.cwd !== '.' && !/^[/~$]/.test(path) && !(SHOWS.has(name) || SENDS.has(name) || FILTERS.has(name)))
    return false;
  if (EDITS_IN_PLACE.has(name) && args.some((arg) => /^-\w*i|^--in-place/.test(arg)))
    return !EVERYDAY.has(kind.id) && kind.id !== 'system-auth';
  if (isOpenToAll(path, call)) return SHOWS.has(name) || SENDS.has(name);
  if (call.loads && EVERYDAY.has(kind.id)) return false;
  if (name === 'openssl') return opensslShows(args);
  if (EVERYDAY.has(kind.id))
    return (
      (SHOWS.has(name) || SENDS.has(name) || FILTERS.has(name) || copiesAway(call)) &&
      !(
        FILTERS.has(name) &&
        name !== 'cut' &&
        args.some((arg) => /^-\w*[qlcL]|^--(?:quiet|count|files-with)/.test(arg))
      )
    );
  return true;
}

/** Keys are shown in full, and taken out of stores, unless an option says otherwise. */
function opensslShows(args: readonly string[]): boolean {
  const verb = args[0] ?? '';
  if (/^(?:enc|base64|zlib)$/.test(verb)) return true;
  if (!/^(?:rsa|dsa|ec|pkey|pkcs8|pkcs12)$/.test(verb)) return false;
  if (args.includes('-text')) return !args.includes('-pubin');
  return !args.some((arg) => /^-(?:noout|pubout|pubin|out|nokeys|export|check|pubcheck|info)$/.test(arg));
}

/** Tools that do many things, with what of it copies a file to somewhere else. */
const COPYING: ReadonlyMap<string, RegExp> = new Map([
  ...['docker', 'podman', 'kubectl', 'oc', 'nerdctl'].map((name): [string, RegExp] => [name, /^cp$/]),
  ['aws', /^(?:cp|mv|sync|put-object)$/],
  ['gsutil', /^(?:cp|mv|rsync)$/],
  ['gcloud', /^(?:cp|mv|rsync|scp)$/],
  ['az', /^upload(?:-batch)?$/],
  ['lxc', /^push$/],
  ['incus', /^push$/],
  ['multipass', /^transfer$/],
  ['gh', /^(?:gist|upload)$/],
  ['glab', /^snippet$/],
]);

function copiesAway({ name, args }: Invocation): boolean {
  const verb = COPYING.get(name);
  return verb !== undefined && args.some((arg) => verb.test(arg));
}

/** `/etc/passwd` holds no secret and looking up a line of it is ordinary; all of it is reconnaissance. */
function isOpenToAll(path: string, call: Invocation): boolean {
  return place(path, call.cwd) === '/etc/passwd';
}

const GIT_SHOWS: ReadonlySet<string> = new Set([
  'diff',
  'show',
  'hash-object',
  'archive',
  'add',
  'cat-file',
  'grep',
  'blame',
  'annotate',
  'log',
]);

function gitVerb(args: readonly string[]): string {
  return args.find((arg, i) => !arg.startsWith('-') && !/^-[cC]$/.test(args[i - 1] ?? '')) ?? '';
}

/** The arguments that may name a file that is read. */
function pathsRead(call: Invocation): readonly string[] {
  const { name, args } = call;
  if (name === 'curl') return curlReads(args);
  if (name === 'wget')
    return args.flatMap(
      (arg, i) =>
        /^--(?:post|body)-file=(.*)$/s.exec(arg)?.[1] ??
        (/^--(?:post|body)-file$/.test(args[i - 1] ?? '') ? arg : []),
    );
  if (name === 'dd') return args.flatMap((arg) => (arg.startsWith('if=') ? [arg.slice(3)] : []));
  if (COPIES.has(name) || (copiesAway(call) && name !== 'gh' && name !== 'glab')) return copied(call);
  if (UPLOADS.has(name)) return uploaded(call);
  if (name === 'cpio' || name === 'pax') return [...args, ...(call.stdin ?? '').split('\n')];
  if (name === 'tee' || name === 'sponge') return [];
  const paths: string[] = [];
  const excluded = name === 'zip' ? args.indexOf('-x') : -1;
  if (excluded !== -1) return pathsRead({ ...call, args: args.slice(0, excluded) });
  const asks = FILTERS.has(name) || QUERIES.has(name);
  const pattern = asks ? patternAt(args) : name === 'git' ? gitPatternAt(args) : -1;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (i === pattern || !mayName(arg, call.cwd)) continue;
    if (arg.startsWith('-')) {
      const value = /^--?[\w-]+=(.+)$/s.exec(arg)?.[1];
      if (value && !KEY_OPTION.test(arg)) paths.push(value);
    } else if (!takesKey(args[i - 1], name))
      paths.push(name === 'git' ? arg.replace(/^[\w./~^@{}-]*:/, '') : withoutMarker(arg));
  }
  return paths;
}

/** Whether a file named behind this option is used, or written, but not shown. */
function takesKey(option: string | undefined, name: string): boolean {
  if (option === undefined || !option.startsWith('-')) return false;
  return (
    KEY_OPTION.test(option) ||
    (!SHOWS.has(name) && /^-[iegt]$/.test(option)) ||
    (name === 'zip' && option === '-x') ||
    (name === 'gpg' && option === '-o')
  );
}

const KEY_OPTION =
  /^-{1,2}(?:key|cert|cacert|capath|private-key|identity|identity-file|keyout|out|output|env-file|kubeconfig|config|ssh-key|exclude|exclude-from|include|name|iname|not-path|path|regexp|glob|ignore|pattern)(?:=|$)/;

/** Their first operand says what to take out of a file: `jq -r .token`. */
const QUERIES: ReadonlySet<string> = new Set(['jq', 'gojq', 'jaq', 'yq', 'dasel', 'htmlq', 'xq']);

/** In `grep PATTERN FILE` the first word is no file. */
function patternAt(args: readonly string[]): number {
  if (args.some((arg) => /^(?:-e|-f|--regexp|--file)/.test(arg))) return -1;
  return args.findIndex((arg) => !arg.startsWith('-'));
}

const UPLOADS: ReadonlySet<string> = new Set(['sftp', 'lftp', 'ftp', 'tftp', 'smbclient']);

/** What such a program is told to put: in its input, in one argument (`-c 'put x'`), or in several (`-c put x`). */
function uploaded({ args, stdin }: Invocation): readonly string[] {
  const text = [stdin ?? '', ...args.filter((arg) => /\s/.test(arg)), args.join(' ')].join('\n');
  return [...text.matchAll(/(?:^|[\n;]|-c)\s*m?(?:put|reput|mirror -R)\s+(?:-\w+\s+)*([^\s;]+)/g)].map(
    (match) => match[1] ?? '',
  );
}

function gitPatternAt(args: readonly string[]): number {
  const verb = args.indexOf('grep');
  return verb === -1 ? -1 : args.findIndex((arg, i) => i > verb && !arg.startsWith('-'));
}

function withoutMarker(arg: string): string {
  return arg.replace(/^(?:@|file:\/\/(?=\/))/, '').replace(/^\w+=@?(?=[/~.])/, '');
}

/** All but where it goes, and but what becomes a file of secrets beside itself: `cp .env .env.bak`. */
function copied({ name, args: all, cwd }: Invocation): readonly string[] {
  const verb = COPYING.get(name);
  const args = verb === undefined ? all : all.slice(all.findIndex((arg) => verb.test(arg)) + 1);
  const away = /^(?:put-object|upload)/.test(all.find((arg) => verb?.test(arg)) ?? '');
  if (away) return args.filter((_, i) => /^(?:--body|-f|--file|-s|--source)$/.test(args[i - 1] ?? ''));
  const { operands, values } = options(
    args,
    name === 'scp' || name === 'rsync'
      ? [...'iPFoScJl', 'rsh', 'exclude', 'include', 'filter'].concat(name === 'rsync' ? ['e', 'f'] : [])
      : [...'tSgom', 'target-directory', 'mode', 'owner', 'group'],
  );
  const folder = values.get('-t') ?? values.get('--target-directory');
  const target = folder ?? operands.at(-1) ?? '';
  const sources = folder === undefined ? operands.slice(0, -1) : operands;
  if (name === 'ln' && sources.length === 0) return operands;
  const to = place(target, cwd);
  const kept = !target.includes(':') && sensitiveKind(to) !== undefined;
  return sources
    .filter((source) => !(kept && folderOf(place(source, cwd)) === folderOf(to)))
    .map((source) => source.replace(/^[\w.-]+@?[\w.-]*:(?=[/~.])/, ''));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function curlReads(args: readonly string[]): readonly string[] {
  const paths: string[] = [];
  for (const [i, arg] of args.entries()) {
    const before = args[i - 1] ?? '';
    if (/^(?:-T|--upload-file|-K|--config)$/.test(before)) paths.push(arg);
    else if (/^file:/i.test(arg)) paths.push(arg);
    else if (/^-T./.test(arg)) paths.push(arg.slice(2));
    else if (/^-\w+T$/.test(before)) paths.push(arg);
    const at = /(?:^\w*|=|^-[dF])[@<]([^;,]+)/.exec(arg);
    if (at?.[1] && (/^-/.test(arg) || /^(?:-d|-F|--data.*|--form.*|--json)$/.test(before))) paths.push(at[1]);
  }
  return paths;
}
