import { globOf } from '../shell/glob.ts';
import { CONTENT, UNKNOWN } from '../shell/marks.ts';
import { normalizePath, resolveDots } from './normalize.ts';
import { anyPath } from './pattern.ts';

/** The normal form of a path that a program in `cwd` is given. */
export function place(path: string, cwd: string): string {
  if (path.startsWith(CONTENT)) return '';
  const relative = cwd !== '.' && !/^(?:[/~$%\\]|[A-Za-z]:|file:)/.test(path);
  return normalizePath(relative ? `${cwd}/${path}` : path);
}

/**
 * Says what a path is when losing it, or everything in it, would be a disaster: the root, a home, a folder of the
 * system, or all of where the agent works. Nothing for an ordinary path.
 */
export function vital(path: string, cwd: string): string | undefined {
  const target = folderOf(place(path, cwd));
  // What is in there is meant to go: the last line of many a Dockerfile.
  if (/^(?:\/var)?\/tmp$/.test(target) && /\*$/.test(path)) return undefined;
  if (target === '' || target === '.') return path === '' ? undefined : 'everything in the working folder';
  if (/^\.\.(?:\/\.\.)*$/.test(target)) return 'a folder above the working folder';
  if (target === '/') return 'the whole file system';
  if (target === `/${UNKNOWN}`) return 'a system folder';
  if (target === '~') return 'the home folder';
  const what = DATA.test(target) ? 'the data of databases or containers' : isSystemFolder(target);
  // A folder of this name in a home may be the project itself.
  return what === 'a personal folder' && target === place('.', cwd)
    ? 'everything in the working folder'
    : what;
}

/** A folder of the system, or one of the standard folders of a home. */
export function isSystemFolder(target: string): string | undefined {
  const folders = meant(target);
  if (folders.some((path) => SYSTEM.has(path) || ETC.test(path) || WINDOWS.test(path)))
    return 'a system folder';
  return folders.some((path) => HOME_FOLDER.test(path)) ? 'a personal folder' : undefined;
}

/** A path, and where it is a pattern (`/etc/sh?dow`) also the well-known files and folders that it finds. */
export function meant(path: string): readonly string[] {
  if (!/[*?[]/.test(path)) return [path];
  if (latest?.path !== path) {
    const [isPath, isName] = [globOf(path), globOf(baseName(path))];
    latest = { path, meant: [path, ...WELL_KNOWN.filter((known) => isPath(known) || isName(known))] };
  }
  return latest.meant;
}

/** Several rules ask about the same path. */
let latest: { readonly path: string; readonly meant: readonly string[] } | undefined;

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `/*`, `/.*`, `/.[!.]*`: what is meant is everything in the folder, so the folder. */
export function folderOf(target: string): string {
  const parts = target.split('/');
  const named = parts.slice(0, parts.findLastIndex((part) => !EVERYTHING.test(part)) + 1);
  return named.join('/') || (target.startsWith('/') ? '/' : '');
}

const EVERYTHING =
  /^(?:\*{1,8}|\.\*|\*\.\*|\.\[!?\^?\.\]\*|\.\?\?\*|\?\*|\[!\.\]\*|\[a-z\]\*|\[a-zA-Z0-9\]\*)$/i;

const SYSTEM: ReadonlySet<string> = new Set([
  ...below(
    '/',
    `bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var tmp users system library
    applications volumes private cygdrive windows boot/efi boot/grub dev/disk dev/mapper lib/firmware lib/modules lib/systemd
    lib/x86_64-linux-gnu library/keychains opt/homebrew run/systemd system/library`,
  ),
  ...below(
    '/usr/',
    `bin sbin lib lib64 share local include libexec src lib/systemd lib/x86_64-linux-gnu lib/aarch64-linux-gnu local/bin
    local/cellar local/lib local/sbin local/share`,
  ),
  ...below(
    '/var/',
    'lib log db run spool mail www cache backups lib/dpkg lib/pacman lib/rpm lib/systemd log/journal spool/cron',
  ),
]);

function below(folder: string, names: string): readonly string[] {
  return names.split(/\s+/).map((name) => folder + name);
}

/** What a pattern may be meant to find: a bare name in any folder. */
const WELL_KNOWN: readonly string[] = [
  ...SYSTEM,
  ...below('/etc/', 'passwd shadow gshadow sudoers sudoers.d/x cron.d/x pam.d/x'),
  ...below(
    '~/',
    `.ssh .ssh/id_rsa .ssh/id_ed25519 .aws/credentials .netrc .bash_history .kube/config .git-credentials .npmrc .bashrc .zshrc
    .profile documents`,
  ),
  ...below(
    '',
    '/proc/1/environ .ssh/id_rsa id_rsa id_ed25519 id_ecdsa .env .netrc .pgpass .git-credentials .bash_history',
  ),
];
/** Where databases and containers keep what they have. */
const DATA =
  /^\/(?:data|backups?)$|^\/var\/lib\/(?:docker|containerd|containers|postgresql|mysql|mongodb|etcd|kubelet)(?:\/|$)/;
/** `/etc/ssh`, not `/etc/apt/sources.list.d/x.list`. */
const ETC = /^\/etc\/[^/.]+(?:\.d)?$/;
const WINDOWS =
  /^\/(?:mnt\/)?[a-z]$|^(?:\/(?:mnt\/)?[a-z])?\/(?:windows(?:\/system32)?|program files(?: \(x86\))?|users)$/;
const HOME_FOLDER =
  /^~\/(?:documents|desktop|downloads|pictures|music|videos|movies|library|\.ssh|\.gnupg|\.config|\.aws|\.kube|\.local|\.local\/share|appdata|onedrive|projects?|code|src|work(?:space)?|dev|repos?|git|source|backups?|photos|mail|dropbox)$/;

/** A file without which the system, or logging in to it, does not work. */
export function isSystemFile(target: string): boolean {
  return (
    (isProgramFile(target) && !PASSING.test(target)) || SYSTEM_FILE.test(target) || PACKAGE_LISTS.test(target)
  );
}

/** An image writes it so that packages start nothing, and deletes it at the end. */
const PASSING = /\/policy-rc\.d$/;

/** A program or library of the system, or what decides who may log in. */
export function isProgramFile(target: string): boolean {
  return PROGRAM_FILE.test(target);
}

const PROGRAM_FILE = anyPath(`
  {,/usr}/{,s}bin/** {,/usr}/lib{,32,64,x32}/{,*/}{*.so,*.so.*} {,/usr}/lib/systemd/systemd /boot/**
  /etc/ssh/sshd_config /etc/pam.d/**`);
const SYSTEM_FILE = anyPath(`
  /etc/{fstab,hosts,crypttab,nsswitch.conf,profile,inittab,resolv.conf,crontab,ld.so.{cache,conf},apt/sources.list}
  /etc/{systemd/*.conf,grub.d/**,default/grub} /sys/firmware/**
  /dev/{sd,hd,vd}* /dev/nvme* /dev/mapper/ /dev/{null,zero,random,urandom,tty}`);
const PACKAGE_LISTS = /^\/var\/lib\/(?:dpkg|rpm|pacman)\/(?!lock|updates|sync)|^\/lib\/.*\*/;

/** The name under which the walk keeps a file that the command wrote, as seen from the folder `cwd`. */
export function fileKey(path: string, cwd: string): string {
  const descriptor = path.replace(/^\/proc\/(?:self|thread-self|\d+)\/fd\//, '/dev/fd/');
  return resolveDots(cwd === '.' || /^[/~]/.test(descriptor) ? descriptor : `${cwd}/${descriptor}`);
}
