import { loadsIntoKernel, rootShell } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import type { Invocation } from '../programs/program.ts';

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
