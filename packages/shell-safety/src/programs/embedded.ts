import { options } from '../shell/options.ts';
import { ansibleScripts } from './ansible.ts';
import type { Invocation } from './program.ts';

/** Shell commands that a program is handed as text in an argument and runs: `git rebase --exec '…'`, `tmux new '…'`. */
export function embeddedScripts({ name, known, args, stdin }: Invocation): readonly string[] {
  const told = stdin !== undefined && known.told ? [...args, ...stdin.split('\n')] : args;
  return EMBEDDED.get(name)?.(told) ?? NONE;
}

/** Those in its variables: `GIT_SSH_COMMAND='…' git fetch`, `BASH_ENV=file bash`. */
export function scriptsInVariables({ env }: Invocation): readonly string[] {
  if (env.size === 0) return NONE;
  return [...env].flatMap(([variable, value]) => {
    if (variable.startsWith(KEY))
      return gitScripts([value, env.get(VALUE + variable.slice(KEY.length)) ?? '']);
    if (COMMAND_VARIABLE.test(variable)) return [value];
    return FILE_VARIABLE.test(variable) ? [`. "${value.replaceAll('"', '\\"')}"`] : NONE;
  });
}

/** Settings of git: the name of the first is in `GIT_CONFIG_KEY_0`. */
const KEY = 'GIT_CONFIG_KEY_';
const VALUE = 'GIT_CONFIG_VALUE_';

/** Variables whose value other programs run. */
const COMMAND_VARIABLE =
  /^(?:(?:GIT_|MAN|SYSTEMD_|AWS_|KUBE_|GH_)?(?:EDITOR|PAGER)|VISUAL|BROWSER|PROMPT_COMMAND|GIT_(?:SSH_COMMAND|SEQUENCE_EDITOR|EXTERNAL_DIFF|PROXY_COMMAND)|(?:GIT|SSH|SUDO)_ASKPASS|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE)$/;

/** Variables that name a file to run, or whose value is expanded as in quotes. */
const FILE_VARIABLE = /^(?:BASH_ENV|ENV|PS[0-4]|PYTHONSTARTUP|LD_(?:PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES)$/;

type Scripts = (args: readonly string[]) => readonly string[];

const NONE: readonly string[] = [];

/** Commands of tmux whose text is only shown or stored. */
const TELLS = /^(?:display|rename|set|show)/;

const EMBEDDED: ReadonlyMap<string, Scripts> = new Map<string, Scripts>([
  ['git', gitScripts],
  ['ansible', ansibleScripts],
  ...forAll('tmux screen', (args) => (TELLS.test(args[0] ?? '') ? NONE : texts(args))),
  ...forAll('hyperfine concurrently npm-run-all', texts),
  ...forAll(
    'vim vi nvim ex view',
    matching(/^\+?:?(?:(?:r|w|0?read|%)\s?)?!(.+)$/gs, /\bsystem(?:list)?\(\s*["']([^"'\\]*)["']/g),
  ),
  ...forAll('less more', matching(/^\+{1,2}!(.+)$/gs)),
  ...forAll('make gmake', matching(/^SHELL=(.+)$/gs)),
  ...forAll('awk gawk mawk nawk', (args) => [...IN_AWK(args), ...args.flatMap(heldByAwk)]),
  ...forAll('rpm rpmquery rpmbuild', matching(/%\(([^)]{1,400})\)/g)),
  ['tasksh', matching(/^!\s*(.+)$/gs)],
  ['sqlite3', matching(/^\.(?:shell|system)\s+(.+)$/gs)],
  ...forAll('psql mysql mariadb', matching(/^\s*(?:\\!|system)\s*(.+)$/gs)),
  ...forAll('gdb lldb', matching(/^(?:shell|!|platform shell)\s*(.+)$/gs)),
  ...forAll('emacs emacsclient', matching(/\(shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"/g)),
  ...forAll('expect', matching(/\b(?:spawn|exec|system)\s+([^;\n]+)/g)),
  ...forAll('sed gsed', matching(/(?:^|[;{\n])(?:\d+|\$|\/[^/]*\/)?[^\S\n]*e\s+(.+)$/gs)),
  ...forAll('ed red ftp lftp mail', matching(/^!(.+)$/gs)),
  ['zip', behind(/^(?:-TT|--unzip-command)$/)],
  ['tcpdump', behind(/^-z$/)],
  ['tar', (args) => [...TAR(args), ...optionValues(args, ['I'])]],
  ...forAll('ssh scp sftp check_by_ssh', (args) => [...SSH(args), ...behind(/^-S$/)(args)]),
  ...forAll('npm pnpm', matching(/^scripts\.[\w:-]+=(.+)$/gs)),
  ['rsync', (args) => optionValues(args, ['e', 'rsh'])],
  ['rg', (args) => optionValues(args, ['pre'])],
  ['man', (args) => optionValues(args, ['P', 'pager'])],
  ['split', (args) => optionValues(args, ['filter'])],
  ['sort', (args) => optionValues(args, ['compress-program'])],
  ['start-stop-daemon', (args) => [startedDaemon(args)]],
]);

const SSH = matching(/^(?:-o)?\s*(?:ProxyCommand|LocalCommand)[= ](.+)$/gis);

const IN_AWK = matching(
  /\bsystem\s*\(\s*"((?:[^"\\]|\\.)*)"/g,
  /(?<!\\)"((?:[^"\\]|\\.)*)"\s*\|\s*getline/g,
  /\|\s*"((?:[^"\\]|\\.)*)"/g,
  /\bprint\s+"((?:[^"\\]|\\.)*)"\s*\|\s*"(?:\/bin\/)?(?:ba|z|da|k)?sh\b/g,
);

