import { sensitiveFile } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { kindOf, sensitiveKind } from '../paths/check.ts';
import { EVERYDAY, type SensitiveKind } from '../paths/list.ts';
import { place } from '../paths/places.ts';
import { gitCall } from '../programs/calls.ts';
import { copiesAway, pathsRead } from '../programs/paths-read.ts';
import { isNamed, type Names } from '../programs/pattern.ts';
import { type Check, has, type Invocation } from '../programs/program.ts';
import { fitsOne } from '../programs/read-call.ts';
import { LOADED } from '../shell/marks.ts';
import { options } from '../shell/options.ts';

/** Checks every program that reads, copies or sends a file with secrets. Sending is critical, because it cannot be undone. */
export function checkSensitiveFiles(call: Invocation): Finding | undefined {
  const found = sensitiveFileOf(call);
  return found && has(call.known, 'sends') ? { ...found, severity: 'critical' } : found;
}

function sensitiveFileOf(call: Invocation): Finding | undefined {
  const { known, args, cwd, redirects, stdin, env } = call;
  if (args.length + redirects.length + env.size === 0 && stdin === undefined) return undefined;
  const input = redirects.flatMap(({ operator, target }) => (/^<>?$/.test(operator) ? target : []));
  const fed = firstKind(
    input,
    cwd,
    (_, path) =>
      (!has(known, 'feeds') || args.includes('s_client')) && (has(known, 'sends') || !isPasswd(path, cwd)),
  );
  if (fed) return fed;
  const loaded = env.get(LOADED);
  if (loaded !== undefined && printsVariables(call)) return sensitiveFile('an environment file', loaded);
  if (known.reads === 'git' && !GIT_SHOWS.test(gitCall(args).verb)) {
    const takes = /^(?:apply|am)$/.test(gitCall(args).verb) ? args : behind(args, '-F -f --file');
    return firstKind(takes, cwd, isNoEveryday);
  }
  if (has(known, 'text')) return undefined;
  // `sudo ls -l /etc/shadow` shows what `ls` does.
  const shows = !known.starts?.assigns && !has(known, 'names', 'filters', 'tells');
  const shown =
    firstKind(known.lists ? behind(args, known.lists) : [], cwd, () => true) ??
    firstKind(
      shows ? args.flatMap(pathsNamed) : [],
      cwd,
      ({ id }, path) => id === 'system-auth' && !isPasswd(path, cwd),
    );
  if (shown) return shown;
  // Certificates and settings belong into a cluster, a person's keys do not.
  if (has(known, 'uses') && !copiesAway(call)) {
    const stored = behind(args, '--from-file').map((value) => value.replace(/^[\w.-]+=/, ''));
    return firstKind(stored, cwd, isNoEveryday);
  }
  return firstKind(pathsRead(call), cwd, (kind, path) => reads(call, path, kind));
}

function isNoEveryday({ id }: SensitiveKind): boolean {
  return !EVERYDAY.has(id);
}

