import type * as z from 'zod';
import { DIALECTS } from '../dialects/all.ts';
import type { Dialect, WireEvent } from '../dialects/dialect.ts';
import { isEverything } from '../dialects/matcher.ts';
import type { HookEntry } from '../entry.ts';
import { messageOf } from '../error-message.ts';
import { TOKENS } from '../provider/tokens.ts';
import type { Path } from './document.ts';
import { type HookType, readHook, refuseIgnored } from './hook.ts';
import type { FileReader } from './reader.ts';
import { closest, distanceTo, suggest } from './suggest.ts';

/** The structure of a dialect's files, which list hooks by event. */
export interface FileFormat {
  readonly dialect: Dialect;
  readonly types: Readonly<Record<string, HookType>>;
  /** A group of hooks with a matcher. Not set: each hook has its own `matcher`. */
  readonly group?: z.ZodType<HookGroup>;
  /** A hook stands in a group. The original program skips one that does not. */
  readonly needsGroups?: boolean;
  /** An event may have a single hook or group instead of a list. */
  readonly takesOneAlone?: boolean;
  /** The type of a hook without one. Not set: the type is required. */
  readonly defaultType?: string;
  /** Unknown events are ignored instead of reported as errors. */
  readonly ignoresUnknownEvents: boolean;
}

/** Hooks with a common matcher. */
interface HookGroup {
  readonly matcher?: string | undefined;
  readonly agents?: readonly string[] | undefined;
  readonly except_agents?: readonly string[] | undefined;
  readonly sequential?: boolean | undefined;
  readonly preempt_yolo?: boolean | undefined;
  readonly hooks: readonly unknown[];
}

/**
 * Reads a map of events to lists of hooks, or of groups of hooks with a matcher:
 * `{ pre_tool_use: [{ matcher: 'shell', hooks: [{ type: 'command', … }] }] }`.
 */
export function readEvents(
  format: FileFormat,
  value: unknown,
  reader: FileReader,
  path: Path,
): readonly HookEntry[] {
  const events = reader.map(value, path) ?? {};
  return Object.entries(events).flatMap(([name, list]) => {
    const at = [...path, name];
    if (!knows(format, name, reader, at)) return [];
    if (format.takesOneAlone && isMap(list)) return readItem(format, name, list, reader, at);
    const items = list === null ? [] : (reader.list(list, at) ?? []);
    return items.flatMap((item, index) => readItem(format, name, item, reader, [...at, index]));
  });
}

/** Checks that a matcher is valid in the dialect. */
export function checkMatcher(dialect: Dialect, matcher: string, reader: FileReader, path: Path): void {
  if (matcher.length > MAX_MATCHER) {
    reader.issue(path, `it has ${matcher.length} characters; expected at most ${MAX_MATCHER}`);
    return;
  }
  try {
    dialect.matches(matcher, '');
  } catch (error) {
    reader.issue(path, `${reasonOf(error)}`);
  }
}

/** What is wrong with a matcher. The engine's own message repeats the expression before the reason. */
function reasonOf(error: unknown): string {
  return messageOf(error).replace(/^Invalid regular expression: .*: /s, 'not a regular expression: ');
}

/** A longer expression may take seconds to compile, and a deep one ends the process. */
const MAX_MATCHER = 4000;

/** An unknown event is an error, unless it is no gate, the original program ignores it, and the file is surely of that program. */
export function knows(
  { dialect, ignoresUnknownEvents }: Pick<FileFormat, 'dialect' | 'ignoresUnknownEvents'>,
  name: string,
  reader: FileReader,
  path: Path,
): boolean {
  if (Object.hasOwn(dialect.events, name)) {
    const notice = dialect.events[name]?.notice;
    if (notice !== undefined) reader.notice(path, notice);
    return true;
  }
  if (dialect.unsupportedGates?.includes(name)) {
    reader.issue(
      path,
      `no agent reports ${name}, so this gate would never close; remove it, or use another event`,
      'key',
    );
  } else if (dialect.neverFire.includes(name)) {
    reader.notice(path, `no agent reports ${name}, so these hooks never fire`);
  } else if (ignoresUnknownEvents && (reader.isGuess || !looksLikeGate(name, dialect))) {
    reader.ignored(path, 'unknown event', nearest(name, dialect));
  } else {
    reader.issue(path, `unknown event; ${nearest(name, dialect)}`, 'key');
  }
  return false;
}

