import { place } from '../paths/places.ts';
import { isNamed } from '../programs/pattern.ts';
import type { Invocation } from '../programs/program.ts';
import { has } from '../programs/program.ts';
import { kindOf } from './kind-of-file.ts';

/** A file that holds secrets, which a program shows though it is not for showing files. */
export interface ShownFile {
  readonly path: string;
  /** What such a file is. */
  readonly what: string;
}

/** Programs that read a list, a configuration or a script show the lines that they do not understand. */
export function shownFile(call: Invocation): ShownFile | undefined {
  const { known, args, cwd } = call;
  const lists = known.lists;
  if (lists) {
    for (const [i, arg] of args.entries()) {
      const [, option = arg, attached] = /^(--[\w-]+)=(.+)$/s.exec(arg) ?? [];
      const kind = isNamed([option], lists) && kindOf(attached ?? args[i + 1] ?? '', cwd);
      if (kind) return { path: attached ?? args[i + 1] ?? '', what: kind.what };
    }
  }
  // `sudo ls -l /etc/shadow` shows what `ls` does.
  if (known.starts?.assigns || has(known, 'names', 'filters', 'tells')) return undefined;
  for (const arg of args) {
    if (!AUTH_FILES.test(arg)) continue;
    for (const path of pathsNamed(arg)) {
      const kind = kindOf(path, cwd);
      if (kind?.id === 'system-auth' && place(path, cwd) !== '/etc/passwd') return { path, what: kind.what };
    }
  }
  return undefined;
}

/** What the names of the system's authentication files have in them. */
const AUTH_FILES =
  /(?:etc|backups|proc)\/|\.\.\/|\.keytab|system32|ntds|wpa_supplicant|passwd|[%\\*?[]|[^\x20-\x7e]/i;

/**
 * The paths that an argument may be about: itself, the value of an option (`--config=x`), what a marker stands before
 * (`@x`, `file://x`, `{x}`, `<x`), what a call in code opens, and the words of a command (`.import x`, `Include x`).
 */
function pathsNamed(arg: string): readonly string[] {
  const marked = [...arg.matchAll(MARKED)].map((match) => match[1] ?? match[2] ?? '');
  const words = !/\s/.test(arg) ? [arg] : COMMAND.test(arg) ? arg.split(/[\s=]+/) : [];
  return [...words, ...marked];
}

const MARKED =
  /(?:[=@<{:(]|file:\/\/)\s?(~?\/[\w./~-]{1,200})|\b(?:open|fopen|slurp|read\w{0,20}|File\.\w{1,20})\s?\(?\s?["']([^"'\n]{1,200})["']/g;
const COMMAND = /^(?:[.\\:!%]\w|[Ii]nclude\s|source\s|\w+=)/;
