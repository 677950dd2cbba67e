import type { ToolEvent } from '@hooks/core';
import {
  destroys,
  isClosed,
  isIgnored,
  type KnownTools,
  reachesNobody,
  readsOnly,
  runs,
} from './defaults.ts';
import { type Leaf, leavesOf, within } from './leaves.ts';
import { isMutation, requestOf } from './request.ts';
import { InputSchema } from './schema.ts';
import { type Demand, type Demands, MOST_VALUES } from './sinks.ts';
import { datesOf } from './values/dates.ts';
import { UNSPACED } from './values/text.ts';
import { type Value, valuesIn, valuesOf } from './values/value.ts';
import { wordsOf } from './words.ts';

/**
 * What a call demands where no sinks are named. Of a tool that does not only read, each short value has to stand in the user's
 * words, and of longer texts the values that stand in them. The names of arguments do not matter. What the tool's schema lists
 * itself is no choice of others.
 *
 * A tool that only reads may follow links as they stand in what was read. A URL that nobody wrote may carry data out, so a person
 * is asked about it, and about all that stands beside a URL.
 */
export async function defaultDemands(call: ToolEvent, known: KnownTools): Promise<Demands> {
  const mayRead = readsOnly(call, known);
  if (reachesNobody(call) || (mayRead && isClosed(call, known))) return { values: [], untouched: false };
  // Some schemas cannot be written as JSON Schema.
  const schema = await InputSchema.of(call).catch(() => new InputSchema(undefined));
  const isFree = (path: string): boolean => isIgnored(call, known, path);
  const leavesBy = (isName: (field: string) => boolean): readonly Leaf[] =>
    [...leavesOf(call.input, '', isName)].filter(
      ({ path, value, isField }) => !isFree(isField ? within(path, String(value)) : path),
    );
  // What a request sends may have fields of any name.
  const request = mayRead
    ? requestOf(
        call,
        leavesBy(() => false),
        schema,
        isFree,
      )
    : undefined;
  if (request !== undefined) return { ...request, untouched: false };
  // Where a schema leaves names open, they may be those of users.
  const leaves = leavesBy((field) =>
    schema.hasNames ? schema.hasName(field) : /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(field),
  );
  const isDestructive = call.tool?.annotations?.destructiveHint === true || destroys(call.toolName);
  const isCommand = runs(call.toolName) || (mayRead && leaves.some(isMutation));
  const values = writtenValues(leaves, schema, { isDestructive, isCommand });
  // Nothing says what is taken away, so the choice is all there is.
  return { values, untouched: isDestructive && values.length === 0 };
}

interface Tool {
  readonly isDestructive: boolean;
  /** What it is given is run, however long it is. */
  readonly isCommand: boolean;
}

function writtenValues(
  leaves: readonly Leaf[],
  schema: InputSchema,
  { isDestructive, isCommand }: Tool,
): readonly Demand[] {
  const texts: Demand[] = [];
  const names: Demand[] = [];
  const measures: Demand[] = [];
  const isDemanded = ({ path, value }: Leaf): boolean =>
    // What is switched on or off is no value of somebody.
    typeof value !== 'boolean' && schema.choices(path, value) === undefined;
  const demanded = leaves.filter(isDemanded);
  // Beside a command, nobody runs what describes it.
  const hasCommand =
    isCommand && demanded.some(({ path, value }) => !describes(path) && typeof value === 'string');
  for (const { path: argument, value } of demanded) {
    const isText = hasCommand && describes(argument);
    const short = isText ? undefined : isCommand ? valuesOf(value) : shortValuesOf(value);
    const values = short ?? valuesIn(String(value));
    if (values.length === 0) continue;
    if (short === undefined) texts.push({ argument, values });
    else
      (isMeasure(value, argument, schema.types(argument)) ? measures : names).push({
        argument,
        values,
        enough: isCommand || isDestructive ? 'anyCase' : 'phrase',
      });
  }
  // A model computes amounts and dates, but of `close({ number: 7 })` nothing else says what it acts on.
  const isMeasured = isDestructive || names.length === 0;
  return [...names, ...(isMeasured ? measures : []), ...texts];
}

/** Whether an argument says in words what a call does. */
function describes(argument: string): boolean {
  return ['description', 'explanation', 'justification'].includes(argument);
}

/**
 * Whether a value measures something, and names nothing: a number that is no `integer` of the schema nor called an id, a date, or a
 * time.
 */
