import { gitClean } from '../../rules/filesystem.ts';
import { gitHooks, skipsToo } from '../../rules/git-hooks.ts';
import {
  deletesBranch,
  discards,
  discardsIgnored,
  dropsStash,
  mayLose,
  rewritesHistory,
  rewritesRemote,
} from '../../rules/lost-work.ts';
import { changesSettings } from '../../rules/machine.ts';
import type { Row } from '../program.ts';

/** Branches that others build on. */
const SHARED = '(?:refs/heads/)?(?:main|master|trunk|develop|production|prod|staging|release\\S*)';

const DRY = '-n --dry-run --help -h';

/** `git clean`, unless all that it is told to clean is what a build makes again. */
const CLEANS =
  /^clean(?!(?: --)?(?: (?:\S*\/)?(?:node_modules|dist|build|target|out|coverage|\.cache|\.next|__pycache__)\/?)+$)\b/;

/** Version control: what loses work. */
// biome-ignore format: a table has its rows in lines
export const versionControl: readonly Row[] = [
  ['git', { variables: /^(?:--?\S+ )*config (?:.* )?(?:-l|--list)(?: |$)|^config list\b/, reads: 'git', valued: 'repo replace-text C c git-dir work-tree namespace config-env exec-path super-prefix e exclude m message F file author date s source o push-option pathspec-from-file conflict msg-filter tree-filter index-filter env-filter', dangers: [
      { words: 'reset', option: '--hard --har --had --ha', is: discards },
      { words: 'reset', option: '--merge', is: discards },
      { words: CLEANS, option: '-x -X', unless: DRY, is: discardsIgnored },
      { words: CLEANS, option: '-f --force', unless: DRY, is: discards },
      { words: CLEANS, option: /^-c=clean\.requireforce=(?:false|no|off|0)$/i, unless: DRY, is: discards },
      { words: 'clean', option: '-i --interactive', terminal: false, is: discards },
      { words: /^checkout (?:\.{1,2}|\.{0,2}\/\S*|\*\S*|:\/\S*)(?: |$)/, unless: '-b -B', is: discards },
      { words: /^checkout (?:\S+ )?-- \S/, unless: '-b -B', is: discards },
      { words: /^checkout \S+\/$|^checkout (?!\S*lock\b)(?:\S*\/)?(?:\S+\.(?:[cm]?[jt]sx?|py|ipynb|go|rs|java|kts?|scala|swift|rb|php|p[lm]|lua|dart|exs?|hs|clj|c|cc|h|hpp|cpp|cs|mdx?|rst|json|ya?ml|toml|ini|cfg|conf|xml|sql|csv|s?css|less|html|vue|svelte|sh|txt|tf|proto|gradle|properties|graphql)|Makefile|Dockerfile|README)$/, unless: '-b -B', is: discards },
      { words: /^checkout (?!-- )\S+ (?!-- )\S/, unless: '-b -B -t --track --orphan --detach', is: discards },
      { words: 'checkout', option: '-f --force --pathspec-from-file', is: discards },
      { words: 'checkout', option: '-B', is: mayLose },
      { words: 'switch', option: '-f --force --discard-changes', is: discards },
      { words: 'switch', option: '-C --force-create', is: mayLose },
      { words: 'restore', option: '-W --worktree', is: discards },
      { words: 'restore', unless: '-S --staged -h --help', is: discards },
      { words: /^rm\b(?!(?: --)?(?: (?:\S{0,120}\/)?(?:node_modules|dist|build|target|out|coverage|old|\S{1,80}\.(?:log|tmp|lock|bak|orig|pyc|png|jpe?g|zip))\/?)+$)/, option: '-f --force', unless: '--cached -n --dry-run', is: discards },
      { words: /^rm (?:\.|\*|:\/)$/, unless: '--cached -n --dry-run', is: discards },
      { words: 'stash -- drop, stash -- clear, stash drop, stash clear', is: dropsStash },
      { words: 'push', option: '-f --force --mirror --prune', unless: DRY, is: rewritesRemote },
      { words: /^push (?:\S+ )+\+\S/, unless: DRY, is: rewritesRemote },
      { words: new RegExp(`^push \\S+ (?:\\S+ )*:?${SHARED}$`), option: '-d --delete', unless: DRY, is: rewritesRemote },
      { words: new RegExp(`^push \\S+ (?:\\S+ )*:${SHARED}(?: |$)`), unless: DRY, is: rewritesRemote },
      { words: 'push', option: '-d --delete', unless: DRY, is: rewritesRemote },
      { words: 'push', option: '--force-with-lease', unless: DRY, is: mayLose },
      { words: /^push \S+ (?:\S+ )*:\S/, unless: DRY, is: rewritesRemote },
      { words: 'branch', option: '-D', is: deletesBranch },
      { line: /^(?=(?:\S+ )*branch )(?=.* (?:-\w*d\w*|--delete)(?: |$))(?=.* (?:-\w*f\w*|--force)(?: |$))/, is: deletesBranch },
      { words: /^(?:branch|tag)\b.*\ue003/, option: '-d --delete', is: deletesBranch },
      { words: /^branch \S+ \S/, option: '-f --force', is: deletesBranch },
      { words: new RegExp(`^(?:checkout|switch) ${SHARED} \\S`), option: '-B -C --force-create', is: deletesBranch },
      { words: 'branch', option: '-f -M -C --force', is: mayLose },
      { words: 'filter-branch, filter-repo', unless: '-n --dry-run --analyze', is: rewritesHistory },
      { words: 'reflog expire, reflog delete', unless: DRY, is: rewritesHistory },
      { words: 'gc, repack', option: /^(?:--prune=(?:now|all|0|today)|-c=gc\.\w*expire\w*=(?:now|all|0)$)/i, is: rewritesHistory },
      { words: 'prune', unless: DRY, is: rewritesHistory },
      { words: /^update-ref refs\/heads\//, is: rewritesHistory },
      { words: 'annex drop, annex dropunused', option: '--force', is: discards },
      { words: /^(?:fetch \S+ \+|remote (?:remove|rm)\b|lfs prune\b|apply\b.* -R)/, is: mayLose },
      { words: /^(?:pull|fetch) (?:\S+ )*\S+:(?!refs\/remotes)\S/, option: '-f --force', is: rewritesHistory },
      { words: /^(?:pull|fetch) \S+ (?:\S+ )*\+\S+:(?!refs\/remotes)\S/, is: rewritesHistory },
      { words: 'pull, fetch', option: '-f --force', is: mayLose },
      { words: 'lfs prune', option: '-f --force --recent', unless: DRY, is: rewritesHistory },
      { words: 'submodule update', option: '-f --force', is: discards },
      { line: /^(?:\S+ )?apply (?=.*(?:-R|--reverse)(?: |$))(?=.*\ue00c)/, is: discards },
      { words: 'update-ref', option: '-d --delete --stdin', is: rewritesHistory },
      { words: 'symbolic-ref HEAD $', option: '-d --delete', is: rewritesHistory },
      { words: 'replace', option: '-d --delete', is: rewritesHistory },
      { words: 'symbolic-ref', option: '-d --delete', is: mayLose },
      { words: 'worktree remove', option: '-f --force', is: discards },
      { words: 'tag, branch, notes, replace', option: '-d --delete', is: mayLose },
      { words: 'submodule deinit', option: '-f --force', is: discards },
      { words: 'read-tree', option: '--reset', is: discards },
      { words: 'checkout-index', option: '-f --force', is: discards },
      { words: 'rebase, am, merge, cherry-pick, revert', option: '--abort --skip --quit', is: mayLose },
      { words: 'commit', option: '--amend', is: mayLose },
      { words: 'rebase', is: mayLose },
      { words: /^config (?:set )?(?:core\.(?:sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand) (?:[./~]\S*$|.*(?:\/tmp\/|StrictHostKeyChecking[= ]no|ProxyCommand))|credential\.helper !(?!\S*(?:gh|glab|aws|gcloud)\b)|init\.templatedir |gpg(?:\.\w+)?\.program (?!gpg\d?$)|uploadpack\.packobjectshook |include\.path \/(?:tmp|var\/tmp|dev)\/|(?:core\.(?:editor|pager)|credential\.helper|sequence\.editor) !?\/(?:tmp|var\/tmp|dev)\/|alias\.\S+ !(?:.*(?:\/tmp\/|curl |wget |nc ))|(?:filter\.\S+\.(?:clean|smudge|process)|diff\.\S+\.(?:textconv|command)|merge\.\S+\.driver) .*(?:\/tmp\/|\/dev\/|curl |wget ))/i, is: changesSettings },
      { words: /^config (?:set )?http\.(?:\S{1,200}\.)?sslverify (?:false|no|off|0)$/i, is: changesSettings },
      { words: /^config (?:set )?url\.\S{1,200}\.(?:push)?insteadof (?:https?|git|ssh|git@)/i, unless: /^--(?:get|unset)/, is: { ...changesSettings, severity: 'medium' } },
      { words: /^config (?:set )?url\.(?:https?|git|ssh):\/\/(?!\S{0,200}(?:github\.com|gitlab|bitbucket\.org))\S{1,200}\.(?:push)?insteadof \S+(?:github\.com|gitlab\.com|bitbucket\.org)/i, is: changesSettings },
    ], listsAll: /^(?:branch(?: -[arv]+| --format\S*)*|tag(?: -l| --list)?|stash list|for-each-ref .*refs\/(?:heads|tags|remotes)\S*)$/, printsSecret: [{ words: /^credential(?:-\w+)? (?:fill|get)\b|^credential-manager get\b/ }, { words: /^config .*(?:http\S*extraheader|\S+\.(?:password|token))$/i, option: /^--get/ }], files: ['tells'], remote: [[/\barchive\b/, /--remote/]], namesPrograms: true, harmful: true, rules: [gitClean, gitHooks], prints: 'git', fetches: 'archive', carries: { git: true } }],
  ['hg', { valued: 'R cwd config', dangers: [
      { words: 'debugstrip, prune', unless: '-n --dry-run', is: rewritesHistory },
      { words: 'shelve', option: '-d --delete --cleanup', is: dropsStash },
      { words: 'revert, purge, clean, strip, rollback', unless: '-n --dry-run -p --print', is: discards },
      { words: 'update, up, checkout, co, merge', option: '-C --clean', is: discards },
      { words: 'push', option: '-f --force', is: rewritesRemote },
    ], remote: [[/\bcat\b/, /:\/\//]], rules: [skipsToo] }],
  ['svn', { valued: 'm message r accept', dangers: [
      { words: /^(?:rm|delete|del|remove) \w+:\/\//, is: rewritesRemote },
      { words: 'rm, delete, del, remove, update, up, switch, sw', option: '--force', is: discards },
      { words: 'revert', is: discards },
      { words: 'cleanup', option: '--remove-unversioned --remove-ignored', is: discardsIgnored },
    ], remote: [[/\bcat\b/]] }],
  ['jj', { dangers: [
      { words: 'restore, abandon', is: discards },
      { words: '{op,operation} {restore,abandon}, bookmark {delete,forget}, workspace forget', is: rewritesHistory },
      { words: 'git push', option: '--deleted --force', is: rewritesRemote },
      { words: 'undo, op undo', is: rewritesHistory },
      { words: 'util gc', is: rewritesHistory },
    ], rules: [skipsToo] }],
  ['p4', { valued: 'c p u', dangers: [{ words: 'revert, clean, clobber', unless: '-n', is: discards }, { words: 'sync', option: '-f', is: discards }, { words: 'shelve', option: '-d', is: dropsStash }, { words: 'obliterate', is: rewritesHistory }] }],
  ['bzr brz darcs fossil', { dangers: [{ words: 'revert, clean-tree, clean, obliterate, unrecord, uncommit, unpull', unless: DRY, is: discards }] }],
  ['sl', { rules: [skipsToo], dangers: [
      { words: 'revert, clean, purge, strip, hide', unless: DRY, is: discards },
      { words: 'goto, go, update', option: '-C --clean', is: discards },
      { words: 'push', option: '-f --force', is: rewritesRemote },
    ] }],
  ['cvs', { dangers: [{ words: 'update, up', option: '-C', is: discards }] }],
  ['tf', { dangers: [{ words: 'undo, destroy', is: discards }] }],
  ['repo', { dangers: [{ words: 'sync', option: '--force-sync --force-remove-dirty --force-checkout', is: discards }] }],
  ['lakectl', { dangers: [{ words: 'branch revert, branch reset, branch delete', is: discards }] }],
  ['chezmoi', { dangers: [{ words: 'purge, destroy', is: discards }, { words: 'apply', option: '--force', is: discards }] }],
  ['gt', { rules: [skipsToo], dangers: [{ words: 'delete, dl, fold, branch delete', option: '-f --force', is: deletesBranch }] }],
  ['dvc', { dangers: [{ words: 'destroy', is: discardsIgnored }, { words: 'gc', is: rewritesHistory }] }],
  ['etckeeper', { dangers: [{ words: 'uninit', is: rewritesHistory }] }],
  ['bfg', { dangers: [{ option: /^--(?:delete|strip|replace)/, is: rewritesHistory }] }],
  ['git-filter-repo git-filter-branch', { dangers: [{ unless: DRY, is: rewritesHistory }] }],
];
