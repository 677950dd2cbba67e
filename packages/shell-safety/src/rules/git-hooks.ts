import { bypass, skips } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { place } from '../paths/places.ts';
import { gitCall } from '../programs/git.ts';
import type { Invocation } from '../programs/program.ts';
import { empties } from '../programs/writes.ts';
import { options } from '../shell/options.ts';

const COMMIT_VALUED = [
  ...'mFCct',
  'message',
  'file',
  'reuse-message',
  'reedit-message',
  'author',
  'date',
  'template',
  'fixup',
  'squash',
  'trailer',
  'cleanup',
  'pathspec-from-file',
];
const AM_VALUED = words('C p directory exclude include patch-format whitespace quoted-cr empty');
const VERIFYING = new Set(['commit', 'push', 'merge', 'rebase', 'am', 'pull', 'cherry-pick', 'revert']);

export function gitHooks(call: Invocation): Finding | undefined {
  if (hooksPathInEnvironment(call)) return bypass;
  const { verb: command, rest, settings } = gitCall(call.args);
  if (settings.some((setting) => isNoHooksPath(setting) || isSkippingAlias(setting))) return bypass;
  if (command === 'config') return configures(rest) ? bypass : undefined;
  if (command === 'clone' || command === 'init') return rest.some(isNoHooksPath) ? bypass : undefined;
  if (command === 'rm') return rest.some((path) => HOOK.test(path)) ? bypass : undefined;
  if (!VERIFYING.has(command)) return undefined;
  if (switchedOff(call)) return bypass;
  // What is attached to -u and -S is their value: `-uno`; of `am` alone, -u has none.
  const attached = command === 'am' ? /^-S./ : /^-[uS]./;
  const { flags } = options(
    rest.filter((arg) => !attached.test(arg)),
    VALUED.get(command) ?? ['m', 'X', 's', 'o'],
  );
  if ([...flags].some((flag) => /^--no-v/.test(flag) && '--no-verify'.startsWith(flag))) return bypass;
  return (command === 'commit' || command === 'am') && flags.has('-n') ? skips : undefined;
}

const VALUED: ReadonlyMap<string, readonly string[]> = new Map([
  ['commit', COMMIT_VALUED],
  ['am', AM_VALUED],
]);

/** Variables with which hook managers are told not to run. */
function switchedOff({ env }: Invocation): boolean {
  if (env.size === 0) return false;
  return (
    ['HUSKY', 'LEFTHOOK'].some((name) => /^(?:0|false)$/.test(env.get(name) ?? '')) ||
    SKIPS.some((name) => env.get(name))
  );
}

const SKIPS = words(
  'HUSKY_SKIP_HOOKS SKIP PRE_COMMIT_ALLOW_NO_CONFIG LEFTHOOK_EXCLUDE SKIP_SIMPLE_GIT_HOOKS OVERCOMMIT_DISABLE OVERCOMMIT_SKIP SKIP_HOOKS GIT_HOOKS_DISABLED',
);

/** Tools that commit themselves: `npm version`, `pnpm run release`, `standard-version`. */
export function releases(call: Invocation): Finding | undefined {
  const { args, name } = call;
  const commits =
    !PACKAGE_MANAGERS.test(name) || args.some((arg) => /^(?:version|release|commit|cz)(?::|$)/.test(arg));
  if (!commits) return undefined;
  return switchedOff(call) ||
    args.some(
      (arg) => /(?:^|=)--?no-(?:verify|commit-hooks)$/.test(arg) || (arg === '-n' && /cz$/.test(name)),
    )
    ? bypass
    : undefined;
}

const PACKAGE_MANAGERS = /^(?:p?npm|yarn|bun)$/;

