import { locksOut, setUserId, systemWide, tooOpen } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { sensitiveKind } from '../paths/check.ts';
import { anyPath } from '../paths/pattern.ts';
import { isSystemFolder, place } from '../paths/places.ts';
import type { Invocation } from '../programs/program.ts';
import { options } from '../shell/options.ts';
import { isDisk } from './devices.ts';
import { effectOf, modeOf } from './file-mode.ts';
import { isGuarded } from './guarded-places.ts';

export function changeMode(call: Invocation): Finding | undefined {
  const { mode, targets, recursive } = modeOf(call.args);
  if (mode === undefined) {
    const changed = recursive ? targets.find((path) => isSystem(path, call.cwd)) : undefined;
    return changed === undefined ? undefined : systemWide(changed);
  }
  const effect = effectOf(mode);
  if (effect.opens) return tooOpen(mode);
  if (effect.locks) return locksOut(mode);
  const places = targets.map((path) => place(path, call.cwd));
  if (effect.setsUser || (effect.setsId && places.some((path) => SHELL_BINARY.test(path)))) {
    return setUserId;
  }
  if (effect.othersWrite && places.some((path) => isGuarded(path) || isDisk(path) || PROGRAM_FILE.test(path)))
    return tooOpen(mode);
  // A sticky bit keeps a shared folder usable, but no folder of the system is one.
  if (effect.everything && targets.some((path) => isSystem(path, call.cwd))) return tooOpen(mode);
  if (effect.othersRead && places.some((path) => SECRET_AUTH_FILE.test(path) || isKey(path)))
    return tooOpen(mode);
  if (effect.takes && places.some((path) => PROGRAM_FILE.test(path)) && !/^\d/.test(mode))
    return systemWide('the programs of the system');
  if (
    effect.othersWrite &&
    recursive &&
    places.some((path) => /^\//.test(path) && isSystemFolder(path) !== undefined)
  )
    return tooOpen(mode);
  const system = targets.find((path) => isSystem(path, call.cwd));
  // `/etc/*` is all of it, as `find /etc -exec` would have it.
  if (system !== undefined && /\/\*$/.test(system)) return systemWide(system);
  if (system !== undefined && (recursive || effect.othersWrite)) return systemWide(system);
  const closed = effect.takes
    ? targets.find((path) => isSystem(path, call.cwd) && !(effect.othersRead && isPublicFile(path, call.cwd)))
    : undefined;
  return closed === undefined ? undefined : systemWide(closed);
}

/** `install -m 777`, `mkdir -m 777`, `rsync --chmod=a+rwx` */
export function givenMode({ args }: Invocation): Finding | undefined {
  const { values } = options(args, [...'mogt', 'mode', 'chmod']);
  const modes = values.get('-m') ?? values.get('--mode') ?? values.get('--chmod');
  for (const mode of modes?.split(/,(?=[DF]?[\d]|[DF])/) ?? []) {
    const effect = effectOf(mode.replace(/^[DF]/, ''));
    if (effect.opens) return tooOpen(mode);
    if (effect.setsUser) return setUserId;
  }
  return undefined;
}

/** A person's private key. */
function isKey(path: string): boolean {
  return sensitiveKind(path)?.id === 'ssh-key' && path.startsWith('~');
}

function isSystem(path: string, cwd: string): boolean {
  const target = place(path, cwd).replace(/(?<!\/\*)(?:\/\*)+$/, '') || '/';
  const full =
    path.startsWith('/') || path.startsWith('~') || cwd.startsWith('/') ? target : place(path, cwd);
  return (
    full === '/' || (full.startsWith('/') && isSystemFolder(full) !== undefined && !OPEN_FOLDERS.test(full))
  );
}

/** A file that everybody reads and nobody enters: 644 is its usual mode. */
function isPublicFile(path: string, cwd: string): boolean {
  return PUBLIC_FILE.test(place(path, cwd));
}

const PUBLIC_FILE = anyPath(
  '/etc/{passwd,group,hosts,hostname,fstab,shells,profile,environment,services,motd,crontab}',
);
const OPEN_FOLDERS =
  /^\/(?:tmp|mnt|media|var\/www|var\/cache|usr\/local\/(?!bin$|sbin$).*|usr\/src|volumes)$/;
const SHELL_BINARY =
  /\/(?:bash|sh|dash|zsh|ksh|fish|python[\d.]*|perl|ruby|node|vim?|nano|find|cp|env|awk|less|more|nmap|php)$/;
const PROGRAM_FILE = anyPath(`
  {,/usr}/{,s}bin/* {,/usr}/lib{,32,64,x32}/{,*/}{*.so,*.so.*} {,/usr}/lib/systemd/systemd /boot/**
  /etc/ssh/sshd_config /etc/pam.d/**`);
const SECRET_AUTH_FILE = anyPath('/etc/{shadow,gshadow,sudoers}{,-}');

/** Whose the system's own authentication files are: to say so again puts them right. */
const USUAL_OWNER = /^(?:root|0|shadow)(?:[:.](?:root|0|shadow|wheel|docker)?)?$/;
/** What programs outside of the package manager share, as against the folder of one of them. */
const LOCAL_TREE = anyPath(`
  /usr/local/{bin,sbin,lib,lib64,libexec,share,include,etc,var,opt,man,cellar,caskroom,frameworks,homebrew}
  /usr/local/lib/{pkgconfig,cmake,r,perl5,ruby,python*}
  /usr/local/share/{man,info,doc,locale,zsh,fish,aclocal,applications,icons,fonts}{,/*}`);

export function changeOwner(call: Invocation): Finding | undefined {
  const { flags, operands } = options(call.args, ['from', 'reference']);
  const targets = operands.slice(flags.has('--reference') ? 0 : 1);
  const auth = targets.find(
    (path) => isGuarded(place(path, call.cwd)) && !place(path, call.cwd).startsWith('~'),
  );
  const owner = flags.has('--reference') ? '' : (operands[0] ?? '');
  const recursive = flags.has('-R') || flags.has('--recursive');
  if (auth !== undefined && (recursive || !USUAL_OWNER.test(owner))) return systemWide(auth);
  if (!/^(?:root|0)?(?::|$)/.test(owner) && targets.some((path) => PROGRAM_FILE.test(place(path, call.cwd))))
    return systemWide('the programs of the system');
  const local =
    recursive && call.name !== 'chgrp' && !/^(?:root|0)?(?::|$)/.test(owner)
      ? targets.find((path) => LOCAL_TREE.test(place(path, call.cwd)))
      : undefined;
  if (local !== undefined) return systemWide(local);
  const root = targets.find((path) => {
    const target = place(path, call.cwd);
    return recursive || /\/\*$/.test(path)
      ? isSystem(path, call.cwd) || (/^~(?:\/\*)?$/.test(target) && /^(?:root|nobody|0)\b/.test(owner))
      : /^\/(?:etc|usr|bin|lib|boot|root|sbin|var)?$/.test(target) && path.startsWith('/');
  });
  return root === undefined ? undefined : systemWide(root);
}

export function changeList(call: Invocation): Finding | undefined {
  const { operands, flags, values } = options(call.args, ['m', 'x', 'M', 'X', 'modify', 'remove']);
  const entries = values.get('-m') ?? values.get('--modify') ?? '';
  if (/(?:^|,)o(?:ther)?::?rwx/.test(entries)) return tooOpen(entries);
  const recursive =
    flags.has('-R') || flags.has('--recursive') || call.args.some((arg) => /^\/[tr]$/i.test(arg));
  const target = operands.find((path) => isSystem(path, call.cwd) || isGuarded(place(path, call.cwd)));
  const auth = operands.find((path) => isGuarded(place(path, call.cwd)));
  const opens = call.name === 'chattr' ? call.args.some((arg) => /^-[ia]+$/.test(arg)) : entries !== '';
  if (auth !== undefined && opens) return systemWide(auth);
  return recursive && target !== undefined ? systemWide(target) : undefined;
}
