import type { Redirection } from 'unbash';
import { backdoor } from '../dangers.ts';
import { fileKey, place } from '../paths/places.ts';
import { isWebShell } from '../rules/backdoors.ts';
import { writesHooksOff } from '../rules/git-hooks.ts';
import { isRunLater } from '../rules/guarded-places.ts';
import { judge } from '../rules/index.ts';
import { CALL, KEPT } from './budget.ts';
import { runCode } from './builtins.ts';
import { contentOf, isSocket } from './file-content.ts';
import { CONTENT, REMOTE, SHELL_OUTPUT, UNKNOWN } from './marks.ts';
import type { Call, RedirectTo, Runner } from './runner.ts';
import { assign, clip, fromHome, MAX_TEXT, type Scope, subshell } from './scope.ts';
import { expandWhole } from './words.ts';

interface Redirections {
  /** Where they lead. */
  readonly redirects: readonly RedirectTo[];
  /** The command's input, if a redirection sets it. */
  readonly input: string | undefined;
}

/** Analyzes the redirections of a command and opens descriptors: `exec 3<file`, `exec {name}>file`. */
export function redirectionsOf(nodes: readonly Redirection[], scope: Scope, runner: Runner): Redirections {
  if (nodes.length === 0) return NONE;
  const redirects: RedirectTo[] = [];
  let input: string | undefined;
  for (const node of nodes) {
    const descriptor = descriptorOf(node, scope, runner);
    const text = textOf(node, scope, runner);
    runner.spend(CALL + text.length / KEPT);
    const reads = node.operator.startsWith('<');
    if (descriptor === 0 || (reads && descriptor === undefined))
      input = contentBehind(node, text, scope, runner);
    else if (reads) runner.files.set(`/dev/fd/${descriptor}`, contentBehind(node, text, scope, runner));
    if (node.type !== 'Redirect' || !node.target) continue;
    const linked = node.operator === '>&' ? runner.descriptors.get(text) : undefined;
    const target = linked ?? text;
    const operator = operatorOf(node.operator, linked ?? text, linked !== undefined);
    redirects.push(descriptor === undefined ? { operator, target } : { operator, target, descriptor });
    if (descriptor !== undefined) open(descriptor, target, runner);
  }
  return { redirects, input };
}

/** `>&2` and `>&-` are about descriptors; `>& file` is `&> file`. */
function operatorOf(written: string, target: string, isLinked: boolean): string {
  if (written !== '>&') return written;
  if (isLinked) return '>';
  return /^\d*-?$/.test(target.replaceAll(UNKNOWN, '')) ? written : '&>';
}

const NONE: Redirections = { redirects: [], input: undefined };

/** The descriptor of a redirection. A variable gets a free one. */
function descriptorOf({ descriptor }: Redirection, scope: Scope, runner: Runner): number | undefined {
  if (descriptor?.type !== 'FileDescriptorVariable') return descriptor?.value;
  const free = 10 + runner.descriptors.size;
  assign(scope, descriptor.name, [`${free}`]);
  return free;
}

/** Connects a descriptor with a file for later reads and writes. */
function open(descriptor: number, target: string, { descriptors, sockets, files }: Runner): void {
  if (descriptor > 2) descriptors.set(`${descriptor}`, target);
  if (!isSocket(target)) return;
  sockets.add(`${descriptor}`);
  files.set(`/dev/fd/${descriptor}`, REMOTE);
}

/** The file or descriptor that a redirection names, or the text that it carries. */
function textOf(node: Redirection, scope: Scope, runner: Runner): string {
  if (node.type === 'HereDoc') {
    const { parts, text: value } = node.body;
    return expandWhole({ parts, value }, scope, runner);
  }
  return node.target ? fromHome(expandWhole(node.target, scope, runner), scope) : UNKNOWN;
}

/** What is read because of a redirection. */
function contentBehind(node: Redirection, text: string, scope: Scope, { files }: Runner): string {
  if (node.type === 'HereDoc') return text;
  if (node.type === 'HereString') return `${text}\n`;
  const path = node.operator === '<&' ? `/dev/fd/${text}` : text;
  return contentOf(path, scope.shell.cwd, files) ?? UNKNOWN;
}

/** Judges the redirections of a group, a loop or an empty command. */
export function judgeRedirects(redirects: readonly RedirectTo[], call: Call, runner: Runner): void {
  if (redirects.length === 0) return;
  const { cwd } = call.scope.shell;
  const { loads, root, host } = call.scope;
  const nothing = { name: '', program: '', args: [], known: {}, env: new Map(), stdin: undefined };
  judge({ ...nothing, redirects, cwd, loads, root, host }, call, runner);
}

/** Writes redirected output to its file. Returns what remains for the next program. */
export function writeTo(output: string, call: Call, runner: Runner): string {
  const { redirects, scope } = call;
  let redirected = false;
  for (const { operator, target, descriptor = 1 } of redirects) {
    if (!WRITES.has(operator) || descriptor !== 1) continue;
    redirected = true;
    const before = operator.endsWith('>>') ? runner.files.get(fileKey(target, scope.shell.cwd)) : undefined;
    writeFile(target, output, call, runner, before);
  }
  return redirected ? '' : output;
}

/** What it takes to bring a path into its normal form and compare it with the guarded places, for each character. */
const PATH_READ = 3;

/** So much at the end of a full file is read again with what is added. */
const FULL_READ = 256;

/** Remembers the content of a file, which may be added to what it held `before`. A file that runs at login or on a schedule is analyzed at once. */
export function writeFile(path: string, added: string, call: Call, runner: Runner, before = ''): void {
  // `> >(bash)`: what a shell reads that is started for it.
  if (path.startsWith(CONTENT) && path.includes(SHELL_OUTPUT))
    runCode(before + added, subshell(call.scope), call, runner);
  if (/^\/dev\/(?!shm\/|mqueue\/)/.test(path)) return;
  const { scope } = call;
  const key = fileKey(path, scope.shell.cwd);
  const runs = isRunLater(key);
  // Of a file that is full nothing more is kept.
  const isFull = before.length > MAX_TEXT && !runs;
  const text = (isFull ? before.slice(-FULL_READ) : before) + added;
  runner.spend(CALL + PATH_READ * key.length + text.length / (2 * KEPT));
  if (runner.done) return;
  const found = isWebShell(text) ? backdoor : writesHooksOff(place(path, scope.shell.cwd), text);
  if (found) runner.report(found, call);
  if (!isFull) runner.files.set(key, clip(text));
  if (runs && !(text === REMOTE && path.includes('/systemd/'))) runner.script(text, subshell(scope));
}

const WRITES: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>']);
