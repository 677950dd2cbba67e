import { type Finding, finding } from '../effect.ts';
import type { Invocation } from '../programs/program.ts';

/*
 * What concerns the machine as a whole: who has which rights on it, what protects it, what runs on it by itself.
 */

export const rootShell: Finding = finding(
  'permission/root-shell',
  'This opens a shell with the rights of root, in which everything is allowed.',
  'Run the one command that needs these rights with `sudo`.',
);

/** A shell that is there to be typed into, started with the rights of root. */
export function checkRootShell({ root, known, args, stdin, redirects }: Invocation): Finding | undefined {
  const typed = stdin === undefined && redirects.length === 0 && args.every((arg) => /^-\w+$/.test(arg));
  return root && known.runs === 'shell' && typed && !args.some((arg) => arg.includes('c'))
    ? rootShell
    : undefined;
}

/** A library that a program is made to load, from where everybody may put one, or into a program of root. */
export function checkPreload({ env, root }: Invocation): Finding | undefined {
  for (const name of ['LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES']) {
    const path = env.get(name);
    if (path && (root || SHARED_FOLDER.test(path))) return loadsIntoKernel;
  }
  for (const name of [
    'BASH_ENV',
    'NODE_OPTIONS',
    'PYTHONSTARTUP',
    'PERL5OPT',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
  ])
    if (SHARED_FOLDER.test(env.get(name) ?? '')) return loadsIntoKernel;
  return undefined;
}

const SHARED_FOLDER = /(?:^|[:=\s])\/(?:tmp|var\/tmp|dev\/shm)\//;

/** Containers that can leave their container. */
export const hostRights: Finding = finding(
  'permission/host',
  'This gives a container the rights of root on this machine.',
  'Mount only folders of the project, and add only the one capability or device that is needed.',
);

export const givesRights: Finding = finding(
  'permission/rights',
  'This gives a user or a program the rights of an administrator.',
  'Leave rights to the user; say which one is needed, and why.',
);

/** Docker's group is as good as root, but nearly every guide tells people to join it. */
export const joinsDocker: Finding = { ...givesRights, rule: 'permission/docker-group', severity: 'medium' };

export const accounts: Finding = finding(
  'system-file/account',
  'This sets passwords or gives an account the rights of root.',
  'Leave accounts and passwords to the user.',
);

/** Rights in a cloud or a cluster. */
export const opensCloud: Finding = finding(
  'infrastructure/access',
  'This opens resources to others, or gives somebody the rights of an administrator there.',
  'Show the user who would get which rights, and let them grant them.',
);

export const switchesOff: Finding = finding(
  'permission/protection',
  'This switches off what protects or watches this machine.',
  'Leave it on, and allow the one thing that is needed.',
);

export const loadsIntoKernel: Finding = finding(
  'system-file/load',
  'This loads code into the kernel or into programs of others, or changes how the machine starts.',
  'Leave the kernel and the boot loader to the user.',
);

export const scheduled: Finding = finding(
  'persistence/schedule',
  'This makes a command run by itself: by the clock, or at each start or login.',
  'Show the user what should run when, and let them install it.',
);

export const opensTunnel: Finding = finding(
  'persistence/tunnel',
  'This makes a service of this machine reachable from the internet.',
  'Let the user open it, and close it again.',
);

export const mines: Finding = finding(
  'persistence/miner',
  'This uses the machine to mine a currency for somebody.',
  'Leave it to the user, whose machine and power it is.',
);

/** Tools that look for ways into machines and accounts. */
export const attacks: Finding = finding(
  'permission/attack-tool',
  'This looks for open ports, weak passwords or ways to get the rights of root.',
  'Leave it to the user, who knows which machines are theirs.',
  'low',
);

/** What most who install a service do. */
export const enabled: Finding = { ...scheduled, rule: 'persistence/service', severity: 'medium' };

export const changesSettings: Finding = {
  ...finding(
    'sensitive-file/settings',
    'This changes settings that say what programs run, or where they get code from.',
    'Show the user the setting, and let them change it.',
  ),
  kind: 'write',
};

export const registry: Finding = finding(
  'system-file/registry',
  'This deletes settings of Windows or what it could be restored from.',
  'Leave the registry and restore points to the user.',
);

export const stopsMachine: Finding = finding(
  'lost-work/shutdown',
  'This stops or restarts the machine, and with it everything that runs there.',
  'Ask the user to do it when nothing is running that they need.',
);

/** Databases, web servers and the like. */
export const stopsService: Finding = finding(
  'lost-work/service',
  'This stops a service that others on this machine may be using.',
  'Ask the user, or stop only what you started yourself.',
);

/** It grows until the disk or the memory is full. */
export const fillsUp: Finding = finding(
  'lost-work/fill',
  'This writes or reads without end, until the disk or the memory is full.',
  'Say how much is needed (`count=`, `head -c 1M`).',
);

export const killsAll: Finding = finding(
  'lost-work/kill',
  'This kills processes by the lot, the session of the user among them.',
  'Kill the one process that you started, by its number.',
);

export const cutsOff: Finding = finding(
  'lost-work/network',
  'This cuts the machine off from its network, or from those who log in to it.',
  'Leave the network to the user.',
);

export const removesSystem: Finding = finding(
  'filesystem/packages',
  'This removes packages without which the system does not work, or all of them.',
  'Remove single packages by name, and keep what others depend on.',
);

export const erasesTraces: Finding = finding(
  'filesystem/logs',
  'This deletes logs, which say what happened on this machine.',
  'Leave logs to the system, which rotates them.',
);
