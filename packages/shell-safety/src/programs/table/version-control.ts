// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { removesToo } from '../../rules/filesystem.ts';
import { gitHooks, releases } from '../../rules/git-hooks.ts';
import { BULK, CHANGED } from '../../shell/marks.ts';
import type { CallPattern, Row } from '../program.ts';
import {
  bypass, changesSettings, deletesBranch, discards, discardsIgnored, dropsStash, mayLose, medium, prints,
  remoteCode, rewritesHistory, rewritesRemote,
} from './ways.ts';

/** Branches that others build on. */
const SHARED = '{,refs/heads/}{main,master,trunk,develop,production,prod,staging,release{*,}}';
const DRY = '-n --dry-run --help -h';
/** Folders that a build makes again. */
const BUILT = 'node_modules,dist,build,target,out,coverage';
/** What people name when they take back what they changed in a file. */
const FILES = `{{,c,m}{j,t}s{x,},py,ipynb,go,rs,java,kt{s,},scala,sc,swift,rb,php,p{l,m},lua,dart,ex{s,},hs,clj,c,cc,h,hpp,cpp,cs,md{x,},rst,json,y{a,}ml,
  toml,ini,cfg,conf,xml,sql,csv,{s,}css,less,html,vue,svelte,sh,txt,tf,proto,gradle,properties,graphql}`.replace(/\s/g, '');
const SHARED_FOLDER = '{tmp,var/tmp,dev}';
const HOSTS = '{github.com,gitlab.com,bitbucket.org}';

/** `git clean`, unless all that it is told to clean is what a build makes again. */
const CLEANS: CallPattern = { words: 'clean', not: `clean {*/,}{${BUILT},.cache,.next,__pycache__}{/,}... $` };

/** `git config name value` */
function setting(nameAndValue: string): string {
  return `{config,config set} ${nameAndValue}`;
}

