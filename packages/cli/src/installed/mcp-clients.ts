import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readText } from '@hooks/config/protocol';
import { applyEdits, modify, type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { type Program, UserError } from '../program.ts';

/** A client that starts MCP servers, and the location of its entries. */
export interface McpClient {
  readonly title: string;
  /** The file, relative to the project or, with `home`, to the user's home. */
  readonly file: string;
  readonly home?: true;
  /** The environment variable for another folder. */
  readonly homeVariable?: string;
  /** The field with the servers. */
  readonly field: string;
}

/** The clients by the name that `--for` takes. */
export const MCP_CLIENTS: Readonly<Record<string, McpClient>> = {
  'claude-code': { title: 'Claude Code', file: '.mcp.json', field: 'mcpServers' },
  codex: {
    title: 'Codex',
    file: '.codex/config.toml',
    home: true,
    homeVariable: 'CODEX_HOME',
    field: 'mcp_servers',
  },
  gemini: { title: 'Gemini CLI', file: '.gemini/settings.json', home: true, field: 'mcpServers' },
  vscode: { title: 'VS Code', file: '.vscode/mcp.json', field: 'servers' },
};

/** The command line with which a client starts a server. */
export interface StartWords {
  readonly command: string;
  readonly args: readonly string[];
}

/** A client's file, and its servers with a command. */
export interface McpSettings {
  readonly path: string;
  readonly text: string;
  readonly field: string;
  readonly servers: Readonly<Record<string, StartWords>>;
  /** The servers without a command. */
  readonly others: readonly string[];
}

/** Reads a client's file. */
export async function readMcpSettings(
  { file, home, homeVariable, field }: McpClient,
  program: Program,
  given?: string,
): Promise<McpSettings> {
  const own = homeVariable && program.env[homeVariable];
  const folder = home ? (program.env['HOME'] ?? homedir()) : program.cwd();
  const usual = own ? join(own, basename(file)) : join(folder, file);
  const path = resolve(program.cwd(), given ?? usual);
  if (!existsSync(path)) throw new UserError(`${path} does not exist; name the file with --settings`);
  const text = readText(path);
  const servers: Record<string, StartWords> = {};
  const others: string[] = [];
  for (const [name, entry] of Object.entries(Object(parse(path, text)[field]))) {
    const { command, args = [] } = Object(entry);
    if (typeof command === 'string' && Array.isArray(args))
      servers[name] = { command, args: args.map(String) };
    else others.push(name);
  }
  return { path, text, field, servers, others };
}

function parse(path: string, text: string): Record<string, unknown> {
  if (path.endsWith('.toml')) {
    try {
      return parseToml(text);
    } catch {
      throw new UserError(`${path} is not TOML, so it stays unchanged`);
    }
  }
  const errors: ParseError[] = [];
  const parsed: unknown = parseJson(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new UserError(`${path} is not JSON, so it stays unchanged`);
  return Object(parsed);
}

/**
 * Replaces the command line of a server in the text. Everything else stays, including comments.
 *
 * @throws UserError if the file cannot be changed safely
 */
export function withStart({ path, text, field }: McpSettings, name: string, start: StartWords): string {
  const changed = path.endsWith('.toml')
    ? changeToml(text, field, name, start)
    : changeJson(text, [field, name], start);
  const expected = plain(parse(path, text));
  Object.assign(Object(Object(expected[field])[name]), start);
  if (isDeepStrictEqual(plain(parse(path, changed)), expected)) return changed;
  throw new UserError(
    `${path}: the entry of ${name} cannot be changed safely; set its command to ${JSON.stringify(start.command)} and its args to ${JSON.stringify(start.args)}`,
  );
}

/** Converts to plain objects, because the two parsers create different kinds. */
function plain(parsed: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(parsed));
}

function changeJson(text: string, place: readonly string[], { command, args }: StartWords): string {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length };
  return Object.entries({ command, args }).reduce(
    (before, [key, value]) =>
      applyEdits(before, modify(before, [...place, key], value, { formattingOptions })),
    text,
  );
}

/** Replaces the two lines in the server's table. The comparison afterwards detects files with another layout. */
function changeToml(text: string, field: string, name: string, { command, args }: StartWords): string {
  const quoted = name.replace(/\W/g, '\\$&');
  const header = new RegExp(
    String.raw`^\[\s*${field}\s*\.\s*(?:${quoted}|"${quoted}"|'${quoted}')\s*\][^\n]*\n`,
    'm',
  );
  const found = header.exec(text);
  if (found === null) return text;
  const start = found.index + found[0].length;
  const next = text.slice(start).search(/^\[/m);
  const end = next === -1 ? text.length : start + next;
  const kept = text
    .slice(start, end)
    .replace(/^command[ \t]*=[^\n]*(?:\n|$)/m, '')
    .replace(/^args[ \t]*=[ \t]*\[[^\]]*\][^\n]*(?:\n|$)/m, '');
  // JSON strings are valid TOML strings.
  const lines = `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  return text.slice(0, start) + lines + kept + text.slice(end);
}
