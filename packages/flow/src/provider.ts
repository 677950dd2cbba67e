import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type HookProvider,
  HooksError,
  type ModelTool,
  proceed,
  requireApproval,
  Stop,
  ToolApprovalDecision,
  type ToolEvent,
  UserPromptSubmit,
} from '@hooks/core';
import { type Conversation, conversations, type FlowStore } from './conversation.ts';
import { type KnownTools, readsOnly } from './defaults.ts';
import type { Entry } from './memory.ts';
import { callName, type Doubt, describe } from './question.ts';
import { type Demands, defaultDemands, demandsOf, type Sink } from './sinks.ts';
import { isEmpty, partsOf, type Source, textsOf } from './sources.ts';
import { promptParts } from './untrusted.ts';
import { SEPARATOR } from './values/text.ts';
import type { Value } from './values/value.ts';
import { versionOf } from './version.ts';

/** Options of {@link flow}. */
export interface FlowOptions extends KnownTools {
  /** Who writes what a tool returns, by patterns of names. A tool that no pattern names is untrusted. */
  readonly sources?: { readonly [tools: string]: Source };
  /**
   * Which arguments matter, by patterns of names. Left out: all tools that are not read-only, and of their arguments those
   * whose names say where something goes or what is acted on.
   */
  readonly sinks?: { readonly [tools: string]: Sink };
  /**
   * What happens to a call in doubt. `ask`: a person decides, and no hook can in their place. `deny`: the model reads why.
   * `report`: it runs, and trace and journal have what would have been asked. Default: `ask`.
   */
  readonly otherwise?: 'ask' | 'deny' | 'report';
  /**
   * Keeps what is known of a conversation for a week, so that it survives a restart and other processes know it, too. A store of
   * `@hooks/store`. Without one, a process asks about what it has not seen itself.
   */
  readonly store?: FlowStore;
}

/**
 * Checks where an argument came from. An argument under `from` never runs with a value that does not stand, as a whole
 * value, in the user's own words or in a source that you trust, unless a person approved this very call.
 *
 * Guards the final input, at priority 90. Works without options.
 *
 * @example
 * ```ts
 * hooks.use(
 *   flow({
 *     sources: { get_contacts: 'trusted', get_transactions: { trusted: ['id', 'recipient'] } },
 *     sinks: { send_money: { from: ['recipient'] }, 'delete_.*': 'untouched' },
 *   }),
 * );
 * ```
 * @throws HooksError `CONFIG_INVALID` if an option is not as described
 */