/** Version control: what loses work. */
export const versionControl: readonly Row[] = [
  ['git',
    remoteCode('** ext::*'),
    discards('reset', '--hard --merge'),
    discardsIgnored(CLEANS, '-x -X', DRY),
    discards(CLEANS, '-f --force', DRY),
    discards(CLEANS, /^-c=clean\.requireforce=(?:false|no|off|0)$/i, DRY),
    discards({ words: 'clean', terminal: false, option: '-i --interactive' }),
    discards({ words: 'checkout {.,..,/{*,},./{*,},../{*,},\\*{*,},:/{*,}}, checkout * *', unless: '-b -B -t --track --orphan --detach' }),
    discards({ words: 'checkout {* ,}-- *', unless: '-b -B' }),
    discards({ words: `checkout *{/,.${FILES}} $, checkout {*/,}{Makefile,Dockerfile,README} $`, not: 'checkout {*,}lock.*', unless: '-b -B' }),
    discards('checkout', '-f --force --pathspec-from-file'),
    mayLose('checkout', '-B'),
    discards('switch', '-f --force --discard-changes'),
    mayLose('switch', '-C --force-create'),
    discards('restore', '-W --worktree'),
    discards({ words: 'restore', unless: '-S --staged -h' }),
    discards({ words: 'rm', not: `rm {*/,}{${BUILT},old,*.{log,tmp,lock,bak,orig,pyc,png,jp{e,}g,zip}}{/,}... $` }, '-f --force', '--cached -n --dry-run'),
    discards({ words: 'rm {.,\\*,:/} $', unless: '--cached -n --dry-run' }),
    dropsStash('stash {drop,clear}'),
    rewritesRemote('push', '-f --force --mirror --prune -d --delete', DRY),
    rewritesRemote({ words: 'push * ** {+,:}*', unless: DRY }),
    mayLose('push', '--force-with-lease', DRY),
    deletesBranch('branch', '-D'),
    deletesBranch({ words: 'branch', option: '-d --delete', and: '-f --force' }),
    deletesBranch({ words: 'branch, tag', option: '-d --delete', everything: true }),
    deletesBranch('branch * *', '-f --force'),
    deletesBranch('checkout, switch', `-B=${SHARED} -C=${SHARED}`),
    mayLose('branch', '-f -M -C --force'),
    rewritesHistory({ words: 'filter-branch, filter-repo', unless: '-n --dry-run --analyze' }),
    rewritesHistory({ words: 'reflog {expire,delete}, prune', unless: DRY }),
    rewritesHistory('gc, repack', /^(?:--prune=(?:now|all|0|today)|-c=gc\.(?=\w*expire)\w+=(?:now|all|0)$)/i),
    rewritesHistory('update-ref refs/heads/*'),
    discards('annex {drop,dropunused}', '--force'),
    mayLose('fetch * +*, remote rm, lfs prune'),
    mayLose('apply', '-R --reverse'),
    rewritesHistory({ words: '{pull,fetch} ** *:*', not: '{pull,fetch} ** *:refs/{remotes,tags}*' }, '-f --force'),
    rewritesHistory({ words: '{pull,fetch} * ** +*:*', not: '{pull,fetch} * ** +*:refs/{remotes,tags}*' }),
    mayLose('pull, fetch', '-f --force'),
    rewritesHistory('lfs prune', '-f --force --recent', DRY),
    discards('submodule {update,deinit}, worktree remove, checkout-index', '-f --force'),
    discards({ words: 'apply', option: '-R --reverse', changed: true }),
    rewritesHistory('update-ref', '-d --delete --stdin'),
    rewritesHistory('symbolic-ref HEAD $, replace', '-d --delete'),
    mayLose('symbolic-ref, tag, branch, notes, replace', '-d --delete'),
    discards('read-tree', '--reset'),
    mayLose('am, merge, cherry-pick, revert', '--abort --skip --quit'),
    mayLose('commit', '--amend'),
    mayLose('rebase'),
    changesSettings({ words: setting('core.{sshCommand,fsmonitor,askPass,gitProxy,alternateRefsCommand} *'), word: /^[./~]\S*$|\/tmp\/|StrictHostKeyChecking[= ]no|ProxyCommand/ }),
    changesSettings(setting(`{core.{editor,pager},credential.helper,sequence.editor} {!,}/${SHARED_FOLDER}/*`)),
    changesSettings({ words: setting('credential.helper !*'), not: '** !{*/,}{gh,glab,aws,gcloud}{*,}' }),
    changesSettings(setting('{init.templateDir,uploadpack.packObjectsHook} *')),
    changesSettings({ words: setting('gpg{.*,}.program *'), not: '** gpg{1,2,} $' }),
    changesSettings(setting(`include.path /${SHARED_FOLDER}/*`)),
    changesSettings({ words: setting('alias.* !*'), word: /^!.*(?:\/tmp\/|curl |wget |nc )/s }),
    changesSettings({ words: setting('{filter.*.{clean,smudge,process},diff.*.{textconv,command},merge.*.driver}'), word: /\/tmp\/|\/dev\/|curl |wget / }),
    changesSettings(setting('http.{*.,}sslVerify {false,no,off,0} $')),
    medium(changesSettings({ words: setting('url.*.{push,}insteadOf {http,https,git,ssh,git@}{*,}'), unless: '--get{*,} --unset{*,}' })),
    changesSettings({ words: setting(`url.{http,https,git,ssh}://*.{push,}insteadOf {*,}${HOSTS}{*,}`), not: setting('url.*{github.com,gitlab,bitbucket.org}*.{push,}insteadOf') }),
    prints('credential{-*,} {fill,get}'),
    prints('config {*http*extraheader,http*extraheader,*.{password,token}} $, config get {*http*extraheader,http*extraheader,*.{password,token}} $'),
    prints('config', /^--get[\w-]*=(?:.*http.*extraheader|.*\S\.(?:password|token))$/i),
    {
      files: ['tells'], harmful: true, namesPrograms: true, syntax: 'git', valued: 'exclude replace-text msg-filter tree-filter index-filter env-filter',
      rules: [removesToo, gitHooks], removes: { when: { words: 'clean', unless: '-n --dry-run' }, from: 1 }, reads: 'git',
      fetches: 'repository', carries: { git: true }, remote: { words: 'archive', option: '--remote' },
      listsAll: { words: 'branch $, tag $, stash list $, for-each-ref ** refs/{heads,tags,remotes}{*,} $', unless: '-d --merged --no-merged --contains --no-contains --show-current --points-at' },
      variables: [{ words: 'config', option: '-l --list' }, { words: 'config list' }],
      prints: [
        [{ option: '--show-toplevel' }, '.'],
        [{ words: 'ls-files', option: '-o -m --others --modified' }, CHANGED],
        [{ words: 'ls-files $', unless: '-d -i --deleted --ignored' }, '*'],
        [{ words: 'archive, bundle create -, fast-export', unless: '--remote' }, BULK],
        [{ words: 'status', option: '-s --short --porcelain' }, CHANGED],
        ['diff {HEAD ,}$', CHANGED],
      ],
    },
  ],
  ['hg',
    rewritesHistory({ words: 'debugstrip, prune', unless: '-n --dry-run' }),
    dropsStash('shelve', '-d --delete --cleanup'),
    discards({ words: 'revert, purge, clean, strip, rollback', unless: '-n --dry-run -p --print' }),
    discards('update, up, checkout, co, merge', '-C --clean'),
    rewritesRemote('push', '-f --force'),
    { valued: 'R cwd config', remote: { words: 'cat', argument: '*://*' } },
  ],
  ['svn',
    rewritesRemote('{rm,delete,del,remove} *://*'),
    discards('rm, delete, del, remove, update, up, switch, sw', '--force'),
    discards('revert'),
    discardsIgnored('cleanup', '--remove-unversioned --remove-ignored'),
    { valued: 'm message r accept', remote: 'cat' },
  ],
  ['jj',
    discards('restore, abandon'),
    rewritesHistory('op {restore,abandon,undo}, operation {restore,abandon}, bookmark {delete,forget}, workspace forget, util gc, undo'),
    rewritesRemote('git push', '--deleted --force'),
  ],
  ['p4',
    discards({ words: 'revert, clean, clobber', unless: '-n' }),
    discards('sync', '-f'),
    dropsStash('shelve', '-d'),
    rewritesHistory('obliterate'),
    { valued: 'c p u' },
  ],
  ['bzr brz darcs fossil', discards({ words: 'revert, clean, obliterate, unrecord, uncommit, unpull', unless: DRY })],
  ['sl',
    discards({ words: 'revert, clean, purge, strip, hide', unless: DRY }),
    discards('goto, go, update', '-C --clean'),
    rewritesRemote('push', '-f --force'),
  ],
  ['cvs', discards('update, up', '-C')],
  ['tf', discards('undo, destroy')],
  ['repo', discards('sync', '--force-sync --force-remove-dirty --force-checkout')],
  ['lakectl', discards('branch {revert,reset,delete}')],
  ['chezmoi', discards('purge, destroy'), discards('apply', '--force')],
  ['gt', deletesBranch('delete, dl, fold, branch delete', '-f --force')],
  ['dvc', discardsIgnored('destroy'), rewritesHistory('gc')],
  ['etckeeper', rewritesHistory('uninit')],
  ['bfg', rewritesHistory({ option: /^--(?:delete|strip|replace)/ })],
  ['git-filter-repo git-filter-branch', rewritesHistory({ unless: DRY })],
  ['husky pre-commit lefthook overcommit', bypass('uninstall'), bypass({ option: '--uninstall' })],
  ['yadm dotfiles lerna standard-version commit-and-tag-version release-it semantic-release changeset np bumpp cz git-cz', { rules: [releases] }],
];
