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

/** Names of arguments that say where something goes, or what is acted on. */
const CONSEQUENTIAL = new Set(
  `to cc bcc recipient recipients receiver receivers addressee address addresses email emails mail phone mobile iban bic swift
  account accounts payee beneficiary wallet destination target targets user users username usernames member members
  participant participants attendee attendees guest guests invitee invitees assignee assignees owner collaborator
  collaborators reviewer reviewers person people customer client vendor supplier merchant creditor debtor seller buyer peer
  login nick nickname routing card invoice chat conversation thread space workspace queue channel channels room group groups team audience contact contacts
  url urls uri link links href host hostname domain endpoint webhook callback site website server
  path paths file files filename filepath folder directory dir source dest src repo repository branch bucket
  command commands cmd script code sql statement args argv shell exec attachment attachments password id ids uuid issue pr pull ticket order key keys handle slug
  package packages dependency dependencies requirement requirements remote cluster namespace database db table project service
  workflow pipeline device instance container app
  sender organizer msisdn upi vpa clabe aba bsb proxy nameserver org organization organisation tenant plugin module transaction
  reservation subscription
  whom delegate approver subscriber follower friend employee manager tel telephone fax ip sha commit outfile cwd workdir redirect cmdline`.split(
    /\s+/,
  ),
);

/** Words at the end of a name that say nothing of what it is: `user_name`, `account_number`, `email_list`, `accountNo`. */
const FORMS = new Set(
  'name names number numbers list value string no nr num ref reference holder'.split(' '),
);

const NUMBERS = new Set('number numbers no nr num ref reference'.split(' '));

/** What is known of tools beyond what they say of themselves. Has no effect where `sinks` name the tools. */
export interface KnownTools {
  /** MCP servers whose annotations count, by the names that the program gives them. */
  readonly trustedServers?: readonly string[];
  /** Names of tools that only read, whatever their names or annotations say. */
  readonly knownReadOnly?: readonly string[];
}

/**
 * Whether a tool only reads: it is known to, says so and is trusted to, or its name says so. The annotations of an MCP
 * server count where you trust the server, or where `pinTools` keeps the tool as you have seen it.
 */
export function readsOnly(call: ToolEvent, { trustedServers = [], knownReadOnly = [] }: KnownTools): boolean {
  const { tool, toolName, session } = call;
  if (knownReadOnly.includes(toolName)) return true;
  const isTrusted =
    tool?.kind !== 'mcp' ||
    (tool.server !== undefined && trustedServers.includes(tool.server)) ||
    (session.get(PINNED_TOOLS)?.has(toolName) ?? false);
  const hint = isTrusted ? tool?.annotations?.readOnlyHint : undefined;
  return hint ?? looksReadOnly(toolName);
}

/** Whether a tool only reads, by its name. */
export function looksReadOnly(toolName: string): boolean {
  const words = wordsOf(toolName);
  const isWriting = (word: string, nth: number): boolean => {
    if (WRITES.has(word) || DESTROYS.has(word)) return true;
    if (!JOINS.has(words[nth - 1] ?? '')) return false;
    // `get_and_x`: after a verb comes a verb.
    return NOUNS.has(word) || (nth === 2 && !READS.has(word));
  };
  return READS.has(words[0] ?? '') && !words.some(isWriting);
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

const RUNS = new Set('run exec execute eval evaluate sql'.split(' '));

/** Whether an argument of a tool that runs what it is given is what it runs, by its name: `sqlQuery`, `code_block`. */
export function isCommand(field: string): boolean {
  const last = wordsOf(field).findLast((word) => !COMMAND_FORMS.has(word)) ?? '';
  return COMMANDS.has(last) || CONSEQUENTIAL.has(last);
}

const COMMANDS = new Set('query queries expression program function javascript python bash input'.split(' '));
const COMMAND_FORMS = new Set('line text string content body block'.split(' '));

/** Whether an argument says where something goes or what is acted on, by its name. */
export function isConsequential(field: string): boolean {
  // `to1`, `recipient_2`.
  const words = wordsOf(field).map((word) => word.replace(/\d+$/, ''));
  const last = words.findLast((word) => word !== '' && !FORMS.has(word));
  // `number` alone is that of a telephone, or of an issue.
  if (last === undefined) return words.some((word) => NUMBERS.has(word));
  return CONSEQUENTIAL.has(last) || CONSEQUENTIAL.has(last.replace(/s$/, ''));
}
