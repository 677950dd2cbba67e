import {
  AfterModelCall,
  AfterToolCall,
  BeforeExecute,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  type HookProvider,
  HooksError,
  type ModelMessage,
  proceed,
  requireApproval,
  type Session,
  SessionStart,
  Stop,
  sessionKey,
  ToolApprovalDecision,
  type ToolEvent,
  UserPromptSubmit,
} from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { allKeysOf, checked, keysOf } from './check.ts';
import { conversations } from './conversation.ts';
import { defaultDemands } from './default-demands.ts';
import type { KnownTools } from './defaults.ts';
import { besidesIn, hostedIn, ranFor } from './hosted.ts';
import type { Entry } from './memory.ts';
import { checkTools, type FlowOptions, type FlowOptionsFor, validated } from './options.ts';
import { callName, describe, MOST_SHOWN, quoted } from './question.ts';
import { type Demands, demandsOf } from './sinks.ts';
import { isEmpty, partsOf, type Source, textsOf } from './sources.ts';
import { promptParts } from './untrusted.ts';
import { SEPARATOR } from './values/text.ts';
import { versionOf } from './version.ts';

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
export const flow: Flow = Object.assign(createFlow, {
  for<Tools extends object>(tools: Tools) {
    checkTools(tools);
    return (options: FlowOptionsFor<Tools> = {}) => {
      const provider = createFlow(options as FlowOptions);
      const known = Object.keys(tools);
      for (const list of ['sources', 'sinks', 'ignore'] as const)
        for (const name of Object.keys(options[list] ?? {}))
          if (!known.includes(name))
            throw new HooksError(
              'CONFIG_INVALID',
              `flow: ${list}["${name}"] is no tool; known: ${known.join(', ')}`,
            );
      return provider;
    };
  },
});

/** {@link flow}, and the form that knows the tools. */
export interface Flow {
  (options?: FlowOptions): HookProvider;
  /**
   * Takes the tools by their names, and returns `flow` with the names of these tools and of their arguments and results as types.
   *
   * @example
   * ```ts
   * hooks.use(flow.for({ send_money, get_contacts })({ sinks: { send_money: { from: ['recipient'] } } }));
   * ```
   * @throws HooksError `CONFIG_INVALID` if an option names another tool
   */
  for<Tools extends object>(tools: Tools): (options?: FlowOptionsFor<Tools>) => HookProvider;
}

