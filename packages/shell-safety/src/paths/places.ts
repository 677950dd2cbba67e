import { globMatches } from '../shell/glob.ts';
import { CONTENT, UNKNOWN } from '../shell/marks.ts';
import { normalizePath } from './normalize.ts';
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
  if (cwd === '.' && INSIDE.test(path)) return undefined;
  const target = folderOf(place(path, cwd));
  // What is in there is meant to go: the last line of many a Dockerfile.
  if (/^(?:\/var)?\/tmp$/.test(target) && /\*$/.test(path)) return undefined;
  if (target === '' || target === '.') return path === '' ? undefined : 'everything in the working folder';
  if (/^\.\.(?:\/\.\.)*$/.test(target)) return 'a folder above the working folder';
  if (target === '/') return 'the whole file system';
  if (target === `/${UNKNOWN}`) return 'a system folder';
  if (target === '~') return 'the home folder';
  if (PROJECTS.test(target) && target === place('.', cwd)) return 'everything in the working folder';
  return DATA.test(target) ? 'the data of databases or containers' : isSystemFolder(target);
}

/** A plain path in the working folder. */
const INSIDE = /^(?:\.\/)?\.?\w[\w-]*(?:[./][\w-]+)*\/?$/;

/** A folder of the system, or one of the standard folders of a home. */
export function isSystemFolder(target: string): string | undefined {
  if (SYSTEM.has(target) || ETC.test(target) || WINDOWS.test(target)) return 'a system folder';
  if (HOME_FOLDER.test(target)) return 'a personal folder';
  if (!/[*?[]/.test(target) || !/^[/~]/.test(target)) return undefined;
  return VITAL_LIST.some((folder) => globMatches(target, folder)) ? 'a system folder' : undefined;
}

/** `/*`, `/.*`, `/.[!.]*`: what is meant is everything in the folder, so the folder. */
function folderOf(target: string): string {
  let end = target.length;
  while (end > 0) {
    const slash = target.lastIndexOf('/', end - 1);
    if (!EVERYTHING.test(target.slice(slash + 1, end))) break;
    if (slash <= 0) return slash === 0 ? '/' : '';
    end = slash;
  }
  return target.slice(0, end);
}

const EVERYTHING =
  /^(?:\*{1,8}|\.\*|\*\.\*|\.\[!?\^?\.\]\*|\.\?\?\*|\?\*|\[!\.\]\*|\[a-z\]\*|\[a-zA-Z0-9\]\*)$/i;

const SYSTEM: ReadonlySet<string> = new Set([
  ...'bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var tmp users system library applications volumes private cygdrive windows'
    .split(' ')
    .map((name) => `/${name}`),
  ...'bin sbin lib lib64 share local include libexec local/bin local/lib local/sbin local/share src'
    .split(' ')
    .map((name) => `/usr/${name}`),
  ...'lib log db run spool mail www cache lib/dpkg lib/rpm backups'.split(' ').map((name) => `/var/${name}`),
  ...[
    '/lib/modules',
    '/system/library',
    '/lib/systemd',
    '/lib/x86_64-linux-gnu',
    '/usr/lib/systemd',
    '/boot/efi',
    '/boot/grub',
    '/run/systemd',
    ...[
      '/lib/firmware',
      '/usr/lib/x86_64-linux-gnu',
      '/usr/lib/aarch64-linux-gnu',
      '/usr/local/cellar',
      '/opt/homebrew',
    ],
    ...[
      '/var/spool/cron',
      '/var/log/journal',
      '/var/lib/systemd',
      '/var/lib/pacman',
      '/dev/mapper',
      '/dev/disk',
      '/library/keychains',
    ],
  ],
]);
const VITAL_LIST = [...SYSTEM, '/etc/passwd', '/etc/shadow', '/etc/sudoers', '~/documents', '~/.ssh'];
/** Where databases and containers keep what they have. */
const DATA =
  /^\/(?:data|backups?)$|^\/var\/lib\/(?:docker|containerd|containers|postgresql|mysql|mongodb|etcd|kubelet)(?:\/|$)/;
/** `/etc/ssh`, not `/etc/apt/sources.list.d/x.list`. */
const ETC = /^\/etc\/[^/.]+(?:\.d)?$/;
const WINDOWS =
  /^\/(?:mnt\/)?[a-z]$|^(?:\/(?:mnt\/)?[a-z])?\/(?:windows(?:\/system32)?|program files(?: \(x86\))?|users)$/;
const HOME_FOLDER =
  /^~\/(?:documents|desktop|downloads|pictures|music|videos|movies|library|\.ssh|\.gnupg|\.config|\.aws|\.kube|\.local|\.local\/share|appdata|onedrive|projects?|code|src|work(?:space)?|dev|repos?|git|source|backups?|photos|mail|dropbox)$/;

/** A folder of this name in a home may be the project itself. */
const PROJECTS = /^~\/(?:projects?|code|src|work(?:space)?|dev|repos?|git|source)$/;

/** A file without which the system, or logging in to it, does not work. */
export function isSystemFile(target: string): boolean {
  return SYSTEM_FILE.test(target) || PACKAGE_LISTS.test(target);
}

const SYSTEM_FILE = anyPath(`
  /etc/{fstab,hosts,crypttab,nsswitch.conf,profile,inittab,resolv.conf,crontab,ld.so.{cache,conf},ssh/sshd_config}
  /etc/{pam.d/**,apt/sources.list,systemd/*.conf,grub.d/**,default/grub} /boot/** /bin/** /sbin/**
  /usr/{,s}bin/{perl,python,python3,sh,bash,dash,zsh,ash,sudo,su,apt*,dpkg,rpm,yum,dnf,env,ls,cat,cp,mv,rm,login,passwd}
  /usr/{,s}bin/{ssh,sshd,systemctl} {,/usr}/lib{,32,64,x32}/{,*/}{ld-linux*,libc.so*,*.so,*.so.*,systemd/systemd}
  /lib/systemd/systemd /sys/firmware/** /dev/{sd,hd,vd}* /dev/nvme* /dev/mapper/ /dev/{null,zero,random,urandom,tty}`);
const PACKAGE_LISTS = /^\/var\/lib\/(?:dpkg|rpm|pacman)\/(?!lock|updates|sync)|^\/lib\/.*\*/;

/** The name under which the walk keeps a file that the command wrote, as seen from the folder `cwd`. */
export function fileKey(path: string, cwd: string): string {
  if (path.startsWith('/proc/')) return path.replace(/^\/proc\/(?:self|thread-self|\d+)\/fd\//, '/dev/fd/');
  const full = cwd === '.' || /^[/~]/.test(path) ? path : `${cwd}/${path}`;
  if (!/(?:^|\/)\.{1,2}(?:\/|$)|\/\//.test(full)) return full;
  const parts: string[] = [];
  for (const part of full.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return (full.startsWith('/') ? '/' : '') + parts.join('/');
}
