import {
  access,
  deletion,
  discards,
  diskWrite,
  erasesTraces,
  loaded,
  rewritesHistory,
  sensitiveFile,
  started,
  systemFile,
  wipes,
  written,
} from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { kindOf } from '../paths/check.ts';
import { EVERYDAY } from '../paths/list.ts';
import { anyPath } from '../paths/pattern.ts';
import { baseName, isSystemFile, meant, place } from '../paths/places.ts';
import { isNamed } from '../programs/pattern.ts';
import { type Facts, has, type Invocation, type Program } from '../programs/program.ts';
import { isKnown } from '../shell/marks.ts';
import { isHook } from './git-hooks.ts';
import { isRepository, isTemporary } from './kept-folders.ts';

/*
 * Files that something else runs, obeys or believes. Which program writes there, and how, makes no difference: what
 * counts is the place. What a program writes is in `programs/writes.ts`.
 */

/** A place that is not for an agent to write. */
interface GuardedPlace {
  /** Tested against a path in its normal form, which is lower case with `~` for a home. */
  readonly pattern: RegExp;
  readonly found: (path: string) => Finding;
  /** What stands there is run, so it is gone through as soon as it is written. */
  readonly runs?: true;
}

const profile = written('a shell profile');
const setting = written('which is a setting of this machine');
const obeyed = written('which programs run or obey when they start');