export function flow(options: FlowOptions = {}): HookProvider {
  const { sources = {}, sinks, otherwise = 'ask', store, ...known } = validated(options);
  const { store: _, ...policy } = options;

  return {
    name: 'flow',
    version: versionOf(policy),
    register(hooks) {
      const all = conversations(store);
      const patterns = Object.entries(sinks ?? {});

      hooks.on(
        UserPromptSubmit,
        // What the user wrote, before hooks add to it.
        function hearUser({ session, prompt }) {
          // A model writes the prompts of sub-agents.
          if (session.parent === undefined) all.of(session).hear(promptParts(prompt), prompt);
          return proceed();
        },
        { id: 'words', priority: 1000, optional: true },
      );
      hooks.observe(UserPromptSubmit, ({ session, prompt }) => all.of(session).expect(prompt), {
        id: 'prompt',
      });
      hooks.observe(
        Stop,
        ({ session }, decision) => {
          if (decision.kind === 'retry') all.of(session).expect(decision.reason);
        },
        { id: 'continued' },
      );
      hooks.observe(AfterModelCall, ({ session }) => all.of(session).answered(), { id: 'answer' });
      hooks.observe(
        BeforeModelCall,
        function readHistory({ session, messages, tools }) {
          const conversation = all.of(session);
          conversation.compare(messages);
          const hosted = tools.find(isHosted);
          return (
            hosted &&
            conversation.add({
              kind: 'untrusted',
              origin: `${hosted.name}, which the provider runs`,
              text: '',
            })
          );
        },
        { id: 'history' },
      );

      /** The labels of the result that observers are reading. They run one right after the other. */
      let labels: Source[] = [];
      for (const [pattern, source] of Object.entries(sources))
        hooks.observe(AfterToolCall.matching(pattern), () => void labels.push(source), {
          id: `source:${pattern}`,
          // Before the one that reads it: these events run in reverse.
          priority: -1,
          allowUnknown: true,
        });
      hooks.observe(
        AfterToolCall,
        function readResult(call) {
          const matching = labels;
          labels = [];
          if (!call.ran || (call.status !== 'ok' && call.status !== 'error')) return;
          const conversation = all.of(call.session);
          const origin = callName(call.toolName, call.input);
          conversation.read();
          try {
            const { output = call.errorMessage, toolName } = call;
            const parts = partsOf({ toolName, output }, matching);
            if (isEmpty(parts)) return;
            const entries: Entry[] = [];
            if (parts.untrusted.length > 0)
              entries.push({ kind: 'untrusted', origin, text: joined(parts.untrusted) });
            if (parts.trusted.length > 0)
              entries.push({
                kind: 'trusted',
                origin,
                text: joined(parts.trusted),
                input: joined(textsOf(call.input)),
                at: Date.now(),
              });
            return conversation.add(...entries);
          } catch (error) {
            void conversation.add({ kind: 'untrusted', origin, text: '' });
            throw error;
          }
        },
        { id: 'result', priority: 1 },
      );
      hooks.observe(
        BeforeToolCall,
        // Already here: a source may show it before the call that writes it is over.
        function noteWritten(call, decision) {
          if (decision.kind === 'block' || (sinksOf(call).length === 0 && readsOnly(call, known))) return;
          return all.of(call.session).add({ kind: 'wrote', text: joined(textsOf(call.input)) });
        },
        { id: 'written' },
      );

      /** Finds the sinks of a tool: one guard asks for all of them. */
      const matcher = createHooks({ onWarning: () => {} });
      patterns.forEach(([pattern], index) => {
        matcher.on(AfterToolCall.matching(pattern), () => proceed(), { id: String(index) });
      });
      const sinksOf = ({ toolName }: ToolEvent, own?: number): readonly number[] => {
        const found = matcher
          .get(AfterToolCall, toolName)
          .map(({ id }) => Number(id))
          .sort((a, b) => a - b);
        return own === undefined || found.includes(own) ? found : [own];
      };
      const demands = async (call: ToolEvent, found: readonly number[]): Promise<Demands> =>
        sinks === undefined
          ? defaultDemands(call, known)
          : demandsOf(
              call,
              found.flatMap((index) => patterns[index]?.[1] ?? []),
            );

      const judge = async (call: BeforeToolCall, found: readonly number[]) => {
        const conversation = all.of(call.session);
        await conversation.load();
        const { doubts, known: origins } = checked(call, await demands(call, found), conversation);
        if (doubts.length === 0)
          return origins.length === 0
            ? proceed()
            : proceed({ note: origins.slice(0, MOST_NOTED).join('; ') });
        const reason = describe(call.toolName, doubts, conversation.memory);
        if (otherwise === 'report') return proceed({ note: `flow would have asked: ${reason}` });
        if (otherwise === 'ask') return requireApproval(reason, { by: 'person' });
        return block(
          `Blocked (flow): ${reason} Ask the user to confirm it in their own words, or go on without this call.`,
        );
      };
      if (sinks === undefined)
        hooks.guard(BeforeToolCall, (call) => judge(call, []), { id: 'arguments', priority: 90 });
      patterns.forEach(([pattern], index) => {
        hooks.guard(
          BeforeToolCall.matching(pattern),
          function checkArguments(call) {
            const found = sinksOf(call, index);
            return found[0] === index ? judge(call, found) : proceed();
          },
          // A misspelt name is an error where all tools are known; a pattern may be for tools that this agent lacks.
          { id: `sink:${pattern}`, priority: 90, allowUnknown: /[^\w:-]/.test(pattern) },
        );
      });
      if (otherwise === 'ask')
        hooks.observe(
          ToolApprovalDecision,
          async function endorse(call) {
            if (call.approval !== 'allow') return;
            const conversation = all.of(call.session);
            await conversation.meanwhile(async () => {
              const found = sinksOf(call);
              const { doubts } = checked(call, await demands(call, found), conversation);
              const keys = doubts.flatMap((doubt) =>
                doubt.kind === 'value' ? [keyOf(call.toolName, doubt.argument, doubt.value)] : [],
              );
              if (keys.length > 0) await conversation.add({ kind: 'endorsed', keys });
            });
          },
          { id: 'endorse' },
        );
    },
  };
}

/** What came of checking a call. */
interface Checked {
  readonly doubts: readonly Doubt[];
  /** Where the other values come from: `send_money.recipient: your words`. */
  readonly known: readonly string[];
}

