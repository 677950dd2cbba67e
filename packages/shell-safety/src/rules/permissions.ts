import { locksOut, setUserId, systemWide, tooOpen } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { sensitiveKind } from '../paths/check.ts';
import { anyPath } from '../paths/pattern.ts';
import { baseName, isProgramFile, isSystemFolder, place } from '../paths/places.ts';
import type { Facts, Invocation } from '../programs/program.ts';
import { options } from '../shell/options.ts';
import { isDisk, isGuarded, startsOthers } from './guarded-places.ts';

export function changeMode({ args, cwd }: Invocation, facts: Facts): Finding | undefined {
  const { mode, targets, recursive } = modeOf(args);
  const system = targets.find((path) => isSystem(path, cwd));
  if (mode === undefined) return recursive && system !== undefined ? systemWide(system) : undefined;
  const places = targets.map((path) => place(path, cwd));
  const { given, left } = bitsOf(mode);
  const gives = (bits: number): boolean => (given & bits) === bits;
  const othersWrite = gives(0o002) && !gives(0o1000);
  const takes = (left & 0o005) !== 0o005;
  if (opens(mode)) return tooOpen(mode);
  if ((left & 0o777) === 0) return locksOut(mode);
  const starters = places.filter((path) => startsOthers(facts.programOf(baseName(path))));
  // A name alone may be a folder of the project, whose files are to keep its group.
  if (gives(0o4000) || (gives(0o2000) && starters.some((path) => path.includes('/')))) return setUserId;
  if (othersWrite && places.some((path) => isGuarded(path) || isDisk(path) || isProgramFile(path)))
    return tooOpen(mode);
  // A sticky bit keeps a shared folder usable, but no folder of the system is one.
  if (gives(0o777) && system !== undefined) return tooOpen(mode);
  if (gives(0o004) && places.some(isSecret)) return tooOpen(mode);
  if (takes && places.some(isProgramFile) && !/^\d/.test(mode))
    return systemWide('the programs of the system');
  // `/etc/*` is all of it, as `find /etc -exec` would have it.
  const wide =
    recursive || othersWrite || (takes && !(gives(0o004) && places.some((path) => PUBLIC_FILE.test(path))));
  return system !== undefined && (wide || system.endsWith('/*')) ? systemWide(system) : undefined;
}

/** `install -m 777`, `mkdir -m 777`, `rsync --chmod=a+rwx` */
export function givenMode({ args }: Invocation): Finding | undefined {
  const { values } = options(args, [...'mogt', 'mode', 'chmod']);
  const modes = values.get('-m') ?? values.get('--mode') ?? values.get('--chmod') ?? '';
  for (const mode of modes.split(/,(?=[DF]?\d|[DF])/)) {
    const plain = mode.replace(/^[DF]/, '');
    if (opens(plain)) return tooOpen(mode);
    if (bitsOf(plain).given & 0o4000) return setUserId;
  }
  return undefined;
}

function opens(mode: string): boolean {
  const all = /^\d/.test(mode) ? 0o777 : 0o007;
  return (bitsOf(mode).given & (all | 0o1000)) === all;
}

/** The permissions that a mode gives (`755`, `u+rwX,o-w`), and those that it leaves of all. */
function bitsOf(mode: string): { readonly given: number; readonly left: number } {
  const octal = /^[0-7]+$/.test(mode) ? Number.parseInt(mode, 8) : undefined;
  return { given: octal ?? applied(mode, 0), left: octal ?? applied(mode, 0o777) };
}

function applied(mode: string, before: number): number {
  let bits = before;
  for (const [, who = '', operator, what = ''] of mode.matchAll(/(?<![ugoa])([ugoa]*)([-+=])([rwxXst]*)/g)) {
    const about = sum(who || 'a', WHO);
    const named = about & sum(what, WHAT);
    bits = operator === '+' ? bits | named : operator === '-' ? bits & ~named : (bits & ~about) | named;
  }
  return bits;
}

const WHO: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 };
const WHAT: Readonly<Record<string, number>> = {
  r: 0o444,
  w: 0o222,
  x: 0o111,
  X: 0o111,
  s: 0o6000,
  t: 0o1000,
};

function sum(letters: string, meaning: Readonly<Record<string, number>>): number {
  return [...letters].reduce((bits, letter) => bits | (meaning[letter] ?? 0), 0);
}

