import type { Redirect, Redirection } from 'unbash';
import { backdoor } from '../dangers.ts';
import { fileKey, place } from '../paths/places.ts';
import { isWebShell } from '../rules/backdoors.ts';
import { writesHooksOff } from '../rules/git-hooks.ts';
import { isRunLater } from '../rules/guarded-places.ts';
import { judge } from '../rules/index.ts';
import { CALL } from './budget.ts';
import { runCode } from './builtins.ts';
import { CONTENT, REMOTE, SHELL_OUTPUT, UNKNOWN } from './marks.ts';
import type { Call, RedirectTo, Runner } from './runner.ts';
import { assign, clip, fromHome, type Scope, subshell } from './scope.ts';
import { expandWhole } from './words.ts';

/** Where the redirections of a command lead. */
export function redirectsOf(
  redirects: readonly Redirection[],
  scope: Scope,
  runner: Runner,
): readonly RedirectTo[] {
  if (redirects.length === 0) return NONE;
  return redirects.flatMap((redirect) => {
    if (redirect.type !== 'Redirect' || !redirect.target) return [];
    const written = fromHome(expandWhole(redirect.target, scope, runner), scope);
    const linked = redirect.operator === '>&' ? runner.descriptors.get(written) : undefined;
    const target = linked ?? written;
    runner.spend(CALL + target.length);
    const descriptor = descriptorOf(redirect);
    if (SOCKET.test(target) && descriptor !== undefined) runner.sockets.add(String(descriptor));
    return [
      {
        operator: linked === undefined ? redirect.operator : '>',
        target,
        ...(descriptor !== undefined && { descriptor }),
      },
    ];
  });
}

/** What a command reads because of its redirections; nothing where they do not say. */
export function inputOf(redirects: readonly Redirection[], scope: Scope, runner: Runner): string | undefined {
  if (redirects.length === 0) return undefined;
  const last = redirects.findLast((redirect) => redirect.type !== 'Redirect' || isInput(redirect));
  if (!last) return undefined;
  if (last.type === 'HereDoc') {
    const { parts, text: value } = last.body;
    return expandWhole({ parts, value }, scope, runner);
  }
  if (!last.target) return UNKNOWN;
  const text = expandWhole(last.target, scope, runner);
  if (last.type === 'HereString') return `${text}\n`;
  if (text.startsWith(CONTENT)) return text.slice(1);
  if (text === '/dev/null') return '';
  if (SOCKET.test(text) || (last.operator === '<&' && runner.sockets.has(text))) return REMOTE;
  // A variable may hold one descriptor or another.
  if (last.operator === '<&')
    return text
      .split(' ')
      .map((name) => runner.files.get(`/dev/fd/${name}`) ?? UNKNOWN)
      .join('\n');
  return runner.files.get(fileKey(text, scope.shell.cwd)) ?? UNKNOWN;
}

/** Descriptors that a command opens: what is read there later is known, and what is written there leads to a file. */
export function openDescriptors(redirects: readonly Redirection[], scope: Scope, runner: Runner): void {
  for (const redirect of redirects) {
    const { descriptor } = redirect;
    const named = descriptor?.type === 'FileDescriptorVariable';
    const name = named
      ? `${10 + runner.descriptors.size}`
      : `${descriptor?.type === 'FileDescriptor' ? descriptor.value : ''}`;
    if (!named && !/^[3-9]$|^\d\d+$/.test(name)) continue;
    if (named) assign(scope, descriptor.name, [name]);
    const target =
      redirect.type !== 'HereDoc' && redirect.target && expandWhole(redirect.target, scope, runner);
    runner.descriptors.set(name, target || `/dev/fd/${name}`);
    if (target && SOCKET.test(target)) runner.sockets.add(name);
    if (redirect.type === 'Redirect' && !redirect.operator.startsWith('<')) continue;
    const alone = { ...redirect, descriptor: undefined } as Redirection;
    runner.files.set(`/dev/fd/${name}`, inputOf([alone], scope, runner) ?? UNKNOWN);
  }
}

/** The redirections of what is no program: a group, a loop, nothing at all. */
export function judgeRedirects(redirects: readonly RedirectTo[], call: Call, runner: Runner): void {
  if (redirects.length === 0) return;
  const { cwd } = call.scope.shell;
  const { loads, root, host } = call.scope;
  const nothing = { name: '', program: '', args: [], known: {}, env: new Map(), stdin: undefined };
  judge({ ...nothing, redirects, cwd, loads, root, host }, call, runner);
}

/** What is redirected to a file is in that file, and no longer on the way to the next program. */
export function writeTo(output: string, call: Call, runner: Runner): string {
  const { redirects, scope } = call;
  let redirected = false;
  for (const { operator, target, descriptor = 1 } of redirects) {
    if (!WRITES.has(operator) || descriptor !== 1) continue;
    redirected = true;
    const before = operator.endsWith('>>') ? runner.files.get(fileKey(target, scope.shell.cwd)) : undefined;
    writeFile(target, (before ?? '') + output, call, runner);
  }
  return redirected ? '' : output;
}

/** Remembers what a file holds now. What is run at the next login or by the clock is gone through at once. */
export function writeFile(path: string, text: string, call: Call, runner: Runner): void {
  // `> >(bash)`: what a shell reads that is started for it.
  if (path.startsWith(CONTENT) && path.includes(SHELL_OUTPUT))
    runCode(text, subshell(call.scope), call, runner, undefined);
  if (/^\/dev\/(?!shm\/|mqueue\/)/.test(path)) return;
  const { scope } = call;
  const found = isWebShell(text) ? backdoor : writesHooksOff(place(path, scope.shell.cwd), text);
  if (found) runner.report(found, call);
  runner.spend(CALL + text.length);
  runner.files.set(fileKey(path, scope.shell.cwd), clip(text));
  if (isRunLater(fileKey(path, scope.shell.cwd)) && !(text === REMOTE && path.includes('/systemd/')))
    runner.script(text, subshell(scope), undefined);
}

const NONE: readonly RedirectTo[] = [];
const SOCKET = /^\/dev\/(?:tcp|udp)\//;
const WRITES: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>']);

function isInput(redirect: Redirect): boolean {
  const { operator } = redirect;
  // `0>` leads to a socket as well as `0<` does.
  if (descriptorOf(redirect) === 0) return true;
  if (operator !== '<' && operator !== '<>' && operator !== '<&') return false;
  return redirect.descriptor === undefined;
}

function descriptorOf({ descriptor }: Redirect): number | undefined {
  return descriptor?.type === 'FileDescriptor' ? descriptor.value : undefined;
}
