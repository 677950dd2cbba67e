import { quote } from '../input/quote.ts';
import { fileKey } from '../paths/places.ts';
import { CONTENT } from '../shell/marks.ts';
import { ALIAS, gitCall, optionValues, wordsBehind } from './calls.ts';
import type { Invocation } from './program.ts';

/** Shell commands that a program is handed as text in an argument and runs: `git rebase --exec '…'`, `tmux new '…'`. */
export function embeddedScripts({ known, args: given, stdin, env }: Invocation): readonly string[] {
  const { carries } = known;
  if (!carries || (given.length === 0 && stdin === undefined)) return [];
  const args = stdin !== undefined && known.told ? [...given, ...stdin.split('\n')] : given;
  const { patterns = [], behind, lines, texts } = carries;
  const scripts = args.flatMap((arg) =>
    patterns.flatMap((pattern) => Array.from(arg.matchAll(pattern), (match) => match[1] ?? '')),
  );
  if (behind) scripts.push(...wordsBehind(args, behind).filter((arg) => /\s/.test(arg)));
  if (carries.options) scripts.push(...optionValues(args, carries.options));
  if (texts?.test(args[0] ?? ''))
    scripts.push(...args.filter((arg) => /\s/.test(arg) && !arg.startsWith('-')));
  if (carries.git) scripts.push(...gitScripts(withSettings(args, env)));
  // Each line that is read is a command: `awk '{system($0)}'`, `sed 's/x/&/e'`.
  if (lines && stdin !== undefined && args.some((arg) => lines.test(arg))) scripts.push(stdin);
  return scripts;
}

/** Those in its variables: `GIT_SSH_COMMAND='…' git fetch`, `BASH_ENV=file bash`. */
export function scriptsInVariables({ env }: Invocation): readonly string[] {
  if (env.size === 0) return [];
  return [...env].flatMap(([variable, value]) => {
    // The name of a setting of git is in `GIT_CONFIG_KEY_0`.
    if (variable.startsWith('GIT_CONFIG_KEY_'))
      return gitScripts([value, env.get(variable.replace('KEY', 'VALUE')) ?? '']);
    if (COMMAND_VARIABLE.test(variable)) return [value];
    const loader = LOADERS[variable];
    // What make expands is no substitution of a shell.
    if (loader === 'make') return [`make ${value.replace(/[$()]/g, '\\$&')}`];
    if (loader !== undefined) return [`${loader} ${value}`];
    if (variable === 'ZDOTDIR') return ['.zshenv', '.zshrc'].map((file) => `. ${quote(`${value}/${file}`)}`);
    if (!FILE_VARIABLE.test(variable)) return [];
    return [value.startsWith(CONTENT) ? value.slice(1) : `. "${value.replaceAll('"', '\\"')}"`];
  });
}

const COMMAND_VARIABLE =
  /^(?:(?:GIT_|MAN|SYSTEMD_|AWS_|KUBE_|GH_)?(?:EDITOR|PAGER)|VISUAL|BROWSER|PROMPT_COMMAND|GIT_(?:SSH_COMMAND|SEQUENCE_EDITOR|EXTERNAL_DIFF|PROXY_COMMAND)|(?:GIT|SSH|SUDO)_ASKPASS|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE)$/;

