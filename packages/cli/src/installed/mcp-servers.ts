import type { McpClient, McpEntry } from './mcp-clients.ts';

/** The words that start `hooks mcp` with a policy. */
export type ProxyWords = readonly [command: string, ...args: string[]];

/** Fields that `hooks mcp` does not carry: it reaches a server with fixed headers. */
const SIGNS_IN = ['oauth', 'headersHelper', 'authProviderType', 'auth', 'env_http_headers'];

/**
 * The fields that put `hooks mcp` before a server. Returns undefined if it is there, and the reason if it cannot be.
 */
export function guarded(
  entry: McpEntry,
  client: McpClient,
  [command, ...words]: ProxyWords,
): McpEntry | string | undefined {
  if (originalOf(entry, client) !== undefined) return undefined;
  if (typeof entry['command'] === 'string')
    return { command, args: [...words, '--', entry['command'], ...listOf(entry['args'])] };
  const { http } = client;
  const url = entry[http.url];
  const isHttp = http.type === undefined || entry['type'] === http.type;
  if (typeof url !== 'string' || !isHttp) return 'has no command, and is not reached over HTTP';
  const [field] = SIGNS_IN.filter((name) => Object.hasOwn(entry, name));
  if (field !== undefined) return `has ${field}, which hooks mcp does not carry`;
  if (entry['args'] !== undefined) return 'has both an address and args';
  const headers = Object.entries(Object(entry[http.headers])).map(
    ([name, value], index) => [name, `${HEADER}${index + 1}`, value] as const,
  );
  const token = http.token && entry[http.token];
  const lines = [
    ...headers.map(([name, variable]) => `${name}: $${variable}`),
    ...(typeof token === 'string' ? [`Authorization: Bearer $${token}`] : []),
  ];
  const hidden = {
    ...(mayHaveSecret(url) && { [ADDRESS]: url }),
    ...Object.fromEntries(headers.map(([, variable, value]) => [variable, value])),
  };
  const address = mayHaveSecret(url) ? `$${ADDRESS}` : url;
  return {
    command,
    args: [...words, '--url', address, ...lines.flatMap((line) => ['--header', line])],
    ...(Object.keys(hidden).length > 0 && { env: { ...Object(entry['env']), ...hidden } }),
    ...(typeof token === 'string' && { env_vars: [token] }),
    ...removed(entry, [http.url, http.headers, ...(http.token ? [http.token] : []), 'type']),
  };
}

/** Anyone can see arguments, so the values of headers are in the environment. */
const HEADER = 'HOOKS_HEADER_';

/** An address with a password or a query, which often has a key, is in the environment, too. */
const ADDRESS = 'HOOKS_URL';

function mayHaveSecret(url: string): boolean {
  return /\/\/[^/]*@|\?/.test(url);
}

/** The original fields of a server behind `hooks mcp`; undefined if `hooks mcp` is not installed there. */
export function originalOf(entry: McpEntry, { http }: McpClient): McpEntry | undefined {
  const args = listOf(entry['args']);
  const at = args.indexOf('mcp');
  const isOurs = at > 0 && /(?:^|[\\/])(?:hooks\.cjs|hooks|main\.[jt]s)$/.test(args[at - 1] ?? '');
  if (!isOurs) return undefined;
  const end = args.indexOf('--', at);
  const [command, ...rest] = end === -1 ? [] : args.slice(end + 1);
  if (command !== undefined) return { command, args: rest };
  const address = args[args.indexOf('--url', at) + 1];
  if (!args.includes('--url', at) || address === undefined) return undefined;
  const env: McpEntry = Object(entry['env']);
  const url = address === `$${ADDRESS}` ? env[ADDRESS] : address;
  const own = Object.entries(env).filter(([name]) => name !== ADDRESS && !name.startsWith(HEADER));
  const headers: Record<string, unknown> = {};
  let token: string | undefined;
  for (const [index, line] of args.entries()) {
    const [, name = '', variable = ''] = /^(.+): (?:Bearer )?\$(\w+)$/.exec(line) ?? [];
    if (args[index - 1] !== '--header' || name === '') continue;
    if (variable.startsWith(HEADER)) headers[name] = env[variable];
    else token = variable;
  }
  return {
    ...(http.type !== undefined && { type: http.type }),
    [http.url]: url,
    ...(Object.keys(headers).length > 0 && { [http.headers]: headers }),
    ...(http.token !== undefined && token !== undefined && { [http.token]: token }),
    ...removed(entry, ['command', 'args', 'env', 'env_vars']),
    ...(own.length > 0 && { env: Object.fromEntries(own) }),
  };
}

/** What the user reads about an entry. Never the values of headers, nor what may be a key in an address. */
export function wordsIn(entry: McpEntry, { http }: McpClient): readonly string[] {
  if (typeof entry['command'] === 'string') return [entry['command'], ...listOf(entry['args'])];
  const url = String(entry[http.url])
    .replace(/(\/\/)[^/]*@/, '$1…@')
    .replace(/\?.*/s, '?…');
  return [url, ...Object.keys(Object(entry[http.headers])).map((name) => `${name}: …`)];
}

function removed(entry: McpEntry, names: readonly string[]): McpEntry {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(entry, name)).map((name) => [name, undefined]),
  );
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
