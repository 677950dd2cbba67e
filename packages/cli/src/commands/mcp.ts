import { join } from 'node:path';
import { userDirectory } from '@hooks/config';
import { hideTools, type ProxyOptions, pinTools, proxy, supports } from '@hooks/mcp';
import type { Store } from '@hooks/store';
import { inbox } from '@hooks/store/approvals';
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
  const { hooks, [Symbol.asyncDispose]: dispose } = await openPolicy(policyOf(options.policy), program);
  if (options.hide !== undefined) hooks.use(hideTools(options.hide));
  const path = options.store ?? program.env['HOOKS_STORE'];
  const store = path === undefined && options.pin === undefined ? undefined : await open(path, program);
  if (store && options.pin !== undefined) hooks.use(pinTools(store, options.pin));
  try {
    return await proxy({
      hooks,
      upstream,
      ...(store && path !== undefined && { approval: inbox({ store }) }),
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
export function policyOf(path: string | undefined): PolicyOptions {
  if (path === undefined) return {};
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
    if (command !== undefined) return { command, args, env, cwd: cwd() };
    throw new UserError('name the MCP server: hooks mcp -- <command>, or hooks mcp --url <url>');
  }
  if (command !== undefined) throw new UserError('the MCP server is either a command or --url, not both');
  const [, variable] = /^\$(\w+)$/.exec(url) ?? [];
  const address = variable === undefined ? url : (env[variable] ?? '');
  if (!/^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : ''))
    throw new UserError(`--url ${url}: expected a URL that begins with https: or http:`);
  return { url: address, headers: Object.fromEntries(header.map((line) => readHeader(line, env))) };
}

/** Parses `Name: value`. `$NAME` in the value comes from the environment, because anyone can see arguments. */
function readHeader(line: string, env: Program['env']): readonly [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new UserError("--header: expected 'Name: value'; $NAME in the value comes from the environment");
  const filled = value.replaceAll(/\$(\w+)/g, (_, variable: string) => {
    const known = env[variable];
    if (known === undefined) throw new UserError(`--header ${name}: the variable $${variable} is not set`);
    return known;
  });
  return [name, filled];
}

/** Opens the store. By default, pins are stored next to the user's trust decisions. */
async function open(path: string | undefined, program: Program): Promise<Store> {
  return openStore(path ?? join(userDirectory(), 'mcp-pins.db'), program, true);
}
