import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readText } from '@hooks/config/protocol';
import { applyEdits, modify, type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { agentFolder, homeOf } from '../folders.ts';
import { whereIs } from '../paths.ts';
import { type Program, UserError } from '../program.ts';
import { checkoutOf } from './checkout.ts';
import { geminiFolder } from './gemini-trust.ts';

/** A client that starts MCP servers, and the location of its entries. */
export interface McpClient {
  readonly title: string;
  /** The usual files. */
  readonly places: (program: Program) => readonly McpPlace[];
  /** The field with the servers in a file that the user names. */
  readonly field: string;
  /** Its fields of a server that it reaches over HTTP. */
  readonly http: HttpFields;
  /** Its word for the project in a file that a team shares. Default: it starts servers there. */
  readonly projectWord?: string;
}

/** A file with servers. */
export interface McpPlace {
  readonly path: string;
  /** The way to the servers. */
  readonly field: readonly string[];
  /** The project whose team shares the file. */
  readonly project?: string;
}

/** Where the entry of a server over HTTP has its address. */
interface HttpFields {
  readonly url: string;
  readonly headers: string;
  /** The name of an environment variable with a token. */
  readonly token?: string;
  /** The value of `type` that means HTTP, not its predecessor SSE. */
  readonly type?: string;
}

const typed: HttpFields = { url: 'url', headers: 'headers', type: 'http' };

/** The clients by the name that `--for` takes. */
export const MCP_CLIENTS: Readonly<Record<string, McpClient>> = {
  'claude-code': {
    title: 'Claude Code',
    field: 'mcpServers',
    http: typed,
    places: (program) => {
      const cwd = program.cwd();
      const own = join(program.env['CLAUDE_CONFIG_DIR'] || homeOf(program), '.claude.json');
      const { root = cwd, main = cwd } = checkoutOf(cwd) ?? {};
      return [
        { path: join(cwd, '.mcp.json'), field: ['mcpServers'], project: cwd },
        // Of `claude mcp add`: for this project, and with `--scope user`.
        ...[...new Set([cwd, root, main])].map((folder) => ({
          path: own,
          field: ['projects', folder, 'mcpServers'],
        })),
        { path: own, field: ['mcpServers'] },
      ];
    },
  },
  codex: {
    title: 'Codex',
    field: 'mcp_servers',
    http: { url: 'url', headers: 'http_headers', token: 'bearer_token_env_var' },
    places: (program) => [
      { path: join(agentFolder(program, 'CODEX_HOME', '.codex'), 'config.toml'), field: ['mcp_servers'] },
    ],
  },
  gemini: {
    title: 'Gemini CLI',
    field: 'mcpServers',
    http: { url: 'httpUrl', headers: 'headers' },
    places: (program) => [{ path: join(geminiFolder(program), 'settings.json'), field: ['mcpServers'] }],
  },
  vscode: {
    title: 'VS Code',
    field: 'servers',
    http: typed,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it
    projectWord: '${workspaceFolder}/',
    places: (program) => [
      { path: join(program.cwd(), '.vscode/mcp.json'), field: ['servers'], project: program.cwd() },
    ],
  },
};

/** A client's entry of a server. */
export type McpEntry = Readonly<Record<string, unknown>>;

/** A client's file, and its servers. */
export interface McpSettings extends McpPlace {
  readonly text: string;
  readonly servers: Readonly<Record<string, McpEntry>>;
}

/** Reads the existing files of a client, or the one that the user names. */
export function readMcpSettings(client: McpClient, program: Program, given?: string): readonly McpSettings[] {
  const places = given === undefined ? client.places(program) : [placeAt(given, client, program)];
  const existing = places.filter(({ path }) => existsSync(path));
  if (existing.length === 0)
    throw new UserError(
      given === undefined
        ? `${places[0]?.path} does not exist; name the file with --settings`
        : `--settings: there is no such file ${whereIs(resolve(program.cwd(), given))}; expected the settings of ${client.title}`,
    );
  return existing.map((place) => {
    const text = readText(place.path);
    const servers: unknown = Object(valueAt(parse(place.path, text), place.field));
    if (Array.isArray(servers))
      throw new UserError(`${place.path}: ${place.field.join('.')} is a list; expected an object of servers`);
    return { ...place, text, servers: Object(servers) };
  });
}

/** A file that the user names is shared by a team if it is `.mcp.json`, or in a folder of settings (`.gemini`) of a project. */
function placeAt(given: string, client: McpClient, program: Program): McpPlace {
  const path = resolve(program.cwd(), given);
  const place = { path, field: [client.field] };
  const isOwn = client.places(program).some((usual) => usual.path === path && usual.project === undefined);
  if (isOwn) return place;
  const folder = dirname(path);
  if (basename(path) === '.mcp.json') return { ...place, project: folder };
  const isShared = basename(folder).startsWith('.') && dirname(folder) !== homeOf(program);
  return isShared ? { ...place, project: dirname(folder) } : place;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => Object(found)[key], value);
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
 * Sets fields of a server in the text, and removes those that are undefined. Everything else stays, including comments.
 *
 * @throws UserError if the file cannot be changed safely
 */
export function withFields(
  { path, text, field }: Pick<McpSettings, 'path' | 'text' | 'field'>,
  name: string,
  fields: McpEntry,
): string {
  const changed = path.endsWith('.toml')
    ? changeToml(text, field, name, fields)
    : changeJson(text, [...field, name], fields);
  const expected = parse(path, text);
  Object.assign(Object(valueAt(expected, [...field, name])), fields);
  if (isDeepStrictEqual(plain(parse(path, changed)), plain(expected))) return changed;
  throw new UserError(
    `${path}: the entry of ${name} cannot be changed safely; give it a table of its own, [${[...field, name].join('.')}], and try again`,
  );
}

/** Converts to plain objects, because the two parsers create different kinds. */
function plain(parsed: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(parsed));
}

function changeJson(text: string, place: readonly string[], fields: McpEntry): string {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length };
  return Object.entries(fields).reduce(
    (before, [key, value]) =>
      applyEdits(before, modify(before, [...place, key], value, { formattingOptions })),
    text,
  );
}

/** Replaces the lines in the server's table. The comparison afterwards detects files with another layout. */
function changeToml(text: string, field: readonly string[], name: string, fields: McpEntry): string {
  const quoted = name.replace(/\W/g, '\\$&');
  const header = new RegExp(
    String.raw`^\[\s*${field.join('.')}\s*\.\s*(?:${quoted}|"${quoted}"|'${quoted}')\s*\][^\n]*\n`,
    'm',
  );
  const found = header.exec(text);
  if (found === null) return text;
  const start = found.index + found[0].length;
  const next = text.slice(start).search(/^\[/m);
  const end = next === -1 ? text.length : start + next;
  const kept = Object.keys(fields).reduce(
    (lines, key) =>
      lines
        .replace(new RegExp(String.raw`^${key}[ \t]*=[ \t]*\[[^\]]*\][^\n]*(?:\n|$)`, 'm'), '')
        .replace(new RegExp(String.raw`^${key}[ \t]*=[^\n]*(?:\n|$)`, 'm'), ''),
    text.slice(start, end),
  );
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} = ${asToml(value)}\n`);
  return text.slice(0, start) + lines.join('') + kept + text.slice(end);
}

/** JSON strings and lists are valid TOML. */
function asToml(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)} = ${JSON.stringify(one)}`);
  return `{ ${pairs.join(', ')} }`;
}
