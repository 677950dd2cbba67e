import { EDITS_IN_PLACE, FILTERS, ONLY_TEXT, SENDS, SHOWS, TELLS, USES } from './programs.ts';

/**
 * The program that a program of which nothing is known may start: what follows `--`, or its first argument that names a
 * program which can do harm (`mywrapper --fast rm -rf /`).
 */
export function startedBy(name: string, args: readonly string[]): readonly string[] | undefined {
  if (args.length < 2 || name === '' || KNOWN.has(name)) return undefined;
  const dashes = args.indexOf('--');
  const from = args.findIndex((arg, i) => (i < dashes ? false : HARMFUL.test(arg)) && i < args.length - 1);
  return from === -1 ? undefined : args.slice(from);
}

/** What a program of which nothing is known is told to run by an option of that name: `pip config --editor 'cat x'`. */
export function commandsIn(name: string, args: readonly string[]): readonly string[] {
  if (args.length < 2 || SPEAKS.has(name)) return NONE;
  return args.flatMap((arg, i) => {
    const attached = /^(--[a-z]+)=(.+)$/s.exec(arg);
    const text = attached ? (attached[2] ?? '') : COMMAND_OPTION.test(args[i - 1] ?? '') ? arg : '';
    if (attached && !COMMAND_OPTION.test(attached[1] ?? '')) return [];
    const words = text.split(/\s+/);
    return words.length > 1 && words.slice(0, 2).some((word) => HARMFUL.test(word))
      ? [withoutVerb(text)]
      : [];
  });
}

const NONE: readonly string[] = [];
const COMMAND_OPTION =
  /^(?:-c|-e|-x|-ex|--(?:command|cmd|exec|execute|editor|run|shell|eval|pager|hook|script))$/;

/** `shell cat x`, as debuggers have it. */
function withoutVerb(text: string): string {
  return text.replace(/^[!:]?\s*(?:shell|system|exec|run)\s+/, '');
}

const HARMFUL =
  /^(?:\/(?:\w+\/)*)?(?:rm|dd|mkfs(?:\.\w+)?|shred|wipefs|find|chmod|chown|(?:ba|z|da|k)?sh|nc|ncat|socat|curl|wget|python3?|perl|ruby|node|sudo|env|xargs|git|docker|cat|tee|cp|mv|scp|tar|base64)$/;

/** Programs whose arguments are names of programs and packages, or words of their own. */
const NAMES_PROGRAMS: ReadonlySet<string> = new Set(
  'rm find git gh glab hub apt apt-get apt-cache aptitude dpkg yum dnf rpm pacman apk zypper snap flatpak brew port pip pip3 pipx gem cargo go composer yarn systemctl service journalctl ps pgrep pkill kill killall make ninja cmake gcc cc clang update-alternatives alternatives command hash compgen complete bind ldd pidof file id crontab tmux screen su ssh seq sleep true false'.split(
    ' ',
  ),
);

/** Programs whose options take words, patterns and files, or whose commands are known. */
const SPEAKS: ReadonlySet<string> = new Set([
  ...[...ONLY_TEXT, ...USES, ...SHOWS, ...SENDS],
  ...[...FILTERS, ...EDITS_IN_PLACE, ...TELLS],
]);

const KNOWN: ReadonlySet<string> = new Set([
  ...[...ONLY_TEXT, ...USES, ...SHOWS, ...SENDS],
  ...[...FILTERS, ...EDITS_IN_PLACE, ...NAMES_PROGRAMS],
]);
