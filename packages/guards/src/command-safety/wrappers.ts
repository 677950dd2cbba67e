/** What is left when a wrapper is taken away: another program, or a text for a shell. */
export interface Unwrapped {
  readonly fields?: readonly string[];
  readonly shell?: string;
  readonly env?: readonly [string, string][];
}

interface Wrapper {
  /** Options with a value, short ones as one letter, long ones by name. */
  readonly valued?: readonly string[];
  /** Operands of its own before the program: a duration, a host. */
  readonly skip?: number;
  /** `NAME=value` before the program is an assignment. */
  readonly assigns?: boolean;
  /** It hands what is left to a shell: joined by blanks, or only where it is one text. */
  readonly joins?: 'all' | 'one';
  /** Options whose value is a text for a shell. */
  readonly commandIn?: readonly string[];
  /** With these it does not run anything. */
  readonly idle?: readonly string[];
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    'sudo',
    {
      valued: [
        ...'ughpCTrtDRU',
        'user',
        'group',
        'host',
        'prompt',
        'chdir',
        'chroot',
        'close-from',
        'role',
        'type',
        'other-user',
      ],
      assigns: true,
      idle: ['-l', '--list', '-v', '-k', '-K', '-e', '--edit'],
    },
  ],
  ['doas', { valued: ['u', 'C', 'a'], assigns: true }],
  ['pkexec', { valued: ['user'] }],
  ['gosu', { skip: 1 }],
  ['su-exec', { skip: 1 }],
  ['env', { valued: ['u', 'C', 'unset', 'chdir'], assigns: true, commandIn: ['-S', '--split-string'] }],
  ['nohup', {}],
  ['setsid', {}],
  ['command', { idle: ['-v', '-V'] }],
  ['builtin', {}],
  ['exec', { valued: ['a'] }],
  ['time', { valued: ['o', 'f', 'output', 'format'] }],
  ['timeout', { valued: ['s', 'k', 'signal', 'kill-after'], skip: 1 }],
  ['gtimeout', { valued: ['s', 'k', 'signal', 'kill-after'], skip: 1 }],
  ['nice', { valued: ['n', 'adjustment'] }],
  ['ionice', { valued: ['c', 'n', 'p', 'class', 'classdata'] }],
  ['stdbuf', { valued: ['i', 'o', 'e', 'input', 'output', 'error'] }],
  ['unbuffer', {}],
  ['chrt', { valued: ['T', 'P', 'D'], skip: 1 }],
  ['taskset', { skip: 1 }],
  ['chroot', { skip: 1, valued: ['userspec', 'groups'] }],
  ['flock', { valued: ['w', 'E', 'timeout', 'conflict-exit-code'], skip: 1, commandIn: ['-c', '--command'] }],
  ['strace', { valued: [...'eopsaEuPIbO'] }],
  ['ltrace', { valued: [...'eopsanul'] }],
  ['gdb', { commandIn: [] }],
  ['unshare', { valued: ['S', 'G', 'R', 'w'] }],
  ['nsenter', { valued: ['t', 'S', 'G', 'target'] }],
  ['busybox', {}],
  ['toybox', {}],
  ['caffeinate', { valued: ['t', 'w'] }],
  ['fakeroot', {}],
  ['firejail', {}],
  ['proxychains', { valued: ['f'] }],
  ['proxychains4', { valued: ['f'] }],
  ['torsocks', {}],
  ['torify', {}],
  [
    'systemd-run',
    { valued: ['u', 'p', 'M', 'unit', 'property', 'slice', 'uid', 'gid', 'on-calendar', 'on-active'] },
  ],
  ['systemd-inhibit', {}],
  ['dbus-run-session', {}],
  ['xvfb-run', { valued: [...'nesfp'] }],
  ['choom', { valued: ['n'] }],
  ['prlimit', {}],
  ['noglob', {}],
  ['nocorrect', {}],
  ['rtk', {}],
  ['dotenv', { valued: ['e', 'f'] }],
  ['watch', { valued: ['n', 'interval'], joins: 'one' }],
  ['ssh', { valued: [...'BbcDEeFIiJLlmOoPpQRSWw'], skip: 1, joins: 'all' }],
  ['autossh', { valued: [...'MBbcDEeFIiJLlmOoPpQRSWw'], skip: 1, joins: 'all' }],
  ['mosh', { valued: ['p', 'ssh'], skip: 1 }],
  ['sshpass', { valued: ['p', 'f', 'd', 'P'] }],
  ['wsl', { valued: ['d', 'u', 'distribution', 'user', 'cd', 'shell-type'], joins: 'one' }],
  [
    'su',
    { valued: [...'sgGw', 'shell', 'group'], commandIn: ['-c', '--command'], skip: Number.POSITIVE_INFINITY },
  ],
  ['runuser', { valued: [...'sgGwu', 'shell', 'group', 'user'], commandIn: ['-c', '--command'] }],
  ['script', { commandIn: ['-c', '--command'], skip: 1 }],
  ['vagrant', { commandIn: ['-c', '--command'], skip: Number.POSITIVE_INFINITY }],
  ['cmd', { joins: 'all' }],
  ['entr', {}],
  ['parallel', { valued: [...'jNnLIaSE', 'jobs', 'delay', 'timeout', 'joblog'], joins: 'one' }],
  ['at', { commandIn: [], skip: Number.POSITIVE_INFINITY }],
]);

