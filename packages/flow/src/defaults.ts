import type { ToolEvent } from '@hooks/core';
import { PINNED_TOOLS } from '@hooks/core/tool-call';
import { wordsOf } from './words.ts';

/** Words with which the names of tools begin that only read. */
const READS = new Set(
  'get read list search find fetch lookup show view describe inspect browse retrieve count grep glob ls'.split(
    ' ',
  ),
);

/** Words that say that a tool does more, wherever they stand: `get_or_create`, `find_and_replace`. */
const WRITES = new Set(
  `create update write set add post send save replace insert upload pay transfer move rename edit run exec execute put patch
  push publish submit invite share book reserve order buy sell schedule apply commit
  forward notify reply deploy launch trigger dispatch register subscribe grant approve enable assign refund withdraw deposit
  mv cp lock unlock`.split(/\s+/),
);

/** Words that are verbs behind `and`, and what is read elsewhere: `list_and_email`, but `list_email`. */
const NOUNS = new Set(
  'email mail message log copy call text report sync import export charge print'.split(' '),
);

/** Words of tools that take something away, or cannot be undone. */
const DESTROYS = new Set(
  `delete remove cancel merge drop destroy wipe purge erase clear reset revoke terminate close archive uninstall kill
  unsubscribe deactivate disable truncate rm del unlink`.split(/\s+/),
);

/** What is known of tools beyond what they say of themselves. Has no effect where `sinks` name the tools. */
export interface KnownTools {
  /** MCP servers whose annotations count, by the names that the program gives them. */
  readonly trustedServers?: readonly string[];
  /** Names of tools that only read, whatever their names or annotations say. */
  readonly knownReadOnly?: readonly string[];
  /** Arguments, by names of tools, that reach nobody: `{ scrape: ['selector'] }`. Nothing is asked about their values. */
  readonly ignore?: { readonly [tool: string]: readonly string[] };
}

/**
 * What Claude Code's own tools give to a model, and to its provider's search engine: no server that a page names gets it. Its
 * adapter and `hooks run` say of these tools that they are the framework's.
 */
const OF_CLAUDE_CODE: { readonly [tool: string]: readonly string[] } = {
  WebFetch: ['prompt'],
  WebSearch: ['query', 'allowed_domains', 'blocked_domains'],
};

/** Whether an argument, or one that it is a field of, reaches nobody: the program says so, or knows it of the agent's own tool. */
export function isIgnored({ tool, toolName }: ToolEvent, { ignore = {} }: KnownTools, path: string): boolean {
  const lists = tool?.kind === 'framework' ? [ignore, OF_CLAUDE_CODE] : [ignore];
  const names = lists.flatMap((list) => (Object.hasOwn(list, toolName) ? (list[toolName] ?? []) : []));
  return names.some((name) => name === '*' || path === name || path.startsWith(`${name}.`));
}

/**
 * Whether a tool only reads: it is known to, says so and is trusted to, or its name says so. The annotations of an MCP
 * server count where you trust the server, or where `pinTools` keeps the tool as you have seen it.
 */
export function readsOnly(call: ToolEvent, known: KnownTools): boolean {
  if (known.knownReadOnly?.includes(call.toolName)) return true;
  return annotationsOf(call, known)?.readOnlyHint ?? looksReadOnly(call.toolName);
}

/** Whether a tool reaches nothing that others write, as far as its annotations count. */
export function isClosed(call: ToolEvent, known: KnownTools): boolean {
  return annotationsOf(call, known)?.openWorldHint === false;
}

/** Whether a tool of the agent's own reaches nobody but the user: it keeps what the agent means to do, or asks the user. */
export function reachesNobody({ tool, toolName }: ToolEvent): boolean {
  return tool?.kind !== 'mcp' && OWN.test(toolName);
}

const OWN = /^(?:todo_?write|write_?todos|ask_?user(?:_?question)?|exit_?plan_?mode)$/i;

function annotationsOf({ tool, toolName, session }: ToolEvent, { trustedServers = [] }: KnownTools) {
  const isTrusted =
    tool?.kind !== 'mcp' ||
    (tool.server !== undefined && trustedServers.includes(tool.server)) ||
    (session.get(PINNED_TOOLS)?.has(toolName) ?? false);
  return isTrusted ? tool?.annotations : undefined;
}

/** Whether a tool only reads, by its name. */
export function looksReadOnly(toolName: string): boolean {
  const words = wordsOf(toolName);
  const isWriting = (word: string, nth: number): boolean => {
    if (isWritingVerb(word)) return true;
    if (!JOINS.has(words[nth - 1] ?? '')) return false;
    // `get_and_x`: after a verb comes a verb.
    return NOUNS.has(word) || (nth === 2 && !READS.has(word));
  };
  const last = words.at(-1) ?? '';
  // `web_search`. Other verbs are nouns at the end, too: `email_list`.
  const endsReading = LOOKS.has(last) || (last === 'fetch' && WEB.has(words.at(-2) ?? ''));
  const isReading = READS.has(words[0] ?? '') || (endsReading && !NOUNS.has(words[0] ?? ''));
  return isReading && !words.some(isWriting);
}

/** Words with which the names of tools end that only read. */
const LOOKS = new Set(['search', 'lookup']);
/** What is fetched without more ado. `git_fetch` may run a command of its remote. */
const WEB = new Set('web http url page'.split(' '));

/** Whether a tool opens pages, by its name: what looks like a file may be a host there. */
export function opensPages(toolName: string): boolean {
  return wordsOf(toolName).some((word) => WEB.has(word) || OPENS.has(word));
}

const OPENS = new Set('fetch webpage site website browse browser crawl scrape curl download'.split(' '));

/** Whether a tool looks for a text, by its name: it opens no host that it is given as one. */
export function searches(toolName: string): boolean {
  return wordsOf(toolName).some((word) => SEARCHES.has(word));
}

const SEARCHES = new Set(['search', 'find', 'grep', 'glob']);

/** Whether a word says that something is changed. */
export function isWritingVerb(word: string): boolean {
  return WRITES.has(word) || DESTROYS.has(word);
}

const JOINS = new Set(['and', 'or', 'then']);

/** Whether a tool takes something away, by its name. */
export function destroys(toolName: string): boolean {
  return wordsOf(toolName).some((word) => DESTROYS.has(word));
}

/** Whether a tool runs what it is given, by its name: its `query` is a command, and not what to look for. */
export function runs(toolName: string): boolean {
  return wordsOf(toolName).some((word) => RUNS.has(word));
}

const RUNS = new Set(
  'run exec execute eval evaluate sql graphql bash sh zsh shell terminal console powershell pwsh cmd command script python repl interpreter ssh spawn'.split(
    ' ',
  ),
);