/** The event that another dialect has under this name, in any case style. */
function eventElsewhere(name: string): WireEvent | undefined {
  for (const { events } of Object.values(DIALECTS)) {
    const same = Object.keys(events).find((known) => distanceTo(name, [known]) === 0);
    if (same !== undefined) return events[same];
  }
  return undefined;
}

/** Whether hooks of an unknown event were meant to refuse: the name of a gate in another dialect, or a misspelled one. */
function looksLikeGate(name: string, { events }: Dialect): boolean {
  const elsewhere = eventElsewhere(name);
  const meant = elsewhere ?? events[closest(name, Object.keys(events)) ?? ''];
  const refuses = meant?.takes.some((what) => ['deny', 'stop', 'ask', 'approval'].includes(what)) ?? false;
  return refuses || /^(?:pre|before)[A-Z_]|permission|guard/i.test(name);
}

/** An event with another name in this dialect, or a misspelled one. */
function nearest(name: string, { events }: Dialect): string {
  const elsewhere = eventElsewhere(name);
  const [same] = Object.entries(events).find(([, row]) => row.event === elsewhere?.event) ?? [];
  return same === undefined ? suggest(name, Object.keys(events)) : `did you mean "${same}"?`;
}

function readItem(
  { dialect, types, group: schema, needsGroups, defaultType }: FileFormat,
  wireEvent: string,
  item: unknown,
  reader: FileReader,
  path: Path,
): readonly HookEntry[] {
  const row = dialect.events[wireEvent];
  const map = reader.map(item, path);
  if (!row || !map) return [];
  // Other programs ignore these, too.
  const withoutEffect = (at: Path, message: string): void =>
    dialect.name === 'hooks' ? reader.issue(at, message, 'key') : reader.notice(at, message);
  const read = (value: unknown, at: Path, group?: Omit<HookGroup, 'hooks'>): readonly HookEntry[] => {
    const type = String(Object(value).type);
    if (ours.includes(type) && !Object.hasOwn(types, type)) {
      const { event } = row;
      reader.issue(
        [...at, 'type'],
        `${dialect.name} has no hooks of type "${type}"; in our own dialect, ${wireEvent} is "${event}"`,
      );
      return [];
    }
    const hook = readHook(types, value, reader, at, defaultType);
    if (!hook) return [];
    const { spec } = TOKENS[row.event];
    if (hook.handler.onError === 'block' && spec.onFailure === 'proceed' && !spec.permits.includes('block'))
      withoutEffect([...at, 'on_error'], `it has no effect, because nothing can refuse ${wireEvent}`);
    const matcher = row.matched ? group?.matcher : undefined;
    return [
      {
        ...hook,
        handler:
          row.timeoutMs === undefined || hasTimeout(value)
            ? hook.handler
            : { ...hook.handler, timeoutMs: row.timeoutMs },
        event: row.event,
        wireEvent,
        origin: reader.origin(at),
        ...(matcher !== undefined && { matcher }),
        ...(group?.preempt_yolo && { preemptsRules: true }),
        ...(group?.sequential && { sequential: true }),
        ...(group?.agents && { agents: group.agents }),
        ...(group?.except_agents && { exceptAgents: group.except_agents }),
      },
    ];
  };
  const { matcher } = map;
  if (typeof matcher === 'string') {
    checkMatcher(dialect, matcher, reader, [...path, 'matcher']);
    if (!row.matched && !isEverything(matcher))
      withoutEffect([...path, 'matcher'], `${wireEvent} has no matchers, so this one is ignored`);
  }
  if (!schema) return read(map, path, typeof matcher === 'string' ? { matcher } : undefined);
  if (!Object.hasOwn(map, 'hooks')) {
    if (!needsGroups) return read(map, path);
    reader.issue(path, `${dialect.name} would skip it; expected a group: { "hooks": [{ … }] }`);
    return [];
  }
  const group = reader.check(schema, map, path);
  if (!group) return [];
  refuseIgnored(schema, map, reader, path);
  return group.hooks.flatMap((value, index) => read(value, [...path, 'hooks', index], group));
}

/** Hook types that our own dialect has and some others lack. */
const ours: readonly string[] = ['http', 'model', 'builtin', 'module'];

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasTimeout(hook: unknown): boolean {
  return Object(hook).timeout !== undefined;
}
