import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { DEFAULT_RESOURCES, type SandboxSpec } from '../spec.ts';
import { STORE } from './holder.ts';

/** The workspace inside every local sandbox. */
export const WORKSPACE = '/workspace';

/** Descriptor from which bubblewrap reads its options, so that the host's `ps` shows no environment variables. */
export const ARGUMENTS_FD = 3;
/** Descriptor on which bubblewrap reports process ids. */
export const STATUS_FD = 4;
/** Descriptor on which the first process inside reports that the sandbox is ready, and waits for {@link GO}. */
export const READY_FD = 5;
export const GO = 'go\n';

/**
 * bubblewrap's options. Of the host, commands see `/usr` (with `/bin`, `/lib`, …), the loader's configuration and CA
 * certificates, all read-only, plus `readOnly`. They do not see `/home`, `/root`, `/etc`, `/var`, `/run`, `/opt`, or
 * the host's `/tmp`, `/proc` and devices.
 */
export function bwrapArguments(
  spec: SandboxSpec,
  readOnly: readonly string[],
  env: Readonly<Record<string, string>>,
): readonly string[] {
  return [
    ...ISOLATION,
    ...['/usr', ...readOnly].flatMap((path) => ['--ro-bind', path, path]),
    ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].flatMap(systemFolder),
    ...VISIBLE_ETC.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--ro-bind', `${STORE}/passwd`, '/etc/passwd', '--ro-bind', `${STORE}/group`, '/etc/group'],
    ...['--proc', '/proc', '--dev', '/dev', '--bind', `${STORE}/shm`, '/dev/shm', '--remount-ro', '/dev'],
    ...['--bind', `${STORE}/tmp`, '/tmp'],
    ...workspace(spec),
    ...['--remount-ro', '/', '--chdir', WORKSPACE],
    '--clearenv',
    ...Object.entries({ ...BASE_ENV, ...env }).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/**
 * The program that bubblewrap runs. It reports that the sandbox is ready, waits for {@link GO}, sets the limits and
 * becomes the command.
 */
export function limited(spec: SandboxSpec, cwd: string, argv: readonly string[]): readonly string[] {
  const limits = { ...DEFAULT_RESOURCES, ...spec.resources };
  return [
    ...['/bin/sh', '-c', ENTER, 'sh', cwd, 'prlimit', '--core=0', '--nofile=1024'],
    ...[`--nproc=${limits.processes}`, `--data=${limits.memoryMb * MIB}`],
    ...[`--cpu=${limits.cpuSeconds}`, `--fsize=${limits.fileMb * MIB}`, '--'],
    ...argv,
  ];
}

const MIB = 1024 * 1024;

/**
 * Waits for the agent's signal, which never comes if the agent is gone. If memory is short, the kernel should kill this
 * process first.
 */
const ENTER = `echo 1000 > /proc/self/oom_score_adj; echo >&${READY_FD}; read -r go <&${READY_FD} || exit 1
exec ${READY_FD}>&-; cd "$1" && shift && exec "$@"`;

const ISOLATION = [
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--uid', '1000', '--gid', '1000'],
  ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent', '--hostname', 'sandbox'],
];

const VISIBLE_ETC = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/ssl/certs',
];

const BASE_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
};

function workspace({ workspace = { kind: 'scratch' } }: SandboxSpec): readonly string[] {
  if (workspace.kind !== 'mount') return ['--bind', `${STORE}/workspace`, WORKSPACE];
  return [workspace.readOnly ? '--ro-bind' : '--bind', workspace.path, WORKSPACE];
}

/** `/bin` and the like: a link into `/usr` on most systems, a folder on others. */
function systemFolder(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path];
}