export function uninstalled({ args }: Invocation): Finding | undefined {
  return /^(?:--)?uninstall$/.test(args[0] ?? '') ? bypass : undefined;
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** `core.hooksPath` set to nothing or to nowhere; a folder of the repository is how hooks are shared. */
function isNoHooksPath(setting: string): boolean {
  const match = /^core\.hookspath(?:=(.*))?$/is.exec(setting);
  return match !== null && !isFolderOfRepository(match[1] ?? '');
}

/** Names for a folder that has no hooks in it, wherever it is. */
const NOWHERE =
  /(?:^|\/)\.?(?:empty\w*|none|null|nil|void|noop|nope|nowhere|disabled?|dummy|fake|blank|no-?hooks?|(?:does-?)?not?-?exist\w*)(?:\/|$)/i;

function isFolderOfRepository(path: string): boolean {
  return (
    path !== '' &&
    !NOWHERE.test(path) &&
    !/^(?:\/dev\/|\/tmp|\/var\/tmp|nul$|\/nonexist)/i.test(path) &&
    /^[\w.~$/-]+$/.test(path) &&
    path !== '/'
  );
}

function configures(args: readonly string[]): boolean {
  if (args.some((arg) => /^(?:--get.*|--list|-l|--unset.*|get|list|unset)$/.test(arg))) return false;
  const key = args.findIndex((arg) => /^core\.hookspath$/i.test(arg));
  const value = args[key + 1];
  if (key !== -1 && value !== undefined) return !isFolderOfRepository(value);
  return args.some((arg, n) => isSkippingAlias(`${args[n - 1] ?? ''}=${arg}`));
}

function isSkippingAlias(setting: string): boolean {
  if (!/^alias\.[\w-]+=/i.test(setting)) return false;
  const commit = setting.search(/commit\b/i);
  return /--no-verify/i.test(setting) || (commit !== -1 && /\s-\w*n\b/i.test(setting.slice(commit)));
}

function hooksPathInEnvironment({ env }: Invocation): boolean {
  for (const [name, value] of env) {
    if (name.startsWith('GIT_CONFIG') && /hookspath/i.test(value)) return true;
  }
  return false;
}

export function disabledHook(call: Invocation): Finding | undefined {
  if (call.name === 'find')
    return call.args.includes('-delete') && call.args.some((arg) => HOOK.test(arg)) ? bypass : undefined;
  const paths = options(call.args).operands.map((path) => place(path, call.cwd));
  if (!paths.some((path) => HOOK.test(path))) return undefined;
  if (call.name === 'ln')
    return paths.some((path) => /^\/dev\/null$|\/bin\/true$/.test(path)) ? bypass : undefined;
  if (call.name !== 'chmod') return bypass;
  return call.args.some((arg) => /^[augo]*-\w*x|^0?[0-6]?[0246][0246][0246]$/.test(arg)) ? bypass : undefined;
}

/** A hook of which every line, or all behind the first, is taken away. */
export function commentedOut({ args, cwd }: Invocation): Finding | undefined {
  const edits = args.some((arg) => /^-\w*i|^--in-place/.test(arg));
  const hook = edits && args.some((arg) => HOOK.test(place(arg, cwd)));
  return hook && args.some((arg) => TAKES_LINES.test(arg)) ? bypass : undefined;
}

const TAKES_LINES = /\bexit 0\b|^s(.)\^[^/]*\1# ?|^(?:\d+,\$|\/[^/]+\/)?d$/;

/** Programs around git that hand its option on. */
export function skipsToo({ args }: Invocation): Finding | undefined {
  return args.includes('--no-verify') ? bypass : undefined;
}

const HOOK =
  /(?:^|\/)\.git\/hooks(?:\/(?!.*\.sample$)|$)|(?:^|\/)\.husky$|(?:^|\/)\.husky\/(?:_|(?:pre|commit|post|prepare)-?\w*)/;

/** A hook of a repository, or the folder of all. */
export function isHook(path: string): boolean {
  return HOOK.test(path);
}

/** A text for a hook's file that does nothing, or for git's settings that leads the hooks nowhere. */
export function writesHooksOff(path: string, text: string): Finding | undefined {
  if (HOOK.test(path) && isIdle(text)) return bypass;
  if (!/(?:^|\/)\.git(?:\/config|config)$/.test(path)) return undefined;
  const value = /hookspath\s*=\s*(\S*)/i.exec(text)?.[1];
  return value !== undefined && !isFolderOfRepository(value) ? bypass : undefined;
}

/** Nothing but comments and commands that succeed. */
function isIdle(script: string): boolean {
  return script.split('\n').every((line) => {
    const commands = line.replace(/(^|;)[ \t]*#.*/, '$1').split(';');
    return commands.every((command) => IDLE_COMMAND.test(command.trim()));
  });
}

const IDLE_COMMAND = /^(?:exit(?: 0)?|true|:|return 0|set [-+]\w+)?$/;

/** A hook that is overwritten with nothing. */
export function checkHookFile(path: string, call: Invocation): Finding | undefined {
  return HOOK.test(path) && empties(call) ? bypass : undefined;
}
