import { sensitiveFile } from '../dangers.ts';
import { sensitiveKind } from '../paths/check.ts';
import { place } from '../paths/places.ts';
import type { Check } from '../programs/program.ts';
import { options } from '../shell/options.ts';

/** A web server over a folder of secrets, or over one that has such folders in it, hands them to whoever asks. */
export const servesPython: Check = served(/^(?:http\.server|SimpleHTTPServer)$/, '-d', '--directory');
export const servesPhp: Check = served(/^-S$/, '-t');
export const servesRuby: Check = served(/^httpd$/);
export const servesFolder: Check = served(/(?:)/, '-h');

/** Of a program that serves a folder when one of its words says so: the folder is an option's value, a word, or the current one. */
function served(says: RegExp, ...folderIn: readonly string[]): Check {
  const valued = [...'mdtSph', 'directory', 'port', 'bind', 'b'];
  return ({ args, cwd }) => {
    if (args.length > 0 && !args.some((arg) => says.test(arg))) return undefined;
    const { values, operands } = options(args, valued);
    const named = folderIn.map((name) => values.get(name)).find((value) => value !== undefined);
    const path = named ?? operands.find((word) => /^[~/.]/.test(word)) ?? '.';
    const target = place(path, cwd);
    if (/^(?:\/|\/etc|\/root|~)$/.test(target)) return sensitiveFile('a folder with logins and keys', path);
    const kind = sensitiveKind(target);
    return kind && sensitiveFile(kind.what, path);
  };
}
