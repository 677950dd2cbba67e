import { resolve } from 'node:path';
import { visible } from '@hooks/config';
import { MCP_CLIENTS, readMcpSettings, type StartWords, withStart } from '../installed/mcp-clients.ts';
import { writeText } from '../installed/settings.ts';
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

/** Puts `hooks mcp` before the command of one or all servers of a client. Shows the change first. */
export async function installMcp(
  name: string | undefined,
  options: McpInstallOptions,
  program: Program,
): Promise<number> {
  const policy = resolve(program.cwd(), options.policy ?? 'hooks.yaml');
  // Check the policy now, because a client says little about a server that does not start.
  const { [Symbol.asyncDispose]: dispose } = await openPolicy(policyOf(policy), program);
  await dispose();
  const [command = '', ...self] = program.self;
  return change(name, options, program, (start) =>
    originalOf(start) === undefined
      ? { command, args: [...self, 'mcp', '--policy', policy, '--', start.command, ...start.args] }
      : undefined,
  );
}

/** Removes it again. The original command is what follows `--`. */
export function uninstallMcp(
  name: string | undefined,
  options: McpInstallOptions,
  program: Program,
): Promise<number> {
  return change(name, options, program, originalOf);
}

/** The original command of a server behind `hooks mcp`; undefined if `hooks mcp` is not installed there. */
function originalOf({ args }: StartWords): StartWords | undefined {
  const at = args.indexOf('mcp');
  const isOurs = at > 0 && /(?:^|[\\/])(?:hooks\.cjs|hooks|main\.[jt]s)$/.test(args[at - 1] ?? '');
  const [command, ...rest] = args.slice(args.indexOf('--', at) + 1);
  return isOurs && args.indexOf('--', at) > 0 && command !== undefined ? { command, args: rest } : undefined;
}

async function change(
  name: string | undefined,
  options: McpInstallOptions,
  program: Program,
  replace: (start: StartWords) => StartWords | undefined,
): Promise<number> {
  const client = Object.hasOwn(MCP_CLIENTS, options.for) ? MCP_CLIENTS[options.for] : undefined;
  if (client === undefined)
    throw new UserError(`--for ${options.for}: expected one of: ${Object.keys(MCP_CLIENTS).join(', ')}`);
  const settings = await readMcpSettings(client, program, options.settings);
  const { path, servers, others } = settings;
  if (name !== undefined && !Object.hasOwn(servers, name))
    throw new UserError(
      `${path} has no server ${name} with a command; it has: ${Object.keys(servers).join(', ')}`,
    );
  const changes = Object.entries(servers).flatMap(([server, start]) => {
    const put = name === undefined || name === server ? replace(start) : undefined;
    return put === undefined ? [] : [{ server, start, put }];
  });
  program.stdout.write(`${path}\n`);
  for (const { server, start, put } of changes)
    program.stdout.write(`  ${visible(server)}\n  - ${wordsOf(start)}\n  + ${wordsOf(put)}\n`);
  for (const server of name === undefined ? others : [])
    program.stdout.write(`  ${visible(server)} has no command, so it stays unchanged\n`);
  if (changes.length === 0) {
    program.stdout.write('  nothing to change\n');
    return 0;
  }
  let { text } = settings;
  for (const { server, put } of changes) text = withStart({ ...settings, text }, server, put);
  if (!options.yes && !(await confirm()))
    throw new UserError('nothing has changed; without a terminal, give --yes');
  await writeText(path, text);
  program.stdout.write(`written; restart ${client.title}\n`);
  return 0;
}

function wordsOf({ command, args }: StartWords): string {
  return [command, ...args]
    .map((word) => (/^[\w./=@:+-]+$/.test(word) ? word : visible(JSON.stringify(word))))
    .join(' ');
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
