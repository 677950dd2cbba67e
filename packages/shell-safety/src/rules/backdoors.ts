import { backdoor } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { type Facts, has, type Invocation } from '../programs/program.ts';
import { SHELL_OUTPUT } from '../shell/marks.ts';

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

export function awkShell({ args }: Invocation): Finding | undefined {
  return args.some((arg) => /\/inet[46]?\/(?:tcp|udp)\//.test(arg) && runsWhatComes(arg))
    ? backdoor
    : undefined;
}

/** A page that runs what its visitors send: `<?php system($_GET['c']); ?>`. */
export function isWebShell(text: string): boolean {
  return WEB_SHELL.test(text);
}

/** What the shell takes for a variable (`$_GET` in double quotes) is still meant. */
const WEB_SHELL =
  /\b(?:system|exec|shell_exec|passthru|eval|assert|popen|proc_open)\s*\(\s*(?:\w+\(\s*)?(?:\$_(?:GET|POST|REQUEST|COOKIE)\b|\ue006\[|request\.getParameter)/;

/** `c |& getline` runs what `c` holds, unless `c` is the connection itself. */
function runsWhatComes(program: string): boolean {
  const connections = new Set(
    [...program.matchAll(/\b(\w{1,40})\s{0,9}=\s{0,9}"\/inet/g)].map((match) => match[1]),
  );
  const read = [...program.matchAll(/\b(\w{1,40})\s{0,9}\|&?\s{0,9}getline/g)].map((match) => match[1]);
  return /\bsystem\s*\(/.test(program) || read.some((name) => !connections.has(name));
}
