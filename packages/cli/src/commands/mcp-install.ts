import { isAbsolute, relative } from 'node:path';
import { visible } from '@hooks/config';
import {
  MCP_CLIENTS,
  type McpClient,
  type McpEntry,
  type McpPlace,
  type McpSettings,
  readMcpSettings,
  withFields,
} from '../installed/mcp-clients.ts';
import { guarded, originalOf, type ProxyWords, wordsIn } from '../installed/mcp-servers.ts';
import { writeText } from '../installed/settings.ts';
import { existing } from '../paths.ts';
import { type Program, UserError } from '../program.ts';
import { policyOf } from './mcp.ts';
import { openPolicy } from './run.ts';

/** Options of `mcp install` and `mcp uninstall`. */
export interface McpInstallOptions {
  readonly for: string;
  readonly policy?: string;
  readonly settings?: string;
  readonly yes?: boolean;
}

/** Puts `hooks mcp` before one or all servers of a client. Shows the change first. */
export async function installMcp(
  name: string | undefined,
  options: McpInstallOptions,
  program: Program,
): Promise<number> {
  const policy = existing(
    '--policy',
    options.policy ?? 'hooks.yaml',
    program,
    'a file of hooks, its directory, or a module; "hooks init" writes hooks.yaml',
  );
  // Check the policy now, because a client says little about a server that does not start.
  const { [Symbol.asyncDispose]: dispose } = await openPolicy(policyOf('--policy', policy, program), program);
  await dispose();
  const client = clientOf(options.for);
  const put: Replace = (entry, place) => guarded(entry, client, wordsFor(place, client, policy, program));
  return change(name, options, client, program, put, FOR_A_TEAM);
}

const FOR_A_TEAM =
  'You can commit this file. Everyone needs @hooks/cli in the project, and trusts the policy once. Until then, the servers do not start.\n';

/** Removes it again. The original entry is in the arguments and the environment. */
export function uninstallMcp(
  name: string | undefined,
  options: McpInstallOptions,
  program: Program,
): Promise<number> {
  const client = clientOf(options.for);
  return change(name, options, client, program, (entry) => originalOf(entry, client));
}

/**
 * The words that start `hooks mcp`. A file that a team shares has none of this machine's paths: `npx` finds the project's own
 * `hooks`, and where there is none, the server does not start.
 */
function wordsFor(
  { project }: McpPlace,
  { projectWord = '' }: McpClient,
  policy: string,
  { self: [command = '', ...self] }: Program,
): ProxyWords {
  if (project === undefined) return [command, ...self, 'mcp', '--policy', policy];
  const inside = relative(project, policy);
  if (inside.startsWith('..') || isAbsolute(inside))
    throw new UserError(
      `${policy} is outside of ${project}, whose team shares this file, so other machines may not have it; name a policy in the project`,
    );
  const path = `${projectWord}${inside}`;
  return ['npx', '--no-install', 'hooks', 'mcp', '--policy', path];
}

function clientOf(name: string): McpClient {
  const client = Object.hasOwn(MCP_CLIENTS, name) ? MCP_CLIENTS[name] : undefined;
  if (client) return client;
  throw new UserError(`--for: expected one of: ${Object.keys(MCP_CLIENTS).join(', ')}`);
}

type Replace = (entry: McpEntry, place: McpPlace) => McpEntry | string | undefined;

async function change(
  name: string | undefined,
  options: McpInstallOptions,
  client: McpClient,
  program: Program,
  replace: Replace,
  forTeam = '',
): Promise<number> {
  const all = readMcpSettings(client, program, options.settings);
  const names = all.flatMap(({ servers }) => Object.keys(servers));
  if (name !== undefined && !names.includes(name))
    throw new UserError(
      `[server]: no such server in ${all.map(({ path }) => path).join(', ')}; there is: ${names.join(', ')}`,
    );
  // Two places may be in one file.
  const texts = new Map<string, string>();
  let isShared = false;
  for (const settings of all) {
    const { path, text } = settings;
    const changed = changeIn({ ...settings, text: texts.get(path) ?? text }, name, client, program, replace);
    if (changed === undefined) continue;
    texts.set(path, changed);
    isShared ||= settings.project !== undefined;
  }
  if (texts.size === 0) {
    program.stdout.write('  nothing to change\n');
    return 0;
  }
  if (!options.yes && !(await confirm()))
    throw new UserError('nothing has changed; without a terminal, give --yes');
  for (const [path, text] of texts) await writeText(path, text);
  program.stdout.write(`written; restart ${client.title}\n`);
  if (isShared) program.stdout.write(forTeam);
  return 0;
}

/** Shows the change of one file. Returns its new text, if there is one. */
function changeIn(
  settings: McpSettings,
  name: string | undefined,
  client: McpClient,
  program: Program,
  replace: Replace,
): string | undefined {
  const servers = Object.entries(settings.servers).filter(([one]) => name === undefined || one === name);
  if (servers.length === 0) return undefined;
  program.stdout.write(`${settings.path}\n`);
  let { text } = settings;
  for (const [server, entry] of servers) {
    const put = replace(Object(entry), settings);
    if (typeof put === 'string') program.stdout.write(`  ${visible(server)} ${put}, so it stays unchanged\n`);
    if (typeof put !== 'object') continue;
    text = withFields({ ...settings, text }, server, put);
    const lines = [Object(entry), put].map((one) => wordsIn(one, client).map(quoted).join(' '));
    program.stdout.write(`  ${visible(server)}\n  - ${lines[0]}\n  + ${lines[1]}\n`);
  }
  return text === settings.text ? undefined : text;
}

function quoted(word: string): string {
  return /^[\w./=@:+-]+$/.test(word) ? word : visible(JSON.stringify(word));
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question('Write this? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
}
