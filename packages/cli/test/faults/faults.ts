/** A fault of an agent's hook, before a tool call that its policy would refuse or let pass. */
export interface Fault {
  readonly name: string;
  /** The source of `policy.mjs`, with `core` in scope. */
  readonly policy?: string;
  /** Replaces the event. */
  readonly stdin?: string;
  /** Replaces `--policy policy.mjs`. */
  readonly args?: readonly string[];
  /** Shell code that runs before the hook. */
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node. */
  readonly node?: readonly string[];
  /** Only with `hook.sh`, as `hooks install` writes it: Node is missing or cannot answer. */
  readonly installedOnly?: true;
  /** Only with a cold start: the fault does not affect a worker. */
  readonly coldOnly?: true;
}

const before = (body: string): string => `
  export default { name: 'policy', register: (hooks) => hooks.on(core.BeforeToolCall, ${body}) };
`;
const allows =
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"},"decision":"allow"}';
const refuses = "return core.block('not here');";
const file = (yaml: string): Pick<Fault, 'shell' | 'args'> => ({
  shell: `cat > hooks.yaml <<'END'\n${yaml}\nEND`,
  args: ['--file', 'hooks.yaml'],
});

/** A policy that blocks the event loop, with a limit of a second. A worker has its own limit. */
const blocked = (name: string, policy: string): Fault => ({
  name,
  policy,
  args: ['--policy', 'policy.mjs', '--limit', '1'],
  coldOnly: true,
});