/** `c = "…"; system(c)`: the texts in variables, as far as what is in a variable is run behind them. */
function heldByAwk(program: string): readonly string[] {
  const last = [...program.matchAll(/\bsystem\s*\(\s*\w/g)].at(-1);
  if (!last) return NONE;
  return Array.from(
    program.slice(0, last.index).matchAll(/\b\w+\s*=\s*"((?:[^"\\]|\\.)*)"/g),
    (match) => match[1] ?? '',
  );
}

/** Texts of more than one word behind an option. */
function behind(option: RegExp): Scripts {
  return (args) => args.filter((arg, i) => option.test(args[i - 1] ?? '') && /\s/.test(arg));
}

const TAR = matching(/^--(?:checkpoint-action=exec|to-command|use-compress-program|info-script)=(.+)$/gs);

function forAll(names: string, scripts: Scripts): [string, Scripts][] {
  return names.split(' ').map((name) => [name, scripts]);
}

/** Arguments of more than one word. */
function texts(args: readonly string[]): readonly string[] {
  return args.filter((arg) => /\s/.test(arg) && !arg.startsWith('-'));
}

/** What the patterns' first group finds in each argument. */
function matching(...patterns: readonly RegExp[]): Scripts {
  return (args) =>
    args.flatMap((arg) =>
      patterns.flatMap((pattern) =>
        arg.search(pattern) === -1 ? NONE : Array.from(arg.matchAll(pattern), (match) => match[1] ?? ''),
      ),
    );
}

function startedDaemon(args: readonly string[]): string {
  const program = optionValues(args, ['x', 'exec', 'a', 'startas'])[0] ?? '';
  const dashes = args.indexOf('--');
  return dashes === -1 ? program : [program, ...args.slice(dashes + 1)].join(' ');
}

function gitScripts(args: readonly string[]): readonly string[] {
  const scripts: string[] = [];
  for (const [verb, names] of COMMAND_OPTIONS)
    if (args.includes(verb)) scripts.push(...optionValues(args, names));
  if (args.includes('filter-branch')) {
    for (const [i, arg] of args.entries()) if (/^--[\w-]+-filter$/.test(arg)) scripts.push(args[i + 1] ?? '');
  }
  const foreach = args.indexOf('foreach');
  if (foreach !== -1) {
    const words = args.slice(foreach + 1);
    scripts.push(asText(words.slice(words.findIndex((word) => !word.startsWith('-')))));
  }
  if (args.includes('bisect')) scripts.push(asText(args.slice(args.indexOf('run') + 1)));
  for (const [i, arg] of args.entries()) {
    // An alias or a helper.
    const marked = arg.includes('!') ? /^(?:[\w.:/*-]+=)?!(.+)$/s.exec(arg)?.[1] : undefined;
    // `-c core.pager=less`, `config core.pager less`.
    const setting = COMMAND_SETTING.exec(arg)?.[1] ?? COMMAND_SETTING.exec(`${args[i - 1]}=${arg}`)?.[1];
    if (marked) scripts.push(marked);
    if (setting) scripts.push(setting);
  }
  return scripts;
}

/** Options of git's commands whose value it runs. */
const COMMAND_OPTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['rebase', ['x', 'exec']],
  ['difftool', ['x', 'extcmd']],
  ['clone', ['u', 'upload-pack']],
  ...['fetch', 'pull', 'fetch-pack'].map((verb) => [verb, ['upload-pack']] as const),
  ...['ls-remote', 'archive'].map((verb) => [verb, ['upload-pack', 'exec']] as const),
  ['push', ['receive-pack', 'exec']],
];

/** A text for a shell: as it is, or several words that each stay one. */
function asText(words: readonly string[]): string {
  if (words.length === 1) return words[0] ?? '';
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

/** Settings of git whose value it runs; `*` is a name that the user gives. */
const COMMAND_SETTINGS: readonly string[] =
  'core.pager core.editor core.sshcommand core.fsmonitor core.askpass core.gitproxy core.alternaterefscommand sequence.editor pager.* interactive.difffilter diff.external diff.*.command diff.*.textconv difftool.*.cmd mergetool.*.cmd merge.*.driver filter.*.clean filter.*.smudge filter.*.process gpg.program gpg.*.program browser.*.cmd man.*.cmd trailer.*.cmd trailer.*.command remote.*.uploadpack remote.*.receivepack uploadpack.packobjectshook'.split(
    ' ',
  );
const COMMAND_SETTING = new RegExp(
  `^(?:${COMMAND_SETTINGS.join('|').replaceAll('.', '\\.').replaceAll('*', '[^=\\n]{1,200}')})=!?(.+)$`,
  'is',
);

function optionValues(args: readonly string[], names: readonly string[]): string[] {
  const { values } = options(args, names);
  return names.flatMap((name) => values.get(name.length === 1 ? `-${name}` : `--${name}`) ?? []);
}
