import { sensitiveFile } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import type { SensitiveKind } from '../paths/list.ts';
import { place } from '../paths/places.ts';
import { gitCall } from '../programs/git.ts';
import { isOrdinaryWord } from '../programs/ordinary-word.ts';
import { copiesAway, pathsRead, readsNames } from '../programs/paths-read.ts';
import type { Invocation } from '../programs/program.ts';
import { has } from '../programs/program.ts';
import { LOADED } from '../shell/marks.ts';
import { kindOf } from './kind-of-file.ts';
import { shownFile } from './shown-files.ts';

/** Asked for every program: does it read, copy or send a file that holds secrets? */
export function checkSensitiveFiles(call: Invocation): Finding | undefined {
  for (const { operator, target } of call.redirects) {
    if (operator !== '<' && operator !== '<>') continue;
    const kind = kindOf(target, call.cwd);
    if (
      kind &&
      (!has(call.known, 'feeds') || call.args.includes('s_client')) &&
      !(isOpenToAll(target, call) && !has(call.known, 'sends'))
    )
      return sensitiveFile(kind.what, target);
  }
  const loaded = call.env.get(LOADED);
  if (loaded !== undefined && printsVariables(call)) return sensitiveFile('an environment file', loaded);
  if (hasOrdinaryWords(call)) return undefined;
  if (call.known.reads === 'git' && !GIT_SHOWS.has(gitCall(call.args).verb)) return namedToGit(call);
  if (call.args.length === 0 || has(call.known, 'text')) return undefined;
  const shown = shownFile(call);
  if (shown) return sensitiveFile(shown.what, shown.path);
  if (has(call.known, 'uses') && !copiesAway(call)) return storedInCluster(call);
  for (const path of pathsRead(call)) {
    const kind = kindOf(path, call.cwd);
    if (kind && reads(call, path, kind)) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

/** All variables, not one by its name: `env`, `printenv`, `export -p`. */
export function printsVariables({ known, args, program }: Invocation): boolean {
  // A builtin, whose name is in small letters.
  if (known.variables === 'alone') return args.length === 0 && program === program.toLowerCase();
  if (known.variables instanceof RegExp) return known.variables.test(args.join(' '));
  return known.variables === true && args.every((arg) => /^-[0px]+$/.test(arg));
}

/** No word that it is given can be a file with secrets, which is so for most programs. */
function hasOrdinaryWords(call: Invocation): boolean {
  return call.cwd === '.' && !readsNames(call) && call.args.every(isOrdinaryWord);
}

/** `kubectl create secret generic x --from-file=key`: certificates and settings belong there, a person's keys do not. */
function storedInCluster({ args, cwd }: Invocation): Finding | undefined {
  for (const [i, arg] of args.entries()) {
    const value = /^--from-file=(.+)$/s.exec(arg)?.[1] ?? (args[i - 1] === '--from-file' ? arg : undefined);
    const path = value?.replace(/^[\w.-]+=/, '');
    const kind = path === undefined ? undefined : kindOf(path, cwd);
    if (path !== undefined && kind && !EVERYDAY.has(kind.id)) return sensitiveFile(kind.what, path);
  }
  return undefined;
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
  const { known, args } = call;
  if (known.reads === 'git' && gitCall(args).verb === 'log')
    return args.some((arg) => /^(?:-p|-u|--patch|-L.*|-S.*|-G.*)$/.test(arg));
  if (known.reads === 'git')
    return (
      gitCall(args).verb !== 'add' ||
      kind.id !== 'environment' ||
      args.some((arg) => /^-\w*f|^--force$/.test(arg))
    );
  // In a folder of secrets any word could be a file; only readers take their words for files.
  if (call.cwd !== '.' && !/^[/~$]/.test(path) && !has(known, 'shows', 'sends', 'filters')) return false;
  if (has(known, 'edits') && args.some((arg) => /^-\w*i|^--in-place/.test(arg)))
    return !EVERYDAY.has(kind.id) && kind.id !== 'system-auth';
  if (isOpenToAll(path, call)) return has(known, 'shows', 'sends');
  // What a profile says is no secret as a rule; what was typed may be.
  if (kind.id === 'shell-profile' && !/history/.test(path))
    return has(known, 'sends') || copiesAway(call) || args.some((arg) => SECRET_WORDS.test(arg));
  // Of a project, or of hooks and rights alone, they hold no tokens.
  const target = place(path, call.cwd);
  if (
    kind.id === 'agent-settings' &&
    (!/^~\/(?:\.[^/]|library\/)/.test(target) || /\/(?:hooks|permissions|cli-config)[./]/.test(target))
  )
    return has(known, 'sends');
  if (kind.id === 'environment' && has(known, 'filters') && picksOrdinary(call)) return false;
  if (call.loads && EVERYDAY.has(kind.id)) return false;
  if (known.prints === 'openssl')
    return opensslShows(args) || (!EVERYDAY.has(kind.id) && opensslOpens(args, path));
  if (EVERYDAY.has(kind.id))
    return (
      (has(known, 'shows', 'sends', 'filters') || copiesAway(call)) &&
      !(
        has(known, 'filters') &&
        known.reads !== 'columns' &&
        args.some((arg) => /^-\w*[qlcL]|^--(?:quiet|count|files-with)/.test(arg))
      )
    );
  return true;
}

const SECRET_WORDS = /key|token|secret|passw|cred/i;

/** `grep NODE_ENV .env`, `cut -d= -f1 .env`: names, or values that are no secret. */
function picksOrdinary({ known, args }: Invocation): boolean {
  if (known.reads === 'columns') return /(?:^| )-f ?1(?: |$)/.test(args.join(' '));
  const pattern = args.find((arg) => !arg.startsWith('-')) ?? '';
  return (
    /^\^?\(?(?:\|?(?:\w+_)?(?:NODE_ENV|ENV|PORT|HOST|DEBUG|LEVEL|MODE|NAME|DIR|PATH|REGION|ENABLED|VERSION))+\)?=?$/.test(
      pattern,
    ) || /^s(.)=\.\*\1|^\{ ?print \$1 ?\}$/.test(pattern)
  );
}

/** Keys are shown in full, and taken out of stores, unless an option says otherwise. */
function opensslShows(args: readonly string[]): boolean {
  const verb = args[0] ?? '';
  if (/^(?:enc|base64|zlib)$/.test(verb)) return true;
  if (!/^(?:rsa|dsa|ec|pkey|pkcs8|pkcs12)$/.test(verb)) return false;
  if (args.includes('-text')) return !args.includes('-pubin');
  return !args.some((arg) => /^-(?:noout|pubout|pubin|out|nokeys|export|check|pubcheck|info)$/.test(arg));
}

/** A person's key as the input of what is not for keys: such a command is there to see what comes out. */
function opensslOpens(args: readonly string[], path: string): boolean {
  return !/^(?:rsa|dsa|ec|pkey|pkcs8|pkcs12)$/.test(args[0] ?? '') && args[args.indexOf('-in') + 1] === path;
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

/** What git is told to take a message, a patch or settings from. */
function namedToGit({ args, cwd }: Invocation): Finding | undefined {
  const patches = gitCall(args).verb === 'apply' || gitCall(args).verb === 'am';
  for (const [i, arg] of args.entries()) {
    const value = /^--file=(.+)$/s.exec(arg)?.[1];
    const path = value ?? (patches || /^(?:-F|-f|--file)$/.test(args[i - 1] ?? '') ? arg : undefined);
    const kind = path === undefined ? undefined : kindOf(path, cwd);
    if (path !== undefined && kind && !EVERYDAY.has(kind.id)) return sensitiveFile(kind.what, path);
  }
  return undefined;
}
