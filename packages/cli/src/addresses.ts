import { resolve } from 'node:path';
import type { Program } from './program.ts';

/** Cuts the addresses of a command line, which may hold a password, out of an error that repeats them. */
export function withoutAddresses(text: string, args: readonly string[], program: Program): string {
  const { HOOKS_STORE = '' } = program.env;
  return [...args, HOOKS_STORE]
    .map((arg) => arg.replace(/^--?[\w-]+=/, ''))
    .map((arg) => (arg.startsWith('$') ? (program.env[arg.slice(1)] ?? '') : arg))
    .filter((arg) => ADDRESS.test(arg))
    .flatMap((address) => [address, resolve(program.cwd(), address), address.trim()])
    .reduce((rest, address) => rest.replaceAll(address, () => `${SCHEME.exec(address)?.[0] ?? ''}…`), text);
}

/** How a password or a key stands in an address: before an `@`, or in the query. */
const ADDRESS = /^\s*[a-z][a-z\d+.-]+:.*[@?]/is;

/** The scheme of an address, also behind the folder in which it was looked for. */
const SCHEME = /[a-z][a-z\d+.-]+:/i;