/** Takes one wrapper off, or answers nothing where the program is no wrapper or wraps nothing here. */
export function unwrap(name: string, args: readonly string[]): Unwrapped | undefined {
  if (CONTAINERS.has(name)) return inContainer(args);
  // `runuser` without -u is `su`.
  const asSu = name === 'runuser' && !args.some((arg) => /^(?:-u|--user)/.test(arg));
  const wrapper = WRAPPERS.get(asSu ? 'su' : name);
  if (!wrapper) return undefined;
  const { valued = [], commandIn = [], idle = [] } = wrapper;
  const env: [string, string][] = [];
  let skip = wrapper.skip ?? 0;
  let shell: string | undefined;
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (idle.includes(arg)) return undefined;
    if (arg === '--' && wrapper.skip === Number.POSITIVE_INFINITY) continue;
    if (arg === '--') {
      i++;
      break;
    }
    const option = readOption(arg, args[i + 1], valued, commandIn);
    if (option) {
      shell = option.shell ?? shell;
      if (option.usesNext) i++;
      continue;
    }
    const assignment = wrapper.assigns ? /^(\w+)=(.*)$/s.exec(arg) : null;
    if (assignment) env.push([assignment[1] ?? '', assignment[2] ?? '']);
    else if (skip > 0) skip--;
    else break;
  }
  const fields = args.slice(i + (skip > 0 && Number.isFinite(skip) ? skip : 0));
  if (shell !== undefined) {
    // `env -S 'a b' c` goes on with what follows; the others take it as $0, $1, …
    return { shell: name === 'env' ? [shell, ...fields].join(' ') : shell, env };
  }
  if (fields.length === 0) return undefined;
  const isText = wrapper.joins === 'all' || (wrapper.joins === 'one' && fields.length === 1);
  return isText ? { shell: fields.join(' '), env } : { fields, env };
}

interface Option {
  readonly usesNext: boolean;
  readonly shell?: string;
}

function readOption(
  arg: string,
  next: string | undefined,
  valued: readonly string[],
  commandIn: readonly string[],
): Option | undefined {
  if (/^\/[a-z?]$/i.test(arg)) return { usesNext: false };
  if (!/^[-+]./.test(arg)) return undefined;
  if (arg.startsWith('--')) {
    const [name = '', value] = split(arg);
    if (commandIn.includes(name)) return { usesNext: value === undefined, shell: value ?? next ?? '' };
    return { usesNext: value === undefined && valued.includes(name.slice(2)) };
  }
  for (let c = 1; c < arg.length; c++) {
    const letter = arg[c] ?? '';
    const attached = arg.slice(c + 1);
    if (commandIn.includes(`-${letter}`)) return { usesNext: attached === '', shell: attached || next || '' };
    if (valued.includes(letter)) return { usesNext: attached === '' };
  }
  return { usesNext: false };
}

function split(option: string): [string, string | undefined] {
  const equals = option.indexOf('=');
  return equals === -1 ? [option, undefined] : [option.slice(0, equals), option.slice(equals + 1)];
}

const CONTAINERS: ReadonlySet<string> = new Set([
  'docker',
  'podman',
  'nerdctl',
  'docker-compose',
  'kubectl',
  'oc',
  'lxc',
]);

/** `docker exec web rm x`, `docker run alpine rm x`, `kubectl exec pod -- rm x`. What it does there is done there. */
function inContainer(args: readonly string[]): Unwrapped | undefined {
  const verb = args.findIndex((arg) => arg === 'exec' || arg === 'run');
  if (verb === -1) return undefined;
  const dashes = args.indexOf('--');
  if (dashes !== -1) return { fields: args.slice(dashes + 1) };
  let i = verb + 1;
  for (; i < args.length && args[i]?.startsWith('-'); i++) if (CONTAINER_VALUED.test(args[i] ?? '')) i++;
  const fields = args.slice(i + 1);
  return fields.length > 0 ? { fields } : undefined;
}

const CONTAINER_VALUED =
  /^(?:-[itd]*[evpwulhmac]|--(?:env|volume|publish|workdir|user|label|name|network|net|mount|env-file|entrypoint|hostname|memory|cpus|platform|add-host|device|restart|pull|ulimit|shm-size|tmpfs|link|expose|cap-add|cap-drop|security-opt|log-driver|index|detach-keys|gpus|ipc|pid|runtime))$/;