/** What chmod is told. `-x` may be a mode as well as an option: the first word that is no option is the mode. */
function modeOf(args: readonly string[]) {
  const isOption = (arg: string): boolean => /^(?:-[cfvRHLPh]+|--.*)$/.test(arg);
  const words = args.filter((arg, i) => !isOption(arg) && args[i - 1] !== '--reference');
  const recursive = args.some((arg) => isOption(arg) && /^(?:-\w*R|--recursive$)/.test(arg));
  // The mode is that of another file.
  if (args.some((arg) => /^--reference(?:=|$)/.test(arg))) return { targets: words, recursive };
  return { mode: words[0], targets: words.slice(1), recursive };
}

function isSecret(path: string): boolean {
  return /^(?:ssh-key|system-auth)$/.test(sensitiveKind(path)?.id ?? '') && !PUBLIC_FILE.test(path);
}

function isSystem(path: string, cwd: string): boolean {
  const target = (place(path, cwd) || '.').replace(/(?<!\/\*)(?:\/\*)+$/, '') || '/';
  return (
    target === '/' ||
    (target.startsWith('/') && isSystemFolder(target) !== undefined && !OPEN_FOLDERS.test(target))
  );
}

/** What everybody reads and nobody enters: 644 is its usual mode. */
const PUBLIC_FILE = anyPath(
  '/etc/{passwd,group,hosts,hostname,fstab,shells,profile,environment,services,motd,crontab}',
);
const OPEN_FOLDERS =
  /^\/(?:tmp|mnt|media|var\/www|var\/cache|usr\/local\/(?!bin$|sbin$).*|usr\/src|volumes)$/;

/** Whose the system's own authentication files are: to say so again puts them right. */
const USUAL_OWNER = /^(?:root|0|shadow)(?:[:.](?:root|0|shadow|wheel|docker)?)?$/;
const ROOT = /^(?:root|0)?(?::|$)/;
/** What programs outside of the package manager share, as against the folder of one of them. */
const LOCAL_TREE = anyPath(`
  /usr/local/{bin,sbin,lib,lib64,libexec,share,include,etc,var,opt,man,cellar,caskroom,frameworks,homebrew}
  /usr/local/lib/{pkgconfig,cmake,r,perl5,ruby,python*}
  /usr/local/share/{man,info,doc,locale,zsh,fish,aclocal,applications,icons,fonts}{,/*}`);

export function changeOwner({ name, args, cwd }: Invocation): Finding | undefined {
  const { flags, operands } = options(args, ['from', 'reference']);
  const named = !flags.has('--reference');
  const owner = named ? (operands[0] ?? '') : '';
  const recursive = flags.has('-R') || flags.has('--recursive');
  const lost = operands.slice(named ? 1 : 0).find((path) => {
    const target = place(path, cwd);
    if (isGuarded(target) && !target.startsWith('~') && (recursive || !USUAL_OWNER.test(owner))) return true;
    if (!ROOT.test(owner) && isProgramFile(target)) return true;
    if (recursive && name !== 'chgrp' && !ROOT.test(owner) && LOCAL_TREE.test(target)) return true;
    if (recursive || path.endsWith('/*'))
      return isSystem(path, cwd) || (/^~(?:\/\*)?$/.test(target) && /^(?:root|nobody|0)\b/.test(owner));
    return /^\/(?:etc|usr|bin|lib|boot|root|sbin|var)?$/.test(target);
  });
  return lost === undefined ? undefined : systemWide(lost);
}

export function changeList({ name, args, cwd }: Invocation): Finding | undefined {
  const { operands, flags, values } = options(args, ['m', 'x', 'M', 'X', 'modify', 'remove']);
  const entries = values.get('-m') ?? values.get('--modify') ?? '';
  if (/(?:^|,)o(?:ther)?::?rwx/.test(entries)) return tooOpen(entries);
  const recursive = flags.has('-R') || flags.has('--recursive') || args.some((arg) => /^\/[tr]$/i.test(arg));
  const changes = name === 'chattr' ? args.some((arg) => /^-[ia]+$/.test(arg)) : entries !== '';
  const lost = operands.find(
    (path) => ((changes || recursive) && isGuarded(place(path, cwd))) || (recursive && isSystem(path, cwd)),
  );
  return lost === undefined ? undefined : systemWide(lost);
}
