import { type Finding, finding } from '../effect.ts';
import { place } from '../paths/places.ts';
import type { Invocation } from '../programs/program.ts';
import { SHELL_OUTPUT } from '../shell/marks.ts';
import type { CheckChange, Checks, Facts } from './rule.ts';

/** A shell for somebody elsewhere, and ways to come back. */
export const backdoorRules: Checks<
  | 'netcat'
  | 'servesShell'
  | 'socat'
  | 'opensLogin'
  | 'socketShell'
  | 'shellIntoNetwork'
  | 'shellOnSocket'
  | 'awkShell'
  | 'xterm'
  | 'alwaysBackdoor'
> = {
  netcat,
  servesShell: ({ args }) => (args.some((arg) => STARTS_SHELL.test(arg)) ? backdoor : undefined),
  socat,
  opensLogin,
  // `socket -p '/bin/sh -i' host port`
  socketShell: ({ args }) => (args.some((arg) => /^-\w*p/.test(arg)) ? backdoor : undefined),
  shellIntoNetwork,
  shellOnSocket,
  awkShell: awk,
  xterm: ({ args }) =>
    args.some((arg, i) => args[i - 1] === '-display' && /^(?!localhost:|unix:)[\w.-]+:\d/.test(arg))
      ? backdoor
      : undefined,
  alwaysBackdoor: () => backdoor,
};

/** The port of `ssh` made reachable from elsewhere: `ngrok tcp 22`, `ssh -R 2222:localhost:22 host`. */
function opensLogin({ name, args }: Invocation): Finding | undefined {
  const forwards = name === 'ssh' || name === 'autossh';
  const opened = args.some((arg, i) =>
    forwards ? /^-\w*R$/.test(args[i - 1] ?? '') && /(?:^|:)22$/.test(arg) : /^22$|^ssh:\/\//.test(arg),
  );
  return opened ? access : undefined;
}

/** A shell as what a server starts for each who comes; `/:LOGIN` is shellinabox's way to say so. */
const STARTS_SHELL = /^(?:\S*\/)?(?:ba|z|da|k|a|fi)?sh$|^(?:\S*\/)?(?:login|tmux|screen)$|:LOGIN$/;

export const backdoor: Finding = finding(
  'backdoor/shell',
  'This gives a shell on this machine to whoever is on the other end of a network connection.',
  'Use `ssh`, or `nc -zv host port` to test a port.',
);

export const access: Finding = finding(
  'backdoor/access',
  'This gives somebody lasting access to this machine.',
  'Leave `authorized_keys` to the user; show them the line to add.',
);

/** The list of keys that let somebody log in. */
export const checkAccess: CheckChange = (path, call) =>
  (/\/authorized_keys2?$/.test(path) && !call.known.deletes && !sendsOwnKey(call)) ||
  INETD.test(path) ||
  (path === '/etc/ssh/sshd_config' && LETS_IN.test([...call.args, call.stdin ?? ''].join('\n')))
    ? access
    : undefined;

/** `scp id.pub host:.ssh/authorized_keys` does what `ssh-copy-id` does, on a machine that one can log in to. */
function sendsOwnKey({ name, args }: Invocation): boolean {
  const [from = '', to = ''] = args.slice(-2);
  return name === 'scp' && /^[^:]*\.pub$/.test(from) && /^[\w.@-]+:/.test(to);
}

const LETS_IN = /\b(?:PermitRootLogin|PermitEmptyPasswords)[ \t]+yes\b/i;

/** What a super-server starts for each who connects. */
const INETD = /^\/etc\/(?:inetd\.conf|xinetd\.d\/[^/]+)$/;

function netcat(call: Invocation): Finding | undefined {
  const { args } = call;
  const runs = args.some(
    (arg) =>
      /^-[a-zA-Z]*[ec]$|^--(?:exec|sh-exec|lua-exec)(?:=|$)|^-e./.test(arg) && !/^-[zv46nuwlk]*$/.test(arg),
  );
  return runs ? backdoor : undefined;
}

function socat({ args }: Invocation): Finding | undefined {
  const runs = args.some((arg) => /^(?:exec|system|shell)(?::|$)/i.test(arg));
  const network = args.some((arg) =>
    /^(?:tcp|udp|openssl|ssl|sctp|dccp|socks|proxy|vsock|ip\d?|quic|dtls)/i.test(arg),
  );
  return runs && network ? backdoor : undefined;
}

function shellIntoNetwork({ name, args, stdin }: Invocation): Finding | undefined {
  if (name === 'openssl' && args[0] !== 's_client') return undefined;
  return stdin?.includes(SHELL_OUTPUT) ? backdoor : undefined;
}

function shellOnSocket({ redirects, args, stdin }: Invocation, { sockets }: Facts): Finding | undefined {
  if (sockets.has('0') && stdin === undefined && args.every((arg) => /^-[ils]+$/.test(arg))) return backdoor;
  const bound = redirects.some(
    ({ target, operator }) =>
      /^\/dev\/(?:tcp|udp)\//.test(target) || (/^[<>]&$/.test(operator) && sockets.has(target)),
  );
  return bound ? backdoor : undefined;
}

function awk({ args }: Invocation): Finding | undefined {
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

/** Files that are run when somebody logs in, or by the clock: what is written there is run. */
export function isStartupFile(path: string): boolean {
  return STARTUP.test(place(path, '.'));
}

const STARTUP =
  /\/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|bash_login)$|^\/etc\/(?:cron|profile|bash\.bashrc|rc\.local|init\.d|crontab)|^\/var\/spool\/cron|\/systemd\/(?:system|user)\/[^/]+\.service$|\/\.config\/autostart\/|(?:^|\/)\.git\/hooks\/|(?:^|\/)\.husky\/|\/\.ssh\/rc$|\/\.(?:bash_logout|xinitrc|xprofile|xsessionrc)$|^\/etc\/update-motd\.d\/|\/Launch(?:Agents|Daemons)\//i;
