import { backdoor, hiddenCode, loadsIntoKernel, remoteCode, rootShell } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { type Facts, has, type Invocation } from '../programs/program.ts';
import { OPAQUE, REMOTE, SHELL_OUTPUT } from '../shell/marks.ts';

/** What an interactive shell answers goes to another machine. */
export function checkShellSent({ known, stdin, args }: Invocation): Finding | undefined {
  if (!stdin?.includes(SHELL_OUTPUT)) return undefined;
  return known.remote === true || has(known, 'sends') || args.includes('s_client') ? backdoor : undefined;
}

export function shellOnSocket(
  { redirects, args, stdin }: Invocation,
  { sockets }: Facts,
): Finding | undefined {
  if (sockets.has('0') && stdin === undefined && args.every((arg) => /^-[ils]+$/.test(arg))) return backdoor;
  const bound = redirects.some(
    ({ target, operator }) =>
      /^\/dev\/(?:tcp|udp)\//.test(target) || (/^[<>]&$/.test(operator) && sockets.has(target)),
  );
  return bound ? backdoor : undefined;
}

/** A page that runs what its visitors send: `<?php system($_GET['c']); ?>`. */
export function isWebShell(text: string): boolean {
  return WEB_SHELL.test(text);
}

/** What the shell takes for a variable (`$_GET` in double quotes) is still meant. */
const WEB_SHELL =
  /\b(?:system|exec|shell_exec|passthru|eval|assert|popen|proc_open)\s*\(\s*(?:\w+\(\s*)?(?:\$_(?:GET|POST|REQUEST|COOKIE)\b|\ue006\[|request\.getParameter)/;

/** A shell that is there to be typed into, started with the rights of root. */
export function checkRootShell({ root, known, args, stdin, redirects }: Invocation): Finding | undefined {
  const typed = stdin === undefined && redirects.length === 0 && args.every((arg) => /^-\w+$/.test(arg));
  return root && known.runs === 'shell' && typed && !args.some((arg) => arg.includes('c'))
    ? rootShell
    : undefined;
}

/** A library that a program is made to load, from where everybody may put one, or into a program of root. */
export function checkPreload({ env, root }: Invocation): Finding | undefined {
  for (const [name, value] of env)
    if (
      value !== '' &&
      (LIBRARY.test(name) ? root || SHARED_FOLDER.test(value) : CODE.test(name) && SHARED_FOLDER.test(value))
    )
      return loadsIntoKernel;
  return undefined;
}

const LIBRARY = /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/;
const CODE = /^(?:BASH_ENV|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS)$/;
const SHARED_FOLDER = /(?:^|[:=\s])\/(?:tmp|var\/tmp|dev\/shm)\//;

/** A program whose own name came over the network. */
export function checkProgram(call: Invocation): Finding | undefined {
  if (call.program.includes(REMOTE)) return remoteCode;
  return call.program.includes(OPAQUE) ? hiddenCode : undefined;
}