/** In the order in which they are tried. */
const PLACES: readonly GuardedPlace[] = [
  {
    pattern: anyPath(`
      {,/usr/local}/etc/{passwd,shadow,gshadow,group,master.passwd,sudoers,doas.conf,pam.conf}{,-}
      {,/usr/local}/etc/{sudoers.d,pam.d,polkit-1,security}/ {,/usr/local}/etc/selinux/config
      /usr/share/polkit-1/ system32/config/{sam,system}`),
    found: systemFile,
  },
  {
    pattern: anyPath(`
      /etc/{ld.so.preload,ld.so.cache,modules,default/grub} /etc/{modules-load.d,modprobe.d,grub.d}/
      {,/usr}/lib{,32,64}/{,*/}{ld-linux,libc.so}* {,/usr}/lib/systemd/systemd {,/usr}/lib/{,*/}{modules,security}/
      /var/lib/{dpkg/status,rpm/packages} /sys/firmware/efi/ /boot/**
      /proc/sys/kernel/{core_pattern,modprobe,randomize_va_space,yama/**}`),
    found: loaded,
  },
  {
    pattern: anyPath(`
      /etc/{cron*,anacrontab,init.d,rc.d,rc*.d,update-motd.d,xdg/autostart,network/if-*.d,networkmanager/dispatcher.d,supervisor/conf.d,incron.d}/
      /etc/{kernel/{,*.d},ppp/{,*.d},acpi/events,x11/xinit,runit,s6,init,monit,kubernetes/manifests,tmpfiles.d}/**
      /etc/{rc.local,rc.common,inittab} /var/spool/{cron,at,incron}*/ systemd/{system,user}{,-generators,-sleep,-shutdown,-environment-generators}/**
      /etc/{periodic,pm,sv,initramfs-tools,libvirt/hooks,dhcp/dhclient-{enter,exit}-hooks.d}/** /usr/share/dbus-1/system-services/
      .config/autostart/ launch{agents,daemons}/ /library/{startupitems,security/securityagentplugins}/
      {,**/}{site,dist}-packages/{{user,site}customize.py,*.pth} programs/start{,-}up/
      {,**/}{,windows}powershell/{,v1.0/}*profile.ps1 {$}profile**`),
    found: started,
    runs: true,
  },
  {
    pattern: anyPath(`
      ~/.bash{rc,_profile,_login,_logout,_aliases} ~/.zsh{rc,env} ~/.zprofile ~/.zlog{in,out} ~/.{,k,c,tc}shrc
      ~/.{profile,login,xinitrc,xprofile,xsession,xsessionrc,pam_environment}
      ~/.config/{fish/config.fish,fish/conf.d/**,zsh/**} ~/.{bashrc.d,profile.d,zsh,zsh.d,zshrc.d,oh-my-zsh/custom}/** ~/.bash_completion ~/.ssh/{rc,environment} /etc/ssh/sshrc
      /etc/profile /etc/profile.d/** /etc/bash{,.}bashrc /etc/bashrc /etc/zsh{rc,env} /etc/zsh/ /etc/environment /etc/fish/
      /etc/skel/.*`),
    found: profile,
    runs: true,
  },
  {
    pattern: anyPath('~/.gitconfig ~/.config/git/config /etc/gitconfig .git/config'),
    found: written("git's settings, which say what it runs"),
  },
  {
    pattern: anyPath(`
      /etc/{hosts{,.allow,.deny,.equiv},{dnsmasq,gai,systemd/resolved,dhcp/dhclient,dhcp/dhcpd}.conf,ssh/ssh_known_hosts,resolv.conf,nsswitch.conf,fstab,crypttab,exports,krb5.conf,hostname}
      /etc/{netplan,ufw,firewalld,fail2ban,network,networkmanager,iptables,nftables.conf,wireguard,openvpn,ssl/certs,ca-certificates,pki}/
      /usr/{,local/}share/ca-certificates/
      system32/drivers/etc/hosts`),
    found: written('which decides whom and what this machine connects to'),
  },
  {
    pattern: anyPath(`
      ~/.{pip/pip.conf,config/pip/pip.conf,config/uv/uv.toml,cargo/config{,.toml},gemrc,condarc,yarnrc{,.yml},bunfig.toml}
      ~/.m2/settings.xml ~/.gradle/{init.gradle,init.d/**} ~/.terraformrc
      /etc/{pip.conf,npmrc,yum.conf,dnf/dnf.conf,pacman.conf,apk/repositories,containers/policy.json}
      ~/.config/{containers,go}/{registries.conf,env} ~/.nuget/nuget/nuget.config ~/.config/composer/config.json`),
    found: written("a package manager's settings, which say where code comes from"),
  },
  {
    pattern: anyPath(`
      .{claude,gemini,codex,cursor,opencode,windsurf}/{settings{,.local}.json,config.{toml,json},mcp.json,hooks.json}
      .{claude,gemini,codex,cursor,opencode,windsurf}/hooks/** .{vscode,roo,amazonq,kiro/settings}/mcp.json
      ~/.config/{code,cursor,vscodium,windsurf}*/user/{settings,mcp,tasks}.json ~/.{copilot,continue}/config.{json,yaml}
      ~/library/application*support/{code,cursor,claude}*/**.json ~/.config/claude/*.json ~/.codeium/**/mcp_config.json
      ~/.config/{opencode,goose,zed,amp}/*.{json,jsonc,yaml} .aider.conf.yml {,.}opencode.json{,c} .amp/settings.json .kiro/hooks/**
      .mcp.json ~/.claude.json ~/.claude/claude.md ~/.claude/{commands,agents,skills,plugins,hooks}/**
      ~/.codex/agents.md ~/.gemini/gemini.md`),
    found: written("an agent's settings"),
  },
  {
    pattern: anyPath(`
      /etc/{udev/rules.d,dbus-1}/** /etc/{docker/daemon.json,motd,issue{,.net},shells,login.defs,securetty,nologin,inputrc}
      /etc/{sudo,sysctl,rsyslog,logrotate,systemd/{system,user,logind}}.conf /etc/{default/{useradd,ssh,docker},ssl/openssl.cnf} /etc/environment.d/** /etc/{exports,apt/sources.list}
      /etc/{rsyslog,apt/apt.conf,apt/preferences,yum.repos,audit,security,apparmor,polkit-1,selinux}*/
      /sys/fs/selinux/enforce {,**/}release_agent /selinux/enforce
      ~/.config/{environment.d,plasma-workspace/env,git/hooks}/** ~/.local/share/dbus-1/services/**
      ~/.{curlrc,wgetrc,inputrc,python{rc,startup}{,.py},irbrc,pryrc,psqlrc,sqliterc,gdbinit,lldbinit,rprofile,hgrc}
      ~/.ipython/profile_*/startup/** ~/.{vim,ex,screen}rc ~/.emacs{,.d/init.el} ~/.tmux.conf
      ~/.config/{nvim,vim,tmux,nushell,helix,kitty,alacritty}/{init.*,vimrc,*.conf,*.nu,*.toml} ~/.gnupg/*.conf`),
    found: obeyed,
  },
  {
    pattern: /(?:^|\/)\.git\/hooks\/(?![^/]*\.sample(?:\/|$))./,
    found: written('a hook that git runs by itself'),
    runs: true,
  },
  {
    pattern: anyPath(
      '/var/log/{auth.log,secure,btmp,wtmp,lastlog} /var/log/{audit,journal}/** ~/.{bash,zsh}_history',
    ),
    found: () => erasesTraces,
  },
  { pattern: /^\/windows\/(?!te?mp\/|logs\/|prefetch\/)./, found: loaded },
];

/** The place that a path in its normal form is in, if it is a guarded one. */
function guarded(path: string): GuardedPlace | undefined {
  const paths = meant(path);
  return PLACES.find(({ pattern }) => paths.some((target) => pattern.test(target)));
}

/** What writing to a path does, whoever writes: for a path in its normal form. */
export function checkPlace(path: string): Finding | undefined {
  if (isDisk(path)) return diskWrite(path);
  return LETS_IN.test(path) ? access : guarded(path)?.found(path);
}

