import { losesData, losesSources } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { normalizePath } from '../paths/normalize.ts';
import { anyPath } from '../paths/pattern.ts';
import { place } from '../paths/places.ts';
import { isKnown } from '../shell/marks.ts';

/** What a build, a package manager or a test makes again. */
const MADE_AGAIN =
  /(?:^|[/._-])(?:[a-z]{0,16}cache[sd]?\w{0,16}|te?mp|tests?|scratch|node_modules|dist|build|builds|out|target|coverage|logs?|lists|trash|venv|virtualenvs|worktrees?|wt|demo|example|sandbox|old|derived\w*|__pycache__)(?:$|[/._-])|\.(?:deb|rpm|tgz|zip|log|tmp|lock|pid|sock)$/;

/** What services keep: each file counts. */
const SERVICES =
  /^\/var\/lib\/(?!apt(?:\/|$)|dpkg\/(?:lock|updates)|pacman\/|dnf|yum|rpm\/|snapd\/cache|flatpak|gems|systemd\/)[^/]+|^\/(?:backups?|data)\/.|^\/etc\/(?:letsencrypt|kubernetes|ssl\/private|pki|wireguard|openvpn)(?:\/|$)|^\/etc\/([\w-]+)\/(?:\1|my)\.(?:conf|cnf)$/;
/** What programs and people keep: folders count. */
const FOLDERS = anyPath(`
  /{programdata,inetpub}{,/*} /{srv,mnt,media,volumes}/*{,/*} /opt/* /var/www/*{,/html} /applications/* /system/
  /usr/{,local/}lib/{node_modules,python*{,/{dist,site}-packages}} {,/usr}/lib/modules/**
  ~/{documents,desktop,pictures,music,videos,movies,photos,dropbox,onedrive,backup,backups,mail}/*
  ~/{projects,code,src,workspace,workspaces,repos,git,sources,developer}/*
  ~/.config/{code,codium,cursor,zed,emacs,sublime-text,jetbrains,google-chrome,chromium,bravesoftware,microsoft-edge}
  ~/.config/{discord,slack,signal,obsidian,obs-studio,gnome*,kde*,plasma*,sway,i3,hypr,fish,git,gh,gcloud,doctl,helm}
  ~/.config/{rclone,op,1password,keepassxc,filezilla,remmina,systemd,autostart,kitty,alacritty,wezterm}
  ~/.{mozilla{,/firefox},thunderbird,vim,emacs.d,docker,claude,codex,gemini,minikube,electrum,password-store}
  ~/.{terraform.d,vagrant.d,wine,steam} ~/snap{,/*}`);
const OTHERS =
  /^~\/\.local\/share\/(?!pnpm|uv|nvim|mise|fnm|jupyter)[^/]+$|^~\/library\/(?!pnpm|developer\/)(?:[^/]+|application support\/[^/]+)$/;
const SETTINGS = anyPath(`
  ~/.{gitconfig,vimrc,tmux.conf,npmrc,kube/config} .claude/{settings{,.local}.json,hooks{,/**}}`);
/** Whether a folder is somebody else's: neither in the project nor where everybody puts what is not to stay. */
export function isOutside(target: string, project: string): boolean {
  if (!/^[~/]/.test(project) || !/^[~/]|^\.\./.test(target)) return false;
  const full = target.startsWith('.') ? normalizePath(`${project}/${target}`) : target;
  if (!isKnown(full) || TEMPORARY.test(full)) return false;
  return (
    full !== project &&
    !full.startsWith(`${project}/`) &&
    /^(?:~\/.|\/(?:home|users|srv|opt|var|mnt|media|data|volumes|workspaces?|repos?|projects?|code)(?=\/|$))/.test(
      `${full}/`,
    )
  );
}

const TEMPORARY = anyPath(`
  {,/private}/{tmp,var/{tmp,folders,cache,log,run},dev/shm,run}/ ~/{downloads,appdata/local/temp}/
  ~/.{npm,yarn,pnpm-store,bun,cargo,rustup,gradle,m2,nuget,ivy2,sbt,vscode-server,cache}/
  ~/.local/share/{pnpm,uv,mise,nvim,jupyter,virtualenvs}/`);
/** Whether a path is in a folder for temporary files. */
export function isTemporary(path: string): boolean {
  return FOR_TRIALS.test(path);
}

const FOR_TRIALS = anyPath('{,/private}/{tmp,var/{tmp,folders},dev/shm}/ ~/appdata/local/temp/');

/** What somebody deleted, and may want back. */
const TRASH = /^~\/(?:\.trash|\.local\/share\/trash(?:\/files)?)$|^\/[a-z]?:?\/?\$recycle\.bin/;
const BESIDE = /^\.\.\/[^./][^/]*$/;

const SOURCES =
  /^(?:src|sources?|apps?|packages|server|client|backend|frontend|internal|cmd|pkg|migrations)$/;
/** `*.ts`, `src/*.py`: the sources of the project by the lot. */
export function areSources(path: string): boolean {
  return SOURCE_FILES.test(path);
}

const SOURCE_FILES =
  /^(?:(?:src|lib|app|tests?)\/)?(?:\*\*\/)?\*\.(?:py|tsx?|jsx|go|rs|java|rb|php|c|cc|cpp|h|hpp|cs|swift|kt|scala|vue|svelte)$/;

/** What deleting a path, or all in it, would lose; nothing of what is made again. */
export function checkKept(
  path: string,
  cwd: string,
  recursive: boolean,
  project?: string,
): Finding | undefined {
  const target = place(path, cwd);
  // Nothing that is worth keeping has a longer name, and the expressions take time for it.
  if (target.length > 512 || /^\/?tmp\//.test(target)) return undefined;
  const folder = target.replace(/(?:\/\*)+$/, '');
  if (recursive && TRASH.test(folder)) return losesData;
  if (recursive && folder.startsWith('/usr/') && FOLDERS.test(folder)) return losesData;
  if (MADE_AGAIN.test(folder)) return SOURCES.test(folder) && recursive ? losesSources : undefined;
  if (SERVICES.test(folder) || SETTINGS.test(folder)) return losesData;
  if (recursive && project !== undefined && isOutside(folder, project)) return losesData;
  if (recursive && (FOLDERS.test(folder) || OTHERS.test(folder) || BESIDE.test(folder))) return losesData;
  if (SOURCE_FILES.test(target)) return losesSources;
  return recursive && SOURCES.test(folder) ? losesSources : undefined;
}

/** The folder of this repository, or what git cannot do without in it. Of one below it nothing is known. */
export function isRepository(target: string, cwd: string): boolean {
  return (
    /\.(?:git|svn|hg|jj)(?:\/|$)/i.test(target) &&
    (cwd === '.' || /^[/~]/.test(target)) &&
    REPOSITORY.test(place(target, '.'))
  );
}

const REPOSITORY =
  /^(?:~\/(?:[^/]+\/){0,8})?\.(?:git(?:\/(?:objects|refs|head|index|config|packed-refs|logs|worktrees)(?:\/.*)?)?|svn|hg|jj)$/;
