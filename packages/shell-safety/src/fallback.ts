import type { Invocation } from './invocation.ts';
import { backdoor } from './rules/backdoors.ts';
import { forkingFunction } from './rules/fork-bombs.ts';
import { judge } from './rules/index.ts';
import { remoteCode } from './rules/remote-code.ts';
import { type CommandVerdict, verdict } from './verdict.ts';

/**
 * Judges a text that is no valid shell, or too long to parse, in one pass: quotes and escapes are dropped, every
 * piece between separators counts as a command, and so does every word in it that names a program with rules.
 * That is stricter than the parsed way on purpose; it does not know what is only text.
 */
export function judgeText(text: string): CommandVerdict | undefined {
  const plain = text.replace(/\\\r?\n/g, ' ').replace(/["'\\]/g, '');
  if (FORK_BOMB.test(plain)) return verdict(forkingFunction, plain);
  let remote = false;
  const harmless = new Set<string>(); // long texts repeat themselves
  for (const match of plain.matchAll(PIECE)) {
    const piece = (match[1] ?? '').trim();
    const separator = match[2] ?? '';
    const words = piece === '' ? [] : SPACE.test(piece) ? piece.split(SPACES) : [piece];
    if (remote || !harmless.has(piece)) {
      const found = judgeWords(words, remote);
      if (found) return verdict(found, piece);
      if (!remote) harmless.add(piece);
    }
    if (words.some((word, i) => DOWNLOADER.test(word) && !/^git$/.test(words[i - 1] ?? ''))) remote = true;
    if (separator !== '|' && separator !== '|&' && !/[()`]/.test(separator)) remote = false;
  }
  if (
    /\b(?:iex|Invoke-Expression)\b/i.test(plain) &&
    /\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod|DownloadString)\b/i.test(plain)
  ) {
    return verdict(remoteCode, plain);
  }
  const executed = EXECUTED.exec(plain);
  return executed ? verdict(remoteCode, executed[0]) : undefined;
}

const PIECE = /([^;&|\n()`{}]*)(&&|\|\||\|&|[;&|\n()`{}]|$)/g;
/** `eval $(curl …)`, `bash -c $(curl …)`, `source <(curl …)`. */
const EXECUTED =
  /\b(?:eval|source|exec|(?:ba|z|da|k)?sh)(?: -\w+)? ?[<$]*[(`]\s?(?:curl|wget|fetch)\b[^\n)]{0,80}/;
const DOWNLOADER = /^(?:.*\/)?(?:curl|wget|fetch)$/;
const FORK_BOMB = /(?:^|[\s;&|({`])([\w:.]{1,32})\s?\(\s?\)\s?\{\s?\1\s?[|&]\s?\1?\s?&?/;
const SPACE = /\s/;
const SPACES = /\s+/;
/** So many words of a piece are looked at together, and so many of them again with the next. */
const WINDOW = 512;
const OVERLAP = 64;
/** Words of one window that may start a program of their own. */
const MAX_STARTS = 16;

function judgeWords(words: readonly string[], remote: boolean): ReturnType<typeof judge> {
  let found = judgeWindow(words.slice(0, WINDOW), remote, true);
  for (let from = WINDOW - OVERLAP; !found && from + OVERLAP < words.length; from += WINDOW - OVERLAP)
    found = judgeWindow(words.slice(from, from + WINDOW), remote, false);
  return found;
}

function judgeWindow(words: readonly string[], remote: boolean, first: boolean): ReturnType<typeof judge> {
  let starts = 0;
  for (const [i, word] of words.entries()) {
    const name = word.slice(word.lastIndexOf('/') + 1).toLowerCase();
    if (!(first && i === 0) && !STARTS.has(name)) continue;
    if (starts++ > MAX_STARTS) break;
    if (SHELL.test(name)) {
      if (remote) return remoteCode;
      if (words.some((other) => /\/dev\/(?:tcp|udp)\//.test(other))) return backdoor;
    }
    const found = judge(asInvocation(name, words.slice(i)), { files: new Map(), sockets: new Set() });
    if (found) return found;
  }
  return undefined;
}

const SHELL = /^(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*|perl|ruby|node|php)$/;
const STARTS: ReadonlySet<string> = new Set(
  'rm find dd mkfs mkfs.ext4 mkfs.xfs mkswap wipefs shred fdisk parted chmod chown chgrp mv cp tee sed truncate nc ncat socat git docker podman cat less head tail scp rsync curl wget bash sh zsh dash python python3 perl ruby node tar zip base64 useradd usermod passwd chpasswd unlink ln xxd od strings'.split(
    ' ',
  ),
);

/** Words as a program with arguments and redirections. */
function asInvocation(name: string, words: readonly string[]): Invocation {
  const args: string[] = [];
  const redirects: { operator: string; target: string }[] = [];
  for (let i = 1; i < words.length; i++) {
    const redirect = /^\d*(>>|>\||>|<)(.*)$/s.exec(words[i] ?? '');
    if (!redirect) args.push(tilde(words[i] ?? ''));
    else redirects.push({ operator: redirect[1] ?? '>', target: tilde(redirect[2] || (words[++i] ?? '')) });
  }
  return { name, program: name, args, redirects, env: new Map(), stdin: undefined, cwd: '.', loads: false };
}

function tilde(word: string): string {
  return word.replace(/^\$(?:HOME\b|\{HOME\})/, '~');
}
