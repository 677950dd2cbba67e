import { sensitiveFile } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { place } from '../paths/places.ts';
import type { Invocation } from '../programs/program.ts';
import { checkPlace } from './guarded-places.ts';
import { kindOf } from './kind-of-file.ts';

export function editor({ args, stdin, cwd }: Invocation): Finding | undefined {
  const commands = args.filter((arg) => /\s/.test(arg));
  if (stdin !== undefined) commands.push(stdin);
  for (const text of commands)
    for (const [, verb = '', path = ''] of text.matchAll(NAMES_FILE)) {
      const found = verb.startsWith('w') ? checkPlace(place(path, cwd)) : read(path, cwd);
      if (found) return found;
    }
  return undefined;
}

/** A verb at the start of a command, behind an address, or behind the last slash of a replacement. */
const NAMES_FILE =
  /(?:^|[\n;:{+/\d$])\s?(r|R|e|w|wq|read|edit|write|saveas|split|source)!?\s+([/~.][^\s;}'"]{1,200})/g;

export function debuggerDump({ args, cwd }: Invocation): Finding | undefined {
  const targets = args.flatMap((arg) => /^(?:dump|append)\s.*?\s([/~]\S+)/s.exec(arg)?.[1] ?? []);
  return targets.map((path) => checkPlace(place(path, cwd))).find(Boolean);
}

function read(path: string, cwd: string): Finding | undefined {
  const kind = kindOf(path, cwd);
  return kind && sensitiveFile(kind.what, path);
}