function isMeasure(value: unknown, argument: string, types: readonly unknown[]): boolean {
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || isDuration(wordsOf(argument))) return true;
    return types.includes('number') && !types.includes('integer') && !IDS.has(wordsOf(argument).at(-1) ?? '');
  }
  if (typeof value !== 'string') return value instanceof Date;
  const text = value.trim();
  return /^\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?$/i.test(text) || datesOf(text, new Date()).length > 0;
}

/** Whether a name is that of a timeout: `timeout`, `timeout_ms`. Not `timeout_user_id`. */
function isDuration(words: readonly string[]): boolean {
  return words.includes('timeout') && UNITS.has(words.at(-1) ?? '');
}

const UNITS = new Set(
  'timeout ms millis milliseconds s sec secs seconds m min mins minutes h hours'.split(' '),
);

/** Last words of the names of arguments that are ids: many schemas call all numbers `number`. */
const IDS = new Set('id ids number no nr ref code account'.split(' '));

/** The values of a text that is one, or a list of some. Undefined where it is free text. */
function shortValuesOf(value: unknown): readonly Value[] | undefined {
  const values = valuesOf(value);
  const [only] = values;
  if (typeof value !== 'string' || values.length !== 1 || only?.kind !== 'text') return values;
  const { text } = only;
  if (!isFreeText(text)) return values;
  const entries = entriesOf(value);
  const isList = entries.length > 1 && entries.every((entry) => wordCount(entry) <= MOST_WORDS_IN_LIST);
  // Of more, each call is asked about.
  if (isList) return entries.slice(0, MOST_VALUES + 1).flatMap(valuesOf);
  return isNames(text) ? values : undefined;
}

/** What stands between signs and line breaks, as the entries of a list do. Code and data have none. */
function entriesOf(text: string): readonly string[] {
  const inner = text.trim().replace(/^[[({](.*)[\])}]$/s, '$1');
  if (/[{}[\]<>=`]|[\p{L}\p{N}_]\(/u.test(inner)) return [];
  return inner
    .replace(/[^\p{L}\p{M}\p{N}]{2,}|[,;|\t\n\v\f\r\x85\u2028\u2029]/gu, (run) =>
      isBetweenEntries(run) ? '\n' : run,
    )
    .split('\n')
    .filter((entry) => /[\p{L}\p{N}]/u.test(entry));
}

/** Whether signs are what is between the entries of a list, or the ends of short sentences. Quotation marks have a space on one side only. */
function isBetweenEntries(signs: string): boolean {
  if (/[,;|\t\n\v\f\r\x85\u2028\u2029]|[\p{Pf}"']\s+[\p{Pi}"']/u.test(signs)) return true;
  return /\s/.test(signs) && /[^\s\p{Pi}\p{Pf}"']/u.test(signs);
}

/**
 * Whether a text is to be read by people, as far as the number of its words says. A path is none, nor a key or a certificate: most
 * of it are words that nobody reads.
 */
function isFreeText(text: string): boolean {
  if (PATH.test(text)) return false;
  const unread = text.replace(/[a-z]+:\/\/\S+/gi, '').match(/[\w+/=.~-]{40,}/g) ?? [];
  const isUnread = unread.reduce((sum, { length }) => sum + length, 0) > text.length / 2;
  return !isUnread && wordCount(text) > MOST_WORDS;
}

/** Whether most words of a text are names or ids: they have a capital, a digit or a sign. Not of code or data. */
function isNames(text: string): boolean {
  if (/[{}[\]<>=`]/.test(text)) return false;
  const words = text.split(/(?:(?![@_#'’.-])[\s\p{P}])+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const names = words.filter((word) => /[\p{Lu}\d@_#+-]/u.test(word) && !/^-?\d+\.\d+$/.test(word));
  return names.length > words.length / 2;
}

/** A text of one line that begins as a path, not as a comment of code, or one that leads out of a folder. */
const PATH = /^(?:(?:~|\.{1,2})?[\\/](?![/*\s])|[a-z]:[\\/])[^\n]*$|[^\s./\\][\\/]\.\.[\\/]/i;
/** Longer texts have their words between signs, too, as code and data do. */
const LONGEST_VALUE = 200;
const MOST_WORDS = 5;
const MOST_WORDS_IN_LIST = 3;

/** How many words a text has. Two letters of a script that is written without spaces count as one. */
function wordCount(text: string): number {
  const unspaced = text.match(new RegExp(UNSPACED, 'gu'))?.length ?? 0;
  const between = text.length > LONGEST_VALUE ? /[\s,;:|(){}[\]<>"'`]+/ : /\s+/;
  return text.trim().split(between).length + Math.floor(unspaced / 2);
}
