import { losesData, losesSources } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { anyPath } from '../paths/pattern.ts';
import { folderOf, place } from '../paths/places.ts';
import type { Invocation } from '../programs/program.ts';
import { isKnown } from '../shell/marks.ts';

/** What deleting a path, or all in it, would lose; nothing of what is made again. */
export function checkKept(
  path: string,
  { cwd, project }: Invocation,
  recursive: boolean,
): Finding | undefined {
  const target = place(path, cwd);
  const folder = folderOf(target);
  if (recursive && NEVER_MADE_AGAIN.test(folder)) return losesData;
  if (isMadeAgain(folder)) return undefined;
  if (FILES.test(folder) || OWN_SETTINGS.test(folder)) return losesData;
  if (recursive && (FOLDERS.test(folder) || BESIDE.test(folder) || isOutside(folder, project)))
    return losesData;
  return areSources(target) || (recursive && SOURCE_FOLDER.test(folder)) ? losesSources : undefined;
}

/** What somebody deleted and may want back, and what comes with the system, whatever it is called. */
const NEVER_MADE_AGAIN = anyPath(`
  ~/.trash ~/.local/share/trash{,/files} /$recycle.bin/
  /usr/{,local/}lib/{node_modules,python*{,/{dist,site}-packages}} {,/usr}/lib/modules/**`);

/** What services and people keep in files. */
const FILES = anyPath(`
  /var/lib/*{,/**} /{backup,backups,data}/** /etc/{letsencrypt,kubernetes,ssl/private,pki,wireguard,openvpn}/
  ~/.{gitconfig,vimrc,tmux.conf,npmrc,kube/config} .claude/{settings{,.local}.json,hooks{,/**}}`);

/** `/etc/nginx/nginx.conf` */
const OWN_SETTINGS = /^\/etc\/([\w-]+)\/(?:\1|my)\.(?:conf|cnf)$/;

/** What programs and people keep in folders. */
const FOLDERS = anyPath(`
  /{programdata,inetpub}{,/*} /{srv,mnt,media,volumes}/*{,/*} /opt/* /var/www/*{,/html} /applications/* /system/
  ~/{documents,desktop,pictures,music,videos,movies,photos,dropbox,onedrive,backup,backups,mail}/*
  ~/{projects,code,src,workspace,workspaces,repos,git,sources,developer}/*
  ~/.config/{code,codium,cursor,zed,emacs,sublime-text,jetbrains,google-chrome,chromium,bravesoftware,microsoft-edge}
  ~/.config/{discord,slack,signal,obsidian,obs-studio,gnome*,kde*,plasma*,sway,i3,hypr,fish,git,gh,gcloud,doctl,helm}
  ~/.config/{rclone,op,1password,keepassxc,filezilla,remmina,systemd,autostart,kitty,alacritty,wezterm}
  ~/.{mozilla{,/firefox},thunderbird,vim,emacs.d,docker,claude,codex,gemini,minikube,electrum,password-store}
  ~/.{terraform.d,vagrant.d,wine,steam} ~/snap{,/*} ~/.local/share/* ~/library/* ~/library/application*support/*`);

/** A folder beside the one that the command starts in. */
const BESIDE = /^\.\.\/[^./][^/]*$/;

/** Whether a build, a package manager or a test makes it again. */
function isMadeAgain(path: string): boolean {
  return isTemporary(path) || CACHES.test(path) || MADE_AGAIN.test(path);
}

const CACHES = anyPath(`
  /var/{cache,log,run}/ /run/ /var/lib/{apt,dnf,yum,flatpak,gems,systemd,pacman,rpm,dpkg/{lock*,updates}}/
  ~/downloads/ ~/library/{pnpm,developer}/ ~/.local/share/{pnpm,uv,mise,nvim,fnm,jupyter,virtualenvs}/
  ~/.{npm,yarn,pnpm-store,bun,cargo,rustup,gradle,m2,nuget,ivy2,sbt,vscode-server,cache}/`);
const MADE_AGAIN =
  /(?:^|[/._-])(?:[a-z]{0,16}cache[sd]?\w{0,16}|te?mp|tests?|scratch|node_modules|dist|build|builds|out|target|coverage|logs?|lists|trash|venv|virtualenvs|worktrees?|wt|demo|example|sandbox|old|derived\w*|__pycache__)(?:$|[/._-])|\.(?:deb|rpm|tgz|zip|log|tmp|lock|pid|sock)$/;

/** Whether a path is in a folder for temporary files. */
export function isTemporary(path: string): boolean {
  return TEMPORARY.test(path);
}

const TEMPORARY = anyPath('{,/private}/{tmp,var/{tmp,folders},dev/shm}/ ~/appdata/local/temp/');

/** Whether a folder is somebody else's: neither in the project nor where everybody puts what is not to stay. */
export function isOutside(target: string, project = ''): boolean {
  if (!/^[~/]/.test(project)) return false;
  const full = place(target, project);
  const inside = full === project || full.startsWith(`${project}/`);
  return !inside && isKnown(full) && !isMadeAgain(full) && SOMEBODYS.test(full);
}

const SOMEBODYS = anyPath(
  '~/** /{home,users,srv,opt,var,mnt,media,data,volumes,workspace,workspaces,repo,repos,project,projects,code}/',
);

const FOLDER_NAMES =
  'src,source,sources,app,apps,packages,server,client,backend,frontend,internal,cmd,pkg,migrations';
const LANGUAGES = 'py|tsx?|jsx|go|rs|java|rb|php|c|cc|cpp|h|hpp|cs|swift|kt|scala|vue|svelte';
const SOURCE_FOLDER = anyPath(`{${FOLDER_NAMES}}`);
const IN_SOURCE_FOLDER = anyPath(`{lib,${FOLDER_NAMES}}/**`);
const SOURCE_FILE = new RegExp(`\\.(?:${LANGUAGES})$`);
const SOURCE_FILES = new RegExp(`^(?:(?:src|lib|app|tests?)/)?(?:\\*\\*/)?\\*\\.(?:${LANGUAGES})$`);

/** `*.ts`, `src/*.py`: the sources of the project by the lot. */
export function areSources(path: string): boolean {
  return SOURCE_FILES.test(path);
}

/** A source of the project, as far as its name tells. */
export function isSource(path: string): boolean {
  return IN_SOURCE_FOLDER.test(path) && SOURCE_FILE.test(path);
}

/** The folder of this repository, or what git cannot do without in it. Of one below it nothing is known. */
export function isRepository(target: string, cwd: string): boolean {
  // A lock that git left behind is no history, and no branch may be called so.
  return (
    (cwd === '.' || /^[/~]/.test(target)) && !target.endsWith('.lock') && REPOSITORY.test(place(target, '.'))
  );
}

const REPOSITORY = anyPath(
  '{,~/,~/**/}.{git{,/{objects,refs,head,index,config,packed-refs,logs,worktrees}{,/**}},svn,hg,jj}',
);