/** What is written there is run later: at a login, by the clock, by git. */
export function isRunLater(path: string): boolean {
  const target = place(path, '.');
  return guarded(target)?.runs === true || isHook(target);
}

/** A file that nobody but its owner may write: it is run or obeyed, or lets its writer do anything as root. */
export function isGuarded(path: string): boolean {
  return guarded(path) !== undefined || /\/(?:docker|podman|containerd|crio)\.sock$/.test(path);
}

export function checkChange(path: string, call: Invocation, facts: Facts): Finding | undefined {
  const { known, name, host } = call;
  if (host === 'container' && !LETS_IN.test(path)) return undefined;
  if (known.deletes) return checkSettingDeleted(path);
  if (/(?:^|\/)\.git\/(?!config$)/.test(path) && isRepository(path, '.')) return rewritesHistory;
  if (known.reads === 'git' && someText(call, facts, (arg) => arg.endsWith(`:${path}`))) return discards;
  // The settings of ssh may be edited and added to, unless that opens a way in.
  if (/^\/etc\/ssh\/sshd?_config(?:$|\.d\/.)/.test(path)) {
    if (someText(call, facts, (text) => OPENS_LOGIN.test(text))) return access;
    return known.writes === 'in-place' || appends(call)
      ? undefined
      : written('which decides who may log in')(path);
  }
  // Of these settings, some name programs or files that aider runs or loads.
  if (
    path.endsWith('.aider.conf.yml') &&
    call.stdin !== undefined &&
    isKnown(call.stdin) &&
    !AIDER_RUNS.test(call.stdin)
  )
    return undefined;
  // A hook out of the project is the project's, which one can look at.
  if (isHook(path) && someText(call, facts, (arg) => ELSEWHERE.test(place(arg, call.cwd))))
    return written('a hook that git runs by itself')(path);
  if (spreads(path, call, facts)) return path === '~' ? profile(path) : loaded(path);
  // So dotfiles are installed: a link to a file in the project, which one can look at.
  if (name === 'ln' && path.startsWith('~') && guarded(path)?.found === obeyed && !isForeign(call, facts))
    return undefined;
  const found = checkPlace(path) ?? (replacesProgram(path, call, facts) ? loaded(path) : undefined);
  if (found) return found;
  return ETC_FILE.test(path) && (!known.fetches || known.fetches === 'input') ? setting(path) : undefined;
}

/** What deleting a file does, whoever deletes it: for a path in its normal form. */
export function checkDeleted(path: string): Finding | undefined {
  return isSystemFile(path) ? deletion('system files') : checkSettingDeleted(path);
}

function checkSettingDeleted(path: string): Finding | undefined {
  const lost = guarded(path);
  if (lost?.found === systemFile) return systemFile(path);
  return lost && !lost.runs && SETTING.test(path) ? deletion('a setting of the system') : undefined;
}

/** What a package or a program puts beside others, in a folder `x.d`, may go. */
const SETTING = /^\/etc\/(?!\S*\.d\/)/;
const ELSEWHERE = /^(?:~\/\.|\/(?:tmp|var\/tmp|dev\/shm)\/)/;

/** Not the folder of an application, where what writes is no copy; `app.conf` is one's file, too. */
const ETC_FILE = /^\/etc\/(?!localtime$|timezone$|machine-id$)[^/.]+$/;

function appends({ args, redirects }: Invocation): boolean {
  return (
    args.some((arg) => /^(?:-a|--append)$/.test(arg)) || redirects.some(({ operator }) => operator === '>>')
  );
}

/** A file of secrets that is written; asked after those that are read, which say more. */
export function checkSecretsWritten(path: string, call: Invocation): Finding | undefined {
  if (call.known.deletes || NO_SECRET.test(path)) return undefined;
  const kind = kindOf(path, '.');
  return kind === undefined || (EVERYDAY.has(kind.id) && !OF_HOME.test(path))
    ? undefined
    : written(kind.what)(path);
}

const AIDER_RUNS = /\b(?:\w+-)?(?:cmd|load|read|file|env|set-env|editor|yes\S*|verify|key)\s*:/i;

/** The keys that let somebody log in, and what a super-server starts for each who connects. */
const LETS_IN = anyPath('authorized_keys{,2} /etc/inetd.conf /etc/xinetd.d/**');
const OPENS_LOGIN =
  /\b(?:PermitRootLogin|PermitEmptyPasswords|PasswordAuthentication)[ \t]+yes\b(?!\/[^/\n])/i;

/** An archive or a folder that is laid over the whole system, or over a home. */
function spreads(path: string, call: Invocation, facts: Facts): boolean {
  if (!/^(?:~|\/(?:etc)?)$/.test(path) || call.args.includes('--list-only')) return false;
  if (call.known.writes === 'unpacked') return path !== '~';
  return call.known.writes === 'target' && someText(call, facts, (arg) => /^[^~/:-][^:]*\/\.?$/.test(arg));
}