function createFlow(options: FlowOptions = {}): HookProvider {
  const {
    sources = {},
    sinks,
    otherwise = 'ask',
    store,
    trustedServers,
    knownReadOnly,
    ignore,
  } = validated(options);
  const known: KnownTools = {
    ...(trustedServers && { trustedServers }),
    ...(knownReadOnly && { knownReadOnly }),
    ...(ignore && { ignore }),
  };

  return {
    name: 'flow',
    version: versionOf({ sources, sinks, otherwise, ...known }),
    register(hooks) {
      const all = conversations(store);
      const patterns = Object.entries(sinks ?? {});

      hooks.observe(
        SessionStart,
        // What came before may be of another id, or older than the store keeps.
        ({ session, source }) => (isNew(source) ? undefined : all.of(session).resumes()),
        { id: 'resumed', optional: true },
      );
      hooks.on(
        UserPromptSubmit,
        // What the user wrote, before hooks add to it.
        function hearUser({ session, run, prompt, answered = false, delivery }) {
          // What a background task returned, or a model wrote to be reminded of.
          const parts = delivery === 'notification' ? { words: [], quoted: [prompt] } : promptParts(prompt);
          // A model writes the prompts of sub-agents. In the history of another process, hooks may have written some.
          if (session.parent === undefined && !answered) all.of(session).hear(run, parts, prompt);
          return proceed();
        },
        { id: 'words', priority: 1000, optional: true },
      );
      hooks.observe(
        UserPromptSubmit,
        function acceptPrompt({ session, run, prompt, answered = false, delivery = 'prompt' }, decision) {
          const conversation = all.of(session);
          if (answered) {
            if (decision.kind === 'block' && delivery === 'prompt') conversation.refuseRun(run);
          } else if (decision.kind === 'block') conversation.refuse(run, prompt, delivery === 'prompt');
          else {
            conversation.accept(run, prompt);
            conversation.expect(prompt);
          }
          return conversation.flush();
        },
        { id: 'prompt', optional: true },
      );
      hooks.observe(
        BeforeRun,
        function refuseRun({ session, run }, decision) {
          const conversation = all.of(session);
          if (decision.kind === 'block') conversation.refuseRun(run);
          return conversation.flush();
        },
        { id: 'run', optional: true },
      );
      hooks.observe(
        Stop,
        ({ session }, decision) => {
          if (decision.kind === 'retry') all.of(session).expect(decision.reason);
        },
        { id: 'continued', optional: true },
      );
      hooks.observe(
        AfterModelCall,
        function noteAnswer({ session, response }) {
          const conversation = all.of(session);
          const ran = ranFor(response);
          return allOf([
            conversation.answered(response.text),
            ...response.toolCalls.map((call) => conversation.called(call)),
            ran === undefined ? undefined : conversation.reads(`${ran}, of what the provider ran`),
          ]);
        },
        { id: 'answer', optional: true },
      );
      hooks.observe(
        BeforeModelCall,
        function readHistory(call) {
          const { session, messages } = call;
          const conversation = all.of(session);
          const hosted = hostedIn(call);
          const unseen = [
            hosted,
            messages.some(hasFile) ? 'a file beside the prompt' : undefined,
            ...messages.map(besidesIn),
          ].map((origin) => (origin === undefined ? undefined : conversation.reads(origin)));
          return allOf([...unseen, conversation.compare(call)]);
        },
        { id: 'history', optional: true },
      );

      for (const pattern of Object.keys(sources))
        hooks.observe(
          BeforeExecute.matching(pattern),
          (call, decision) =>
            decision.kind === 'block'
              ? undefined
              : all.of(call.session).add({ kind: 'began', call: idOf(call) }),
          { id: `began:${pattern}`, allowUnknown: true, optional: true },
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
          const conversation = all.of(call.session);
          const read = conversation.read(call);
          const entries: Entry[] = [read];
          // Where another process asked a person, nobody has noted what the call wrote.
          if (call.ran && !conversation.isWriting(call))
            entries.push({ kind: 'wrote', text: writtenIn(call.input), elsewhere: true });
          conversation.ends(call);
          const origin = callName(call.toolName, call.input);
          const orders = ordersIn(call.session);
          // The flag is of this process, and what was read is of all.
          if (orders !== undefined && conversation.memory.touched === undefined)
            entries.push({ kind: 'untrusted', origin: orders, text: '' });
          const hasResult = call.ran || call.answered === true;
          if (!hasResult || (call.status !== 'ok' && call.status !== 'error')) {
            // What the model reads is a hook's or a person's, who may quote what the tool returned.
            if (hasResult) entries.push({ kind: 'untrusted', origin, text: '' });
            return conversation.add(...entries);
          }
          try {
            const { output = call.errorMessage, toolName } = call;
            // An error may quote anything: what it failed on, or what another server answered.
            const parts = partsOf({ toolName, output }, call.status === 'error' ? [] : matching);
            // What nobody else wrote is known again by its text: a client may replace it.
            if (call.status === 'ok' && (isEmpty(parts) || parts.untrusted.length === 0))
              entries[0] = { ...read, ...shownText(output) };
            if (isEmpty(parts)) return conversation.add(...entries);
            if (parts.untrusted.length > 0)
              entries.push({ kind: 'untrusted', origin, text: joined(parts.untrusted) });
            if (parts.trusted.length > 0)
              entries.push({
                kind: 'trusted',
                origin,
                call: idOf(call),
                text: joined(parts.trusted),
                input: writtenIn(call.input),
                at: Date.now(),
              });
            return conversation.add(...entries);
          } catch (error) {
            conversation.add(...entries, { kind: 'untrusted', origin, text: '' })?.catch(() => {});
            throw error;
          }
        },
        { id: 'result', priority: 1 },
      );
      // Also of a tool that only reads: a service may keep what was searched for.
      const noteWritten = (call: ToolEvent) => all.of(call.session).writes(call, writtenIn(call.input));
      hooks.observe(
        BeforeToolCall,
        function noteCall(call, decision) {
          if (decision.kind === 'block') return;
          // Already here: a source may show it before the call that writes it is over. One that waits for a person may never run.
          const written = call.approval?.kind === 'required' ? undefined : noteWritten(call);
          return allOf([written, all.of(call.session).called(call)]);
        },
        { id: 'written' },
      );
      hooks.observe(
        BeforeExecute,
        (call, decision) =>
          decision.kind === 'block' || all.of(call.session).isWriting(call) ? undefined : noteWritten(call),
        { id: 'approved', optional: true },
      );

      /** Finds the sinks of a tool: one guard asks for all of them. */
      const matcher = createHooks({ onWarning: () => {} });
      patterns.forEach(([pattern], index) => {
        try {
          matcher.on(AfterToolCall.matching(pattern), () => proceed(), { id: String(index) });
        } catch {
          // A group of tools, which only the registry itself knows: its guard asks for it alone.
        }
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
        conversation.memory.touched ??= ordersIn(call.session);
        const { doubts, known: origins } = checked(call, await demands(call, found), conversation);
        // A call that goes on here was asked about elsewhere, where other values may have been known. Where all are known here, others may
        // ask about the call, and their question shows none.
        if (otherwise === 'ask' && call.resumed === undefined)
          conversation.asks(call, keysOf(call, doubts).slice(0, MOST_SHOWN));
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
      if (otherwise !== 'ask') return;
      const endorse = async (call: ToolApprovalDecision, found: readonly number[]): Promise<void> => {
        // Whoever answers in place of the tool has not said that it may run.
        if (call.approval !== 'allow' || call.source === 'user_answered') return;
        const conversation = all.of(call.session);
        await conversation.meanwhile(async () => {
          const demanded = await demands(call, found);
          const { doubts } = checked(call, demanded, conversation);
          // Those that the question does not show are asked about again.
          const shown = conversation.shown(call) ?? allKeysOf(call, demanded).slice(0, MOST_SHOWN);
          const keys = keysOf(call, doubts).filter((key) => shown.includes(key));
          if (keys.length > 0) await conversation.add({ kind: 'endorsed', keys });
        });
      };
      if (sinks === undefined)
        hooks.observe(ToolApprovalDecision, (call) => endorse(call, []), { id: 'endorse' });
      patterns.forEach(([pattern], index) => {
        hooks.observe(
          ToolApprovalDecision.matching(pattern),
          function endorseArguments(call) {
            const found = sinksOf(call, index);
            return found[0] === index ? endorse(call, found) : undefined;
          },
          { id: `endorse:${pattern}`, allowUnknown: true },
        );
      });
    },
  };
}

/** What a detector of injected instructions has found, `injection` of `@hooks/guards` for one. */
const INJECTED = sessionKey<string>('@hooks/injection', { shared: true });

/** Where it has found them, as a question names it. */
function ordersIn(session: Session): string | undefined {
  const found = rootOf(session).get(INJECTED);
  return found === undefined ? undefined : `a result that gives orders (${quoted(found)})`;
}

/** Whether nothing came before in a session, by the words of all agents. Some do not say. */
function isNew(source: string | undefined): boolean {
  return source === undefined || ['startup', 'new', 'clear'].includes(source);
}

function allOf(works: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const running = works.filter((work) => work !== undefined);
  return running.length > 0 ? Promise.all(running).then(() => {}) : undefined;
}

/** How many origins a note has. */
const MOST_NOTED = 10;

/** Tells a call from others, also where its id is used again. Where another program reports it, it has only its id. */
function idOf({ executionId, toolName, callId }: ToolEvent & { readonly executionId?: string }): string {
  return executionId ?? JSON.stringify([toolName, callId]);
}

function joined(texts: readonly string[]): string {
  return texts.map((text) => text.replaceAll(SEPARATOR, '\ufffd')).join(SEPARATOR);
}

/** How frameworks write what a tool returned into a message: a text as it is, all else as JSON. */
function shownText(output: unknown): { readonly text?: string } {
  try {
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    return text === undefined ? {} : { text };
  } catch {
    return {};
  }
}

/** What the agent wrote into a call: its values, and behind two separators the names of fields, which it may have chosen, too. */
function writtenIn(input: unknown): string {
  const names: string[] = [];
  const values = textsOf(input, (field) => {
    names.push(field);
    return true;
  });
  const [text, ...more] = [values, names].map((all) => joined(all.filter((one) => one !== '')));
  return [text, '', ...more].join(SEPARATOR);
}

/** Whether a message of the user has an image or another file. All frameworks have parts with a type. */
function hasFile({ role, native }: ModelMessage): boolean {
  const { content } = Object(native) as { readonly content?: unknown };
  return (
    role === 'user' &&
    Array.isArray(content) &&
    content.some((part: unknown) => {
      const { type } = Object(part) as { readonly type?: unknown };
      return typeof type === 'string' && type !== 'text' && type !== 'input_text';
    })
  );
}