function checked({ toolName }: ToolEvent, { values, untouched }: Demands, { memory }: Conversation): Checked {
  const count = values.reduce((sum, demand) => sum + demand.values.length, 0);
  if (count > MOST_VALUES)
    return { doubts: [{ kind: 'many', argument: values[0]?.argument ?? '', count }], known: [] };
  const doubts = new Map<string, Doubt>();
  const known = new Set<string>();
  for (const { argument, values: all, enough } of values)
    for (const value of all) {
      const key = keyOf(toolName, argument, value);
      const origin =
        memory.origin(value, enough === 'below') ??
        (memory.endorsed.has(key) ? 'a person has approved it' : undefined) ??
        (enough === 'seen' ? memory.wholeSeen(value) : undefined);
      if (origin === undefined) doubts.set(key, { kind: 'value', argument, value });
      else known.add(`${toolName}.${argument}: ${origin}`);
    }
  const choice: readonly Doubt[] =
    untouched && memory.touched !== undefined ? [{ kind: 'choice', origin: memory.touched }] : [];
  return { doubts: [...doubts.values(), ...choice], known: [...known] };
}

/** How many origins a note has. */
const MOST_NOTED = 10;

/** How many values of a call are looked for. */
const MOST_VALUES = 500;

/** What an approval endorses: this value in this argument of this tool. */
function keyOf(toolName: string, argument: string, { kind, key }: Value): string {
  return JSON.stringify([toolName, argument, kind, key]);
}

function joined(texts: readonly string[]): string {
  return texts.map((text) => text.replaceAll(SEPARATOR, '\ufffd')).join(SEPARATOR);
}

/** What the program or the framework runs. The provider runs all others, and their results pass no hook. */
const LOCAL = new Set([
  'function',
  'dynamic',
  'custom',
  'computer',
  'shell',
  'local_shell',
  'apply_patch',
  'handoff',
]);

function isHosted({ native }: ModelTool): boolean {
  const { type, toolName, handoff } = Object(native) as { readonly [field: string]: unknown };
  return typeof type === 'string' && !LOCAL.has(type) && toolName === undefined && handoff === undefined;
}

const FIELDS = ['sources', 'sinks', 'otherwise', 'store', 'trustedServers', 'knownReadOnly'];
const SINK_FIELDS = ['from', 'below', 'text', 'untouched'];

/** Refuses what would otherwise do nothing. */
function validated(options: FlowOptions): FlowOptions {
  const invalid = (what: string): never => {
    throw new HooksError('CONFIG_INVALID', `flow: ${what}`);
  };
  const only = (value: object, fields: readonly string[], where: string): void => {
    const other = Object.keys(value).find((field) => !fields.includes(field));
    if (other !== undefined) invalid(`${where}unknown field "${other}"; known: ${fields.join(', ')}`);
  };
  const paths = (value: unknown, where: string): void => {
    if (
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((path) => typeof path === 'string' && path !== '')
    )
      return;
    invalid(`${where}: expected a list of paths, such as ["to", "items.id"]`);
  };
  only(options, FIELDS, '');
  const { otherwise = 'ask', sources = {}, sinks = {} } = options;
  if (!['ask', 'deny', 'report'].includes(otherwise))
    invalid(`otherwise: expected "ask", "deny" or "report", got ${JSON.stringify(otherwise)}`);
  for (const [tools, source] of Object.entries(sources)) {
    if (source === 'trusted' || source === 'untrusted' || typeof source === 'function') continue;
    const where = `sources["${tools}"]`;
    if (typeof source !== 'object' || source === null)
      invalid(`${where}: expected "trusted", "untrusted", { trusted: [paths] } or a function`);
    only(source, ['trusted'], `${where}: `);
    paths(source.trusted, `${where}.trusted`);
  }
  for (const [tools, sink] of Object.entries(sinks)) {
    if (sink === 'untouched') continue;
    const where = `sinks["${tools}"]`;
    if (typeof sink !== 'object' || sink === null || Object.keys(sink).length === 0)
      invalid(
        `${where}: expected "untouched" or { from: [paths], below: [paths], text: [paths], untouched: true }`,
      );
    only(sink, SINK_FIELDS, `${where}: `);
    for (const field of ['from', 'below', 'text'] as const)
      if (sink[field] !== undefined) paths(sink[field], `${where}.${field}`);
    if (sink.untouched !== undefined && sink.untouched !== true) invalid(`${where}.untouched: expected true`);
  }
  return options;
}