/** Whether one of its arguments, or what it reads, is such. */
function someText(
  { args, stdin = '' }: Invocation,
  { spend }: Facts,
  test: (text: string) => boolean,
): boolean {
  return spend(args.length + stdin.length / 8) && (args.some(test) || test(stdin));
}

/** Whether one of its files is in a temporary folder, where anybody may have put it. */
function isForeign(call: Invocation, facts: Facts): boolean {
  return someText(call, facts, (arg) => isTemporary(place(arg, call.cwd)));
}

/** Another file under the name of a known program; not one that is installed under its own name. */
function replacesProgram(path: string, call: Invocation, facts: Facts): boolean {
  const { name, known, args } = call;
  const [, folder = '', program = '', version = ''] = PROGRAM_PATH.exec(path) ?? [];
  if (folder === '' || known.namesPrograms) return false;
  const ofSystem = !/local|^~/.test(folder);
  if (ofSystem && name !== 'ln') return true;
  const replaced = facts.programOf(program + version);
  if (replaced === undefined) return false;
  const sameName = someText(call, facts, (arg) => !arg.endsWith(path) && baseName(arg).startsWith(program));
  // Without `-f` a link replaces nothing.
  const installs = sameName && !(ofSystem && args.some((arg) => /^-\w*f|^--force$/.test(arg)));
  // `ln -sf bash /bin/sh` chooses the shell of the system, as many an image does.
  const links = name === 'ln' && replaced.runs === 'shell' && !isForeign(call, facts);
  if (installs || links) return false;
  // A person may have a `git` of their own, but what starts, looks or sends is what the system has.
  return !folder.startsWith('~') || startsOthers(replaced) || has(replaced, 'names', 'sends');
}

const PROGRAM_PATH = /^(~\/(?:\.local\/)?bin|(?:\/usr(?:\/local)?)?\/s?bin)\/([^/]*[^/\d.]|[^/])([\d.]*)$/;

/** A program that starts whatever it is told. */
export function startsOthers(known: Program | undefined): boolean {
  return Boolean(known?.runs ?? known?.starts ?? known?.starter);
}

/** Of the files with secrets that programs of a project write themselves, a person's own. */
const OF_HOME =
  /^~\/\.(?:kube\/config|docker\/config\.json|config\/(?:containers\/auth\.json|git\/credentials)|gem\/credentials|terraform\.d\/credentials\.tfrc\.json)$/;
const NO_SECRET = /\.(?:pub|sample|example)$|\/(?:known_hosts(?:\.old)?|authorized_keys2?)$|\/\.ssh$/;

export function isDisk(path: string): boolean {
  return DISK.test(path);
}

const DISK =
  /^\/dev\/(?:dev\/)?(?:r?disk\d|[shv]d[a-z*?[]|xvd[a-z]|nvme\d|mmcblk\d|md\d|dm-\d|mapper\/|disk\/by-|zvol\/|sr\d|(?:sd|hd|vd|nvme|disk|mmcblk)$|\ue000|[^/]*\ue000|block\/|mem$|kmem$|port$)|^\/proc\/sysrq-trigger$|^\/sys\/(?:class\/)?block\/[^/]+\/device\/(?:delete|state)$|^\/proc\/sys\/kernel\/sysrq$|^\\\\\.\\physicaldrive/i;

export function diskTool({ name, args, known, cwd }: Invocation): Finding | undefined {
  if (known.looks && isNamed(args, known.looks)) return undefined;
  if (known.wipes) return isNamed(args, known.wipes) ? wipes(name) : undefined;
  const disk = args.find((arg) => DEVICE.test(place(arg, cwd)));
  return disk === undefined ? undefined : wipes(name, disk);
}

const DEVICE = /^\/dev\/(?!zram|null|zero|u?random|stdin|stdout|stderr|tty|shm|fd)/;

/** An editor or a debugger that is told to read or write a file: `:r ~/.netrc`, `dump memory /etc/cron.d/x`. */
export function editor({ args, stdin, cwd }: Invocation): Finding | undefined {
  const text = [...args.filter((arg) => /\s/.test(arg)), stdin ?? ''].join('\n');
  for (const [, verb = '', path = ''] of text.matchAll(NAMES_FILE)) {
    const kind = kindOf(path, cwd);
    const found = /^[wda]/.test(verb) ? checkPlace(place(path, cwd)) : kind && sensitiveFile(kind.what, path);
    if (found) return found;
  }
  return undefined;
}

/** A verb at the start of a command, behind an address, or behind the last slash of a replacement. */
const NAMES_FILE =
  /(?:^|[\n;:{+/\d$])\s?(r|R|e|w|wq|read|edit|write|saveas|split|source|(?:dump|append)\s\w{1,20})!?\s+([/~.][^\s;}'"]{1,200})/g;
