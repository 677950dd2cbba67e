import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { userDirectory } from '@hooks/config';
import type { HookProvider } from '@hooks/core';
import { hideTools, type ProxyOptions, pinServer, proxy, supports } from '@hooks/mcp';
import type { Store } from '@hooks/store';
import { inbox } from '@hooks/store/approvals';
import { addressIn, type NamedStore, namedStore } from '../address.ts';
import { existing } from '../paths.ts';
import { type Program, UserError } from '../program.ts';
import { openStore } from '../store.ts';
import { openPolicy, type PolicyOptions } from './run.ts';

/** Options of `mcp`. */
export interface McpOptions {
  readonly policy?: string;
  readonly url?: string;
  readonly header?: readonly string[];
  readonly hide?: string;
  readonly pin?: string;
  /** The store of pins, and of pending approvals if the client cannot ask. */
  readonly store?: string;
}

/** Runs a proxy between an MCP client, on stdin and stdout, and a server. Resolves with the server's exit code. */
export async function mcp(server: readonly string[], options: McpOptions, program: Program): Promise<number> {
  const upstream = upstreamOf(server, options, program);
  const { hooks, [Symbol.asyncDispose]: dispose } = await openPolicy(
    policyOf('--policy', options.policy, program),
    program,
  );
  if (options.hide !== undefined) hooks.use(hidden(options.hide));
  const named = namedStore(options.store, program);
  const store = named === undefined && options.pin === undefined ? undefined : await open(named, program);
  if (store && options.pin !== undefined) hooks.use(pinServer(store, options.pin));
  try {
    return await proxy({
      hooks,
      upstream,
      ...(store && named !== undefined && { approval: inbox({ store }) }),
      // The same file may have hooks for agents. Print a warning for each that never fires here.
      allowUnsupported: Object.keys(supports.events),
      onWarning: (text) => program.stderr.write(`hooks mcp: ${text}\n`),
    });
  } finally {
    await hooks.close();
    await store?.close();
    await dispose();
  }
}

/** Treats a path as a hook file or a module, by its extension. */
export function policyOf(name: string, given: string | undefined, program: Program): PolicyOptions {
  if (given === undefined) return {};
  const path = existing(name, given, program, 'a file of hooks, its directory, or a module');
  return /\.(?:ya?ml|json)$/.test(path) || !/\.[cm]?[jt]s$/.test(path)
    ? { file: [path] }
    : { policy: [path] };
}

function upstreamOf(
  [command, ...args]: readonly string[],
  { url, header = [] }: McpOptions,
  { env, cwd }: Program,
): ProxyOptions['upstream'] {
  if (url === undefined) {
    if (command !== undefined && !isProgram(command, env, cwd()))
      throw new UserError(
        '[server...]: there is no such program; expected the command that starts the MCP server, such as npx',
      );
    if (command !== undefined) return { command, args, env, cwd: cwd() };
    throw new UserError('name the MCP server: hooks mcp -- <command>, or hooks mcp --url <url>');
  }
  if (command !== undefined) throw new UserError('the MCP server is either a command or --url, not both');
  const address = addressIn({ name: '--url', given: url }, { env });
  if (!/^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : ''))
    throw new UserError(
      '--url: expected a URL that begins with https: or http:, or $NAME of a variable that has one',
    );
  return { url: address, headers: Object.fromEntries(header.map((line) => readHeader(line, env))) };
}

/** Whether a command is that of a program: the error of one that is none would repeat it. */
function isProgram(command: string, { PATH = '/usr/bin:/bin' }: Program['env'], cwd: string): boolean {
  if (process.platform === 'win32') return true;
  if (command.includes('/')) return existsSync(resolve(cwd, command));
  return PATH.split(delimiter).some((folder) => existsSync(resolve(cwd, folder, command)));
}

/** Parses `Name: value`. `$NAME` in the value comes from the environment, because anyone can see arguments. */
function readHeader(line: string, env: Program['env']): readonly [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new UserError("--header: expected 'Name: value'; $NAME in the value comes from the environment");
  const filled = value.replaceAll(/\$(\w+)/g, (_, variable: string) => {
    const known = env[variable];
    if (known === undefined) throw new UserError(`--header: ${unset(value)} is not set`);
    return known;
  });
  return [name, filled];
}

/** A variable that is not set, by its name where the value is nothing else: another value may be a password with a $. */
function unset(value: string): string {
  const [, variable] = /^(?:[a-z]+ )?(\$[A-Z][A-Z\d_]*)$/i.exec(value) ?? [];
  return variable === undefined ? 'a variable that its value names with $' : `the variable ${variable}`;
}

/** Opens the store. By default, pins are stored next to the user's trust decisions. */
async function open(named: NamedStore | undefined, program: Program): Promise<Store> {
  const usual = { name: '--store', given: join(userDirectory(), 'mcp-pins.db') };
  return openStore(named ?? usual, program, true);
}

function hidden(names: string): HookProvider {
  try {
    return hideTools(names);
  } catch {
    throw new UserError(
      '--hide: not a regular expression that hooks can match; expected the names of tools, such as "delete_.*|drop"',
    );
  }
}