function firstKind(
  paths: readonly string[],
  cwd: string,
  counts: (kind: SensitiveKind, path: string) => boolean,
): Finding | undefined {
  for (const path of paths) {
    const kind = kindOf(path, cwd);
    if (kind && counts(kind, path)) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

/** What stands behind options of these names: `--file x`, `--file=x`. */
function behind(args: readonly string[], names: Names): readonly string[] {
  return args.flatMap((arg, i) => {
    const [, option = arg, attached] = /^(--[\w-]+)=(.+)$/s.exec(arg) ?? [];
    return isNamed([option], names) ? (attached ?? args[i + 1] ?? []) : [];
  });
}

/** All variables, not one by its name: `env`, `printenv`, `export -p`. */
export function printsVariables(call: Invocation): boolean {
  const { known, args, program } = call;
  // A builtin, whose name is in small letters.
  if (known.variables === 'alone') return args.length === 0 && program === program.toLowerCase();
  if (typeof known.variables === 'object') return fitsOne(call, known.variables);
  return known.variables === true && args.every((arg) => /^-[0px]+$/.test(arg));
}

function reads(call: Invocation, path: string, { id }: SensitiveKind): boolean {
  const { known, args, cwd } = call;
  const everyday = EVERYDAY.has(id);
  const says = (option: RegExp): boolean => args.some((arg) => option.test(arg));
  if (known.reads === 'git') {
    const { verb } = gitCall(args);
    if (verb === 'log') return says(/^(?:-p|-u|--patch|-L.*|-S.*|-G.*)$/);
    return verb !== 'add' || id !== 'environment' || says(/^-\w*f|^--force$/);
  }
  // In a folder of secrets any word could be a file; only readers take their words for files.
  if (cwd !== '.' && !/^[/~$]/.test(path) && !has(known, 'shows', 'sends', 'filters')) return false;
  if (has(known, 'edits') && says(/^-\w*i|^--in-place/)) return !everyday;
  if (isPasswd(path, cwd)) return has(known, 'shows', 'sends');
  // What a profile says is no secret as a rule; what was typed may be.
  if (id === 'shell-profile' && !/history/.test(path))
    return has(known, 'sends') || copiesAway(call) || says(/key|token|secret|passw|cred/i);
  // Of a project, or of hooks and rights alone, they hold no tokens.
  if (
    id === 'agent-settings' &&
    !/^~\/(?:\.[^/]|library\/)(?!.*\/(?:hooks|permissions|cli-config)[./])/.test(place(path, cwd))
  )
    return has(known, 'sends');
  // An agent may look at its own settings; a server's may hold tokens.
  if (id === 'agent-settings' && !/mcp|desktop_config|google_accounts|state\.json/.test(path))
    return has(known, 'sends') || copiesAway(call);
  if (call.loads && everyday) return false;
  // They hold no secrets; behind an option they may be what is written.
  if (/\.ssh\/(?:config|known_hosts(?:\.old)?|authorized_keys2?)$/.test(path))
    return !args.includes(path) || !has(known, 'shows', 'filters') || has(known, 'sends', 'copies', 'tells');
  // The first word is the query, unless a long option stands before it, which may take one.
  if (has(known, 'queries') && ORDINARY_QUERY.test(args.find((arg) => !/^-\w+$/.test(arg)) ?? ''))
    return false;
  if (known.prints === 'openssl')
    return opensslShows(args) || (!everyday && args[args.indexOf('-in') + 1] === path);
  if (
    has(known, 'filters') &&
    known.reads !== 'columns' &&
    everyday &&
    says(/^-\w*[qlcL]|^--(?:quiet|count|files-with)/)
  )
    return false;
  if (id === 'environment' && has(known, 'filters') && picksOrdinary(call)) return false;
  return !everyday || has(known, 'shows', 'sends', 'filters') || copiesAway(call);
}

/** `jq 'keys' config.json` */
const ORDINARY_QUERY = /^\.?(?:keys|length|permissions|hooks)$/;

/** `grep NODE_ENV .env`, `cut -d= -f1 .env`: names, or values that are no secret. */
function picksOrdinary({ known, args }: Invocation): boolean {
  if (known.reads === 'columns') return /(?:^| )-f ?1(?: |$)/.test(args.join(' '));
  return ORDINARY.test(args.find((arg) => !arg.startsWith('-')) ?? '');
}

const SETTING = String.raw`(?:\w+_)?(?:NODE_ENV|ENV|PORT|HOST|DEBUG|LEVEL|MODE|NAME|DIR|PATH|REGION|ENABLED|VERSION)`;
const ORDINARY = new RegExp(
  String.raw`^\^?\(?\|?${SETTING}(?:\|${SETTING})*\)?=?$|^s(.)=\.\*\1|^\{ ?print \$1 ?\}$`,
);

/** Keys are shown in full, and taken out of stores, unless an option says otherwise. */
function opensslShows(args: readonly string[]): boolean {
  return (
    /^(?:rsa|dsa|ec|pkey|pkcs8|pkcs12)$/.test(args[0] ?? '') &&
    !args.some((arg) => /^-(?:noout|pubout|pubin|out|nokeys|export|check|pubcheck|info)$/.test(arg))
  );
}

/** `/etc/passwd` holds no secret and looking up a line of it is ordinary; all of it is reconnaissance. */
function isPasswd(path: string, cwd: string): boolean {
  return place(path, cwd) === '/etc/passwd';
}

const GIT_SHOWS = /^(?:diff|show|hash-object|archive|add|cat-file|grep|blame|annotate|log)$/;

/**
 * The paths that an argument may be about, of a program that is not for showing files: itself, the value of an option
 * (`--config=x`), what a marker stands before (`@x`, `file://x`, `{x}`, `<x`), what a call in code opens, and the words of
 * a command (`.import x`, `Include x`). Such programs show the lines that they do not understand.
 */
function pathsNamed(arg: string): readonly string[] {
  const marked = [...arg.matchAll(MARKED)].map((match) => match[1] ?? match[2] ?? '');
  const words = !/\s/.test(arg) ? [arg] : COMMAND.test(arg) ? arg.split(/[\s=]+/) : [];
  return [...words, ...marked];
}

const MARKED =
  /(?:[=@<{:(]|file:\/\/)\s?(~?\/[\w./~-]{1,200})|\b(?:open|fopen|slurp|read\w{0,20}|File\.\w{1,20})\s?\(?\s?["']([^"'\n]{1,200})["']/g;
const COMMAND = /^(?:[.\\:!%]\w|[Ii]nclude\s|source\s|\w+=)/;

/** A web server over a folder of secrets, or over one that has such folders in it, hands them to whoever asks. */
export const servesFolder: Check = ({ known, args, cwd }) => {
  const { says, folderIn } = known.serves ?? {};
  if (says && !args.some((arg) => says.test(arg))) return undefined;
  const { values, operands } = options(args, [...'mdtSph', 'directory', 'port', 'bind', 'b']);
  const named = folderIn?.split(' ').flatMap((name) => values.get(name) ?? [])[0];
  const path = named ?? operands.find((word) => /^[~/.]/.test(word)) ?? '.';
  const target = place(path, cwd);
  if (/^(?:\/|\/etc|\/root|~)$/.test(target)) return sensitiveFile('a folder with logins and keys', path);
  const kind = sensitiveKind(target);
  return kind && sensitiveFile(kind.what, path);
};