/** The faults. The gate stays closed after each of them. */
export const FAULTS: readonly Fault[] = [
  { name: 'a handler throws', policy: before("() => { throw new Error('broken') }") },
  { name: 'a handler rejects', policy: before("async () => { throw new Error('broken') }") },
  { name: 'a handler throws undefined', policy: before('() => { throw undefined }') },
  { name: 'a handler throws what has no text', policy: before('() => { throw Object.create(null) }') },
  { name: 'a handler answers nothing', policy: before('() => {}') },
  { name: 'a handler answers nonsense', policy: before("() => ({ kind: 'allow' })") },
  {
    name: 'a handler calls itself for ever',
    policy: before('function again(event) { return again(event) }'),
  },
  { name: 'a handler never answers', policy: before('() => new Promise(() => {}), { timeoutMs: 100 }') },
  {
    name: 'a handler awaits nothing that rejects',
    policy: before("() => { void Promise.reject(new Error('forgotten')); return core.proceed(); }"),
  },
  {
    name: 'a handler answers and rejects with undefined elsewhere',
    policy: before('() => { void Promise.reject(undefined); return core.proceed(); }'),
  },
  {
    name: 'a timer throws while a handler waits',
    policy: before("() => new Promise(() => { setTimeout(() => { throw new Error('late') }) })"),
  },
  {
    name: 'an emitter has an error while a handler waits',
    policy: `import { spawn } from 'node:child_process';
      ${before("() => new Promise(() => { spawn('/no/such/program') })")}`,
  },
  { name: 'a handler exits with 0', policy: before('() => process.exit(0)') },
  { name: 'a handler exits with 1', policy: before('() => process.exit(1)') },
  {
    name: 'a handler sets the exit code and never answers',
    policy: before('() => { process.exitCode = 0; return new Promise(() => {}) }, { timeoutMs: 100 }'),
  },
  {
    name: 'a handler takes all listeners off and throws late',
    policy: before(`() => new Promise(() => {
      for (const name of process.eventNames()) if (name !== 'exit') process.removeAllListeners(name);
      setTimeout(() => { throw new Error('late') });
    })`),
  },
  { name: 'a policy throws when it is loaded', policy: "throw new Error('broken')" },
  { name: 'a policy exits with 0 when it is loaded', policy: 'process.exit(0)' },
  {
    name: 'a policy ends the process with 0, past its exit listeners, when it is loaded',
    policy: 'process.reallyExit(0)',
    installedOnly: true,
  },
  {
    name: 'a handler ends the process with 0, past its exit listeners',
    policy: before('() => process.reallyExit(0)'),
    installedOnly: true,
  },
  {
    name: 'a handler takes off the exit listeners and ends the process with 0',
    policy: before("() => { process.removeAllListeners('exit'); process.exit(0) }"),
    installedOnly: true,
  },
  { name: 'a policy waits for ever when it is loaded', policy: 'await new Promise(() => {})' },
  {
    name: 'a policy waits for ever with a timer that keeps the process alive',
    policy: 'setInterval(() => {}, 1000); await new Promise(() => {})',
    args: ['--policy', 'policy.mjs', '--limit', '1'],
    coldOnly: true,
  },
  {
    name: 'the environment makes Node load code that allows everything',
    policy: before(`() => { ${refuses} }`),
    env: { NODE_OPTIONS: '--require ./allows.cjs' },
    shell: `echo 'process.on("exit", () => process.reallyExit(0)); process.exit(0);' > allows.cjs`,
    installedOnly: true,
  },
  {
    name: 'node_modules/.bin has other programs',
    policy: before(`() => { ${refuses} }`),
    shell: `mkdir -p node_modules/.bin; for name in perl curl cat sh; do
      echo '#!/bin/sh' > node_modules/.bin/$name; chmod +x node_modules/.bin/$name; done
      PATH="$PWD/node_modules/.bin:$PATH"`,
    installedOnly: true,
  },
  {
    name: 'a policy rejects when it is loaded',
    policy: `void Promise.reject(new Error('forgotten'));${before('() => core.proceed()')}`,
  },
  blocked('a policy never leaves a loop when it is loaded', 'for (;;);'),
  blocked('a handler never leaves a loop', before('() => { for (;;); }')),
  blocked('a handler awaits for ever', before('async () => { for (;;) await undefined; }')),
  blocked(
    'a handler never leaves a loop that catches everything',
    before('() => { for (;;) try { for (;;); } catch {} }'),
  ),
  blocked('a regular expression is slow', before("() => /^(a+)+$/.test('a'.repeat(60) + 'b')")),
  blocked(
    'a handler waits for another thread',
    before('() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'),
  ),
  {
    ...blocked('a policy reads a FIFO', "import { readFileSync } from 'node:fs'; readFileSync('pipe');"),
    shell: 'mkfifo pipe',
    installedOnly: true,
  },
  {
    ...blocked(
      'a handler waits for a program',
      `import { execSync } from 'node:child_process'; ${before("() => execSync('sleep 20')")}`,
    ),
    installedOnly: true,
  },
  {
    name: 'the thread of the watchdog cannot start',
    policy: before('() => core.proceed()'),
    shell: `echo 'const threads = require("node:worker_threads");
      threads.Worker = class { constructor() { throw new Error("no threads here") } };' > threads.cjs`,
    node: ['--require', './threads.cjs'],
    coldOnly: true,
  },
  {
    name: 'the thread of the watchdog fails while the policy loads',
    policy: `await new Promise((resolve) => setTimeout(resolve, 1000)); ${before('() => core.proceed()')}`,
    shell: `echo 'const threads = require("node:worker_threads");
      threads.Worker = class extends threads.Worker {
        constructor(_, options) { super("throw new Error(1)", options) } };' > threads.cjs`,
    node: ['--require', './threads.cjs'],
    coldOnly: true,
  },
  { name: 'the limit is no number', args: ['--policy', 'policy.mjs', '--limit', 'soon'], coldOnly: true },
  { name: 'a policy is not JavaScript', policy: 'export default {' },
  { name: 'a policy imports a missing module', policy: "import './no-such-file.mjs';" },
  { name: 'a policy exports no provider', policy: 'export default 5;' },
  {
    name: 'a policy throws when it registers',
    policy: "export default { name: 'policy', register() { throw new Error('broken') } };",
  },
  { name: 'a policy is not there', args: ['--policy', 'no-such-policy.mjs'] },
  {
    name: 'a policy prints before it refuses',
    policy: before(`() => { console.log(${JSON.stringify(allows)}); ${refuses} }`),
  },
  {
    name: 'a policy writes to stdout before it refuses',
    policy: before(`() => { process.stdout.write(${JSON.stringify(allows)}); ${refuses} }`),
  },
  {
    name: 'a policy keeps the process alive after it refused',
    policy: before(`() => { setInterval(() => {}, 1000); ${refuses} }`),
  },
  {
    name: 'a policy closes stderr and throws',
    policy: `process.stderr.destroy(); ${before("() => { throw new Error('broken') }")}`,
  },
  { name: 'the event is not JSON', stdin: '{"hook_event_name": "PreToolUse"' },
  { name: 'the event is empty', stdin: '' },
  { name: 'the event is null', stdin: 'null' },
  { name: 'the event has no name', stdin: '{"tool_name": "Bash", "tool_input": {}}' },
  { name: 'the file of hooks is not there', args: ['--file', 'no-such-file.yaml'] },
  { name: 'the file of hooks is not trusted', ...file('hooks: {stop: []}') },
  { name: 'an option is misspelt', args: ['--polisy', 'policy.mjs'] },
  {
    name: 'the folder is gone',
    shell: 'mkdir gone; cd gone; rmdir ../gone',
    policy: before('() => core.proceed()'),
  },
  {
    name: 'the policy is killed',
    policy: before("() => process.kill(process.pid, 'SIGKILL')"),
    installedOnly: true,
  },
  { name: 'the policy aborts', policy: before('() => process.abort()'), installedOnly: true },
  {
    name: 'the policy runs out of memory',
    policy: before('() => { const all = []; for (;;) all.push(new Array(1000).fill({})); }'),
    node: ['--max-old-space-size=30'],
    coldOnly: true,
    installedOnly: true,
  },
  {
    name: 'the policy never leaves a loop',
    policy: before('() => { for (;;); }'),
    shell: 'ulimit -t 1',
    coldOnly: true,
    installedOnly: true,
  },
  {
    name: 'a policy writes to the file of stdout before it refuses',
    policy: `import { writeSync } from 'node:fs';
      ${before(`() => { writeSync(1, ${JSON.stringify(allows)}); ${refuses} }`)}`,
    installedOnly: true,
  },
  {
    name: 'a policy runs a program that prints before it refuses',
    policy: `import { spawnSync } from 'node:child_process';
      ${before(`() => { spawnSync('echo', [${JSON.stringify(allows)}], { stdio: 'inherit' }); ${refuses} }`)}`,
    installedOnly: true,
  },
];