/** Variables that name a file to run, or whose value is expanded as in quotes. */
const FILE_VARIABLE = /^(?:BASH_ENV|ENV|PS[0-4]|PYTHONSTARTUP|LD_(?:PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES)$/;

/** Variables with options for an interpreter, which may name a file to run. */
const LOADERS: Readonly<Record<string, string>> = {
  NODE_OPTIONS: 'node',
  RUBYOPT: 'ruby',
  PERL5OPT: 'perl',
  MAKEFLAGS: 'make',
  GNUMAKEFLAGS: 'make',
};

function gitScripts(args: readonly string[]): readonly string[] {
  const scripts = COMMAND_OPTIONS.flatMap(([verbs, names]) =>
    args.some((arg) => verbs.test(arg)) ? optionValues(args, names) : [],
  );
  for (const word of ['foreach', 'run']) {
    const words = args.includes(word) ? args.slice(args.indexOf(word) + 1) : [];
    scripts.push(asText(words.slice(words.findIndex((arg) => !arg.startsWith('-')))));
  }
  for (const [i, arg] of args.entries()) {
    // `-c core.pager=less`, `config core.pager less`.
    const setting = COMMAND_SETTING.exec(arg)?.[1] ?? COMMAND_SETTING.exec(`${args[i - 1]}=${arg}`)?.[1];
    // An alias or a helper.
    const marked = /^(?:[\w.:/*-]+=)?!(.+)$/s.exec(arg)?.[1];
    scripts.push(setting ?? '', marked ?? '');
  }
  return scripts.filter((script) => script !== '');
}

/** What git runs for a verb that is an alias: one of `-c`, of the environment, or that this command set earlier. */
export function gitAlias({ args, env }: Invocation, files: ReadonlyMap<string, string>): string | undefined {
  if (args.length === 0) return undefined;
  const { verb, rest, settings } = gitCall(withSettings(args, env));
  const name = verb.toLowerCase();
  const isOwn = (text: string): boolean => text.toLowerCase().startsWith(`alias.${name}=`);
  const given = [...settings, ...settingsIn(env)].findLast(isOwn);
  const meaning =
    given === undefined
      ? (writtenAliases(env, files).get(name) ?? files.get(`${ALIAS}${name}`))
      : given.slice(given.indexOf('=') + 1);
  if (verb === '' || meaning === undefined) return undefined;
  // What it stands for may be another alias on the line.
  const others = settings.filter((text) => !isOwn(text)).flatMap((text) => ['-c', quote(text)]);
  const program = meaning.startsWith('!') ? [meaning.slice(1)] : ['git', ...others, meaning];
  return [...program, ...rest.map(quote)].join(' ');
}

/** `--config-env=core.pager=X` as the setting that it stands for, with what the variable holds. */
function withSettings(args: readonly string[], env: ReadonlyMap<string, string>): readonly string[] {
  if (!args.some((arg) => arg.startsWith('--config-env'))) return args;
  return args.flatMap((arg, i) => {
    const given = arg.startsWith('--config-env=') ? arg.slice('--config-env='.length) : args[i + 1];
    if (args[i - 1] === '--config-env') return [];
    const [, setting, variable] = /^--config-env\b/.test(arg)
      ? (/^(.*)=(\w+)$/s.exec(given ?? '') ?? [])
      : [];
    return variable === undefined ? arg : ['-c', `${setting}=${env.get(variable) ?? ''}`];
  });
}

/** The settings of git in `GIT_CONFIG_KEY_0` and `GIT_CONFIG_VALUE_0`, and in `GIT_CONFIG_PARAMETERS`. */
function settingsIn(env: ReadonlyMap<string, string>): readonly string[] {
  if (env.size === 0) return [];
  const numbered = Array.from(env, ([variable, key]) =>
    variable.startsWith('GIT_CONFIG_KEY_')
      ? [`${key}=${env.get(variable.replace('KEY', 'VALUE')) ?? ''}`]
      : [],
  );
  const quoted =
    env
      .get('GIT_CONFIG_PARAMETERS')
      ?.replaceAll("'='", '=')
      .matchAll(/'([^']*)'/g) ?? [];
  return [...numbered.flat(), ...Array.from(quoted, ([, setting = '']) => setting)];
}

/** The aliases in a file of settings that a variable names and this command wrote. */
function writtenAliases(
  env: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  for (const variable of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG']) {
    const path = env.get(variable);
    const text = path === undefined ? undefined : files.get(fileKey(path, '.'));
    if (text === undefined) continue;
    if (latest?.text !== text) latest = { text, aliases: aliasesOf(text) };
    return latest.aliases;
  }
  return NO_ALIASES;
}

/** A script may call git often with the same file. */
let latest: { readonly text: string; readonly aliases: ReadonlyMap<string, string> } | undefined;
const NO_ALIASES: ReadonlyMap<string, string> = new Map();

/** `[alias]`, and `x = y` below it. */
function aliasesOf(text: string): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  let isAlias = false;
  for (const line of text.split('\n')) {
    const [, section, name = '', value = ''] = /^\s*(?:\[([\w.-]+).*|([\w-]+)\s*=\s*(.*))$/.exec(line) ?? [];
    if (section !== undefined) isAlias = section.toLowerCase() === 'alias';
    else if (isAlias && name !== '') aliases.set(name.toLowerCase(), value.replace(/^"(.*)"$/, '$1'));
  }
  return aliases;
}

const COMMAND_OPTIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:rebase|difftool)$/, 'x exec extcmd'],
  [/^clone$/, 'u upload-pack'],
  [/^(?:fetch|pull|fetch-pack|ls-remote|archive|push)$/, 'upload-pack receive-pack exec'],
];

/** A text for a shell: as it is, or several words that each stay one. */
function asText(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? '') : words.map(quote).join(' ');
}

/** Settings of git whose value it runs; `*` is a name that the user gives. */
const COMMAND_SETTINGS =
  'core.pager core.editor core.sshcommand core.fsmonitor core.askpass core.gitproxy core.alternaterefscommand sequence.editor pager.* interactive.difffilter diff.external diff.*.command diff.*.textconv difftool.*.cmd mergetool.*.cmd merge.*.driver filter.*.clean filter.*.smudge filter.*.process gpg.program gpg.*.program browser.*.cmd man.*.cmd trailer.*.cmd trailer.*.command remote.*.uploadpack remote.*.receivepack uploadpack.packobjectshook';
const COMMAND_SETTING = new RegExp(
  `^(?:${COMMAND_SETTINGS.replaceAll(' ', '|').replaceAll('.', '\\.').replaceAll('*', '[^=\\n]{1,200}')})=!?(.+)$`,
  'is',
);
