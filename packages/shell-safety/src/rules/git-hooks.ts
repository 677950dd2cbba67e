import { bypass, skips } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { place } from '../paths/places.ts';
import { gitCall } from '../programs/calls.ts';
import type { Invocation } from '../programs/program.ts';
import { readCall } from '../programs/read-call.ts';
import { empties } from '../programs/writes.ts';

export function gitHooks(call: Invocation): Finding | undefined {
  const { verb, rest, settings } = gitCall(call.args);
  const told = [...settings, ...(/^(?:clone|init)$/.test(verb) ? rest : [])];
  const inVariables = [...call.env].some(
    ([name, value]) => name.startsWith('GIT_CONFIG') && /hookspath/i.test(value),
  );
  if ((told.some(skipsHooks) || inVariables) && !CHECKS_NOTHING.test(verb)) return bypass;
  if (verb === 'config') {
    const set = rest.some((arg, i) => skipsHooks(`${rest[i - 1] ?? ''}=${arg}`));
    return set ? bypass : undefined;
  }
  if (verb === 'rm') return rest.some(isHook) ? bypass : undefined;
  if (!VERIFYING.test(verb)) return undefined;
  if (switchedOff(call)) return bypass;
  const given = readCall(call).options;
  if (given.includes('--no-verify'))
    return given.includes('-n') && !call.args.includes('--no-verify') ? skips : bypass;
  return undefined;
}

/** Verbs for which no hook checks anything. */
const CHECKS_NOTHING =
  /^(?:fetch|status|log|diff|show|ls-files|ls-remote|ls-tree|rev-parse|rev-list|describe|blame|grep|cat-file|remote|archive|shortlog)$/;
const VERIFYING = /^(?:commit|push|merge|rebase|am|pull|cherry-pick|revert)$/;

/** Tools that commit themselves (`npm version`, `standard-version`), and programs around git. */
export function releases(call: Invocation): Finding | undefined {
  const { args } = call;
  // A package manager commits with some of its words.
  if (call.known.starts && !args.some((arg) => /^(?:version|release|commit|cz)(?::|$)/.test(arg)))
    return undefined;
  return switchedOff(call) || args.some((arg) => /(?:^|=)--?no-(?:verify|commit-hooks)$/.test(arg))
    ? bypass
    : undefined;
}

/** Variables with which hook managers are told not to run. */
function switchedOff({ env }: Invocation): boolean {
  return [...env].some(
    ([name, value]) =>
      (/^(?:HUSKY|LEFTHOOK)$/.test(name) && /^(?:0|false)$/.test(value)) ||
      (SKIPS.test(name) && value !== ''),
  );
}

const SKIPS =
  /^(?:HUSKY_SKIP_HOOKS|SKIP|PRE_COMMIT_ALLOW_NO_CONFIG|LEFTHOOK_EXCLUDE|SKIP_SIMPLE_GIT_HOOKS|OVERCOMMIT_(?:DISABLE|SKIP)|SKIP_HOOKS|GIT_HOOKS_DISABLED)$/;

/** A setting that leads the hooks to nothing or nowhere, or an alias that skips them. */
function skipsHooks(setting: string): boolean {
  const [path, folder = ''] = /^core\.hookspath(?:=(.*))?$/is.exec(setting) ?? [];
  return (path !== undefined && !isFolderOfRepository(folder)) || ALIAS_SKIPS.test(setting);
}

/** A folder of the repository is how hooks are shared. */
function isFolderOfRepository(path: string): boolean {
  return /^[\w.~$/-]+$/.test(path) && !NOWHERE.test(path);
}

/** Names for a folder that has no hooks in it, wherever it is. */
const NOWHERE =
  /(?:^|\/)\.?(?:empty\w*|none|null|nil|void|noop|nope|nowhere|disabled?|dummy|fake|blank|no-?hooks?|(?:does-?)?not?-?exist\w*)(?:\/|$)|^(?:\/$|\/dev\/|\/tmp|\/var\/tmp|nul$|\/nonexist)/i;
const ALIAS_SKIPS = /^alias\.[\w-]+=(?=.*(?:--no-verify|commit\b))(?=.*(?:--no-verify|\s-\w{0,20}n\b))/is;

/** A hook that is deleted, moved, made not to run, or replaced by what does nothing. */
export function disabledHook(call: Invocation): Finding | undefined {
  const { args, known } = call;
  const paths = args.map((path) => place(path, call.cwd));
  if (!paths.some(isHook)) return undefined;
  const how = DISABLES[call.name] ?? (known.writes === 'in-place' ? TAKES_LINES : /(?:)/);
  return args.some((arg) => how.test(arg)) ? bypass : undefined;
}

/** An expression that takes away each line of a file, or all behind the first. */
const TAKES_LINES = /\bexit 0\b|^s(.)\^[^/]*\1# ?|^(?:\d+,\$|\/[^/]+\/)?d$/;
const DISABLES: Readonly<Record<string, RegExp>> = {
  find: /^-delete$/,
  ln: /^\/dev\/null$|\/bin\/true$/,
  chmod: /^[augo]*-\w*x|^0?[0-6]?[0246][0246][0246]$/,
};

const HOOK =
  /(?:^|\/)\.git\/hooks(?:\/(?!.*\.sample$)|$)|(?:^|\/)\.husky$|(?:^|\/)\.husky\/(?:_|(?:pre|commit|post|prepare)-?\w*)/;

/** A file that git or a manager of hooks runs, or the folder of such files. */
export function isHook(path: string): boolean {
  return HOOK.test(path);
}

/** A text for a hook's file that does nothing, or for git's settings that leads the hooks nowhere. */
export function writesHooksOff(path: string, text: string): Finding | undefined {
  const value = /(?:^|\/)\.git(?:\/config|config)$/.test(path)
    ? /hookspath\s*=\s*(\S*)/i.exec(text)?.[1]
    : undefined;
  return (isHook(path) && IDLE.test(text)) || (value !== undefined && !isFolderOfRepository(value))
    ? bypass
    : undefined;
}

/** Nothing but comments and commands that succeed. */
const IDLE = /^(?:[ \t]*(?:(?:#[^\n]*(?=\n|$)|exit(?: 0)?|true|:|return 0|set [-+]\w+)[ \t]*)?(?:[;\n]|$))*$/;

export function checkHookFile(path: string, call: Invocation): Finding | undefined {
  return isHook(path) && empties(call) ? bypass : undefined;
}
