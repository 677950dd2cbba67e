// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { releases } from '../../rules/git-hooks.ts';
import type { Known, Row } from '../program.ts';
import {
  changes, changesSettings, destroys, prints, remoteCode, removesSystem, stopsService,
  switchesOff,
} from './ways.ts';

/** All that a package manager lists. */
const REMOVES_ALL = removesSystem({ words: '** {un,uninstall,remove,rm,del,purge,erase}', everything: true });

/** Without these nothing works, neither the package manager nor the shell. */
const ESSENTIAL =
  '{libc6,glibc,coreutils,systemd,dpkg,rpm,apt,kernel,linux-image-{generic,amd64,\\*},linux-generic,grub{*,},util-linux,alpine-baselayout,musl,\\*}';
const REMOVE = '{remove,purge,erase,autoremove,uninstall,del,rm}';
const SIMULATED = '-s --simulate --dry-run --just-print --assumeno --test';
const PROTECTING = '{auditd,apparmor,ufw,firewalld,fail2ban,clamav{*,},rkhunter,selinux-policy{*,},crowdsec,rsyslog,falcon-sensor,mdatp}';
/** A file that anybody may have put there. */
const LOADED = /^(?:https?:\/\/(?!localhost)|\ue005?\ue001)/;

/** Package managers of a system. */
const PACKAGES: readonly Known[] = [
  REMOVES_ALL,
  removesSystem({ option: '-R -e -r -P', everything: true }),
  removesSystem({ words: `${REMOVE} ** ${ESSENTIAL}`, unless: SIMULATED }),
  removesSystem({ words: `** ${ESSENTIAL}`, option: '-e -r -P -R --purge --remove', unless: SIMULATED }),
  removesSystem('{remove,purge,erase} {^,}{.\\*,python{3,}{-minimal,}{.\\*,},perl-base,bash,sudo,openssh-server,network-manager,init,login,passwd}{\\*,} $'),
  removesSystem('** autoremove', '--purge'),
  switchesOff(`${REMOVE} ** ${PROTECTING}`),
  switchesOff(`** ${PROTECTING}`, '-R'),
  remoteCode({ words: 'i, install, localinstall', word: LOADED }),
  remoteCode({ option: '-i --install -U', word: LOADED }),
  removesSystem({ option: '--force-{all,depends}' }),
  removesSystem({ argument: '-Rdd' }),
  removesSystem({ option: '-e', and: '--nodeps' }),
  // What nobody has signed.
  remoteCode({ option: '--allow-{unauthenticated,untrusted} --force-yes --nogpgcheck --no-gpg-check{s,} --nosignature --force-bad-verify' }),
  { namesPrograms: true },
];

/** Code that anybody on the way may have changed. */
const PLAIN_HTTP = remoteCode({ argument: /(?:^|[=+])http:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.|[\w-]+[:/])/ });

/** A package that is no package of the registry, run at once. */
const ADDRESS = /^(?:https?:\/\/(?!registry\.(?:npmjs\.org|yarnpkg\.com)\/)|git\+|github:|gitlab:|gist:|bitbucket:)/;
const RUNS_ADDRESS: readonly Known[] = [
  remoteCode({ words: '{{tool ,}run ,}{http://*,https://*,git+*,github:*,gitlab:*,gist:*,bitbucket:*}', word: ADDRESS }),
  remoteCode({ option: new RegExp(`^(?:-p|--package|--from|--spec)=${ADDRESS.source.slice(1)}`) }),
  { valued: 'p package from spec index index-url extra-index-url default-index registry i c call with python n C project directory name prefix env-file' },
];

const SETS_REGISTRY = '{config ,}set {*:,}{registry,npmRegistryServer}{=, }';

const NPM: readonly Known[] = [
  destroys('npm unpublish, {access,token} revoke, {org,owner,dist-tag} rm, team {destroy,rm}, unpublish, deprecate, npm tag remove'),
  changesSettings('{config ,}set {script-shell,node-options,shell,init-module,prefix,globalconfig,userconfig}{=*, *}'),
  changesSettings({ words: `${SETS_REGISTRY}http://*`, not: `${SETS_REGISTRY}http://{localhost,127.}{*,}` }),
  changesSettings('{config ,}set ** {*,}{_authToken,_auth,_password}{=*,}'),
  changesSettings('{config ,}set strict-ssl{=, }false'),
  REMOVES_ALL,
  remoteCode({ words: 'i, install, add, exec, x, dlx', word: /^https?:\/\/(?!(?:github|gitlab)\.com\/|pkg\.pr\.new\/|registry\.(?:npmjs\.org|yarnpkg\.com)\/|localhost|127\.)/ }),
  remoteCode('i, install, add, ci', /^--registry=http:\/\/(?!localhost|127\.)/),
  changes('publish, access, {dist-tag,owner} add'),
  prints('config {get,list} {*,}{_authToken,_auth,_password,token}{*,}'),
  prints('token {create,list}'),
  prints('config {ls,list}', '-l --json'),
  { recipes: 'package.json', listsAll: { words: 'ls, list, ll', option: '-g --global' }, valued: 'w workspace C dir filter prefix registry' },
];

