import { options } from '../shell/options.ts';
import { ansibleScripts } from './ansible.ts';
import { isNamed } from './pattern.ts';
import type { Invocation } from './program.ts';

/** Shell commands that a program is handed as text in an argument and runs: `git rebase --exec '…'`, `tmux new '…'`. */
export function embeddedScripts({ known, args: given, stdin }: Invocation): readonly string[] {
  const { carries } = known;
  if (!carries) return NONE;
  const args = stdin !== undefined && known.told ? [...given, ...stdin.split('\n')] : given;
  const { patterns = NO_PATTERNS, behind } = carries;
  const scripts = args.flatMap((arg, i) => [
    ...patterns.flatMap((pattern) => matching(pattern, arg)),
    ...(behind && isNamed([args[i - 1] ?? ''], behind) && /\s/.test(arg) ? [arg] : NONE),
  ]);
  if (carries.options) scripts.push(...optionValues(args, carries.options.split(' ')));
  if (carries.texts || (carries.multiplexer && !TELLS.test(args[0] ?? ''))) scripts.push(...texts(args));
  if (carries.git) scripts.push(...gitScripts(args));
  if (carries.ansible) scripts.push(...ansibleScripts(args));
  if (carries.awk) scripts.push(...args.flatMap(scriptsInAwk));
  // Each line that is read is a command: `awk '{system($0)}'`, `sed 's/x/&/e'`.
  if (carries.lines && stdin !== undefined && args.some((arg) => carries.lines?.test(arg)))
    scripts.push(stdin);
  if (carries.daemon) scripts.push(startedDaemon(args));
  return scripts;
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

const NONE: readonly string[] = [];
const NO_PATTERNS: readonly RegExp[] = [];

/** Commands of tmux whose text is only shown or stored. */
const TELLS = /^(?:display|rename|set|show)/;

const IN_AWK: readonly RegExp[] = [
  /\bsystem\s*\(\s*"((?:[^"\\]|\\.)*)"/g,
  /(?<!\\)"((?:[^"\\]|\\.)*)"\s*\|\s*getline/g,
  /\|\s*"((?:[^"\\]|\\.)*)"/g,
  /\bprintf?\s+"((?:[^"\\]|\\.)*)"\s*\|\s*"(?:\/bin\/)?(?:ba|z|da|k)?sh\b/g,
];

function scriptsInAwk(program: string): readonly string[] {
  return [...IN_AWK.flatMap((pattern) => matching(pattern, program)), ...heldByAwk(program)];
}

/** `c = "…"; system(c)`: the texts in variables, as far as what is in a variable is run behind them. */
function heldByAwk(program: string): readonly string[] {
  const last = [...program.matchAll(/\bsystem\s*\(\s*\w/g)].at(-1);
  if (!last) return NONE;
  return Array.from(
    program.slice(0, last.index).matchAll(/\b\w+\s*=\s*"((?:[^"\\]|\\.)*)"/g),
    (match) => match[1] ?? '',
  );
}

/** Arguments of more than one word. */
function texts(args: readonly string[]): readonly string[] {
  return args.filter((arg) => /\s/.test(arg) && !arg.startsWith('-'));
}

/** What the first group of a pattern finds in a text. */
function matching(pattern: RegExp, text: string): readonly string[] {
  return text.search(pattern) === -1 ? NONE : Array.from(text.matchAll(pattern), (match) => match[1] ?? '');
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
    // `-c alias.x='reset --hard'`
    const alias = args[i - 1] === '-c' ? /^alias\.[\w-]+=(?!!)(.+)$/is.exec(arg)?.[1] : undefined;
    if (alias) scripts.push(`git ${alias}`);
    // An address that is a command: `ext::sh -c x% y`.
    if (arg.startsWith('ext::')) scripts.push(arg.slice(5).replaceAll('% ', ' '));
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