const CARGO = [
  destroys('yank, unpublish, delete, trunk delete'),
  destroys('owner', '-r --remove'),
  changes('publish, push, upload, owner'),
];

/** Package managers: of the system, and of languages. */
export const packages: readonly Row[] = [
  ['apt apt-get', ...PACKAGES, { noOutput: true }],
  ['yum dnf apk zypper microdnf emerge xbps-remove xbps-install opkg eopkg pkg_delete swupd urpme', ...PACKAGES],
  ['pacman', ...PACKAGES, { listsAll: { words: '$', argument: '-{Q,Qq,Qe,Qqe}' } }],
  ['dpkg', ...PACKAGES, { listsAll: { words: '$', argument: '-l --get-selections' } }],
  ['rpm rpmquery rpmbuild', ...PACKAGES, { carries: { patterns: [/%\(([^)]{1,400})\)/g] } }],
  ['snap', REMOVES_ALL, { namesPrograms: true, listsAll: 'list' }],
  ['flatpak', REMOVES_ALL, removesSystem('uninstall, remove', '--all'), { namesPrograms: true, listsAll: 'list' }],
  ['brew',
    remoteCode({ words: '{re,}install', word: /^https?:\/\// }),
    REMOVES_ALL,
    stopsService('services stop', '--all'),
    stopsService('services stop {postgres,mysql,mariadb,mongodb,redis,rabbitmq,kafka,nginx,httpd}{*,}'),
    { namesPrograms: true, listsAll: 'list, ls, leaves' },
  ],
  ['apt-cache aptitude port pgrep ninja alternatives hash ldd pidof', { namesPrograms: true }],
  ['pip pip3',
    PLAIN_HTTP,
    remoteCode({ words: 'install', word: /^https?:\/\/(?!\S+\.whl|(?:github\.com|gitlab\.com|files\.pythonhosted\.org|download\.pytorch\.org|huggingface\.co|localhost|127\.))/ }),
    REMOVES_ALL,
    changesSettings('config set {{*,}index-url http:*,{*,}trusted-host}'),
    { namesPrograms: true, recipes: 'setup.py', listsAll: 'freeze', valued: 'i f c r t e index-url extra-index-url find-links proxy constraint requirement target prefix root platform python' },
  ],
  ['composer', PLAIN_HTTP, { namesPrograms: true }],
  ['winget choco scoop', removesSystem('uninstall', '--all'), removesSystem('uninstall {all,\\*}')],
  ['uninstall-package uninstall-module', removesSystem({ argument: /^["']?\*["']?$/ })],
  ['npm',
    ...NPM,
    {
      files: ['uses'], syntax: 'npm', starts: { verbs: 'exec x', valued: 'p w package workspace', commandIn: '-c --call', packages: true }, rules: [releases],
      carries: { patterns: [/^scripts\.[\w:-]+=(.+)$/gs] },
    },
  ],
  ['pnpm',
    ...NPM,
    {
      files: ['uses'], starts: { verbs: 'exec dlx', commandIn: '-c --shell-mode', valued: 'C F dir filter package', packages: true },
      rules: [releases], carries: { patterns: [/^scripts\.[\w:-]+=(.+)$/gs] },
    },
  ],
  ['yarn', ...NPM, { files: ['uses'], namesPrograms: true, starts: { verbs: 'exec dlx run', valued: 'p package', packages: true }, rules: [releases] }],
  ['gem', ...CARGO, remoteCode({ option: /^(?:-s|--source)=http:\/\/(?!localhost|127\.)/ }), { namesPrograms: true, valued: 's source v version i install-dir' }],
  ['cargo twine nuget pod vsce ovsx', ...CARGO, { syntax: 'cargo', files: ['uses'], namesPrograms: true }],
  ['poetry',
    ...CARGO,
    prints('config {pypi-token,http-basic}.* $'),
    { starts: { verbs: 'run', valued: 'n p C with python project directory name prefix env-file' } },
  ],
  ['jf jfrog', destroys('{rt ,}{del,delete,repo-delete,bp}'), prints('{config,c} export, access-token-create')],
  ['conan', destroys('remove', '-f --force -c --confirm')],
  ['npx bunx uvx', ...RUNS_ADDRESS, { starts: { valued: 'p package', commandIn: '-c --call', packages: true } }],
  ['pipx', ...RUNS_ADDRESS, { namesPrograms: true, starts: { verbs: 'run', packages: true } }],
  ['pipenv pdm hatch rye uv conda mamba micromamba',
    ...RUNS_ADDRESS,
    { starts: { verbs: 'run', valued: 'n p C with python project directory name prefix env-file' } },
  ],
  ['bundle', changesSettings('config {set ,}mirror.* http:*'), { starts: { verbs: 'exec' } }],
];
