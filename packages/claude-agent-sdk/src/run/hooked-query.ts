import {
  type Options,
  type Query,
  query,
  type SDKAssistantMessage,
  type SDKMessage,
  type SDKResultMessage,
  type SDKTaskNotificationMessage,
  type SDKUserMessage,
  type Settings,
} from '@anthropic-ai/claude-agent-sdk';
import { HooksError } from '@hooks/core';
import { noteBlocked, type RunEnd, standIn } from '@hooks/core/adapter';
import { withPending } from '../approval/pending.ts';
import { waitingCall } from '../approval/stored-call.ts';
import type { ModelProxy } from '../model/proxy.ts';
import { throughProxy } from '../model/settings.ts';
import { checkSettings, inlineSettings } from '../refuse.ts';
import { isRecord, type McpServers } from '../sdk.ts';
import { type Conversation, pausedRuns, pauseKey, type Setting, sessionKey } from './conversation.ts';
import type { Gate } from './gate.ts';
import { later } from './later.ts';
import { mayBeCommand, submitFirst, withAdded } from './prompts.ts';

/** A query whose prompts and messages go through this process first. */
export class HookedQuery {
  /** What the user gets. */
  readonly query: Query;
  readonly #setting: Setting;
  readonly #inner: Query;
  readonly #gate: Gate;
  /** With `models: 'proxy'`: the server that Claude Code sends its model calls to. */
  readonly #proxy: ModelProxy | undefined;
  readonly #abort: AbortController = new AbortController();
  /** Whether the session is this query's alone, and ends with it. */
  readonly #ownsSession: boolean;
  readonly #first: Conversation;
  #model: string | undefined;
  /** The user's rules, which hold from the first callback on. Null: those of the settings that the query began with. */
  #permissions: NonNullable<Settings['permissions']> | null = null;
  /** Whether a prompt before the first callback may be a command of Claude Code's, about which it does not call back. */
  #isCommand = false;
  /** Resolves with the first result. */
  readonly #over: PromiseWithResolvers<void> = Promise.withResolvers();
  #ended = false;
  /** Whether somebody reads the messages. */
  #isRead = false;
  /** The ids of the messages that have calls, by those of the calls. */
  readonly #messageIds: Map<string, string> = new Map();
  /** The ids of the messages that Claude Code got. */
  readonly #sent: Set<unknown> = new Set();
  /** Those that the user gave no id. */
  readonly #unnamed: Set<unknown> = new Set();
  /** The text of the result that was read last, if it is an error. */
  #errorText: string | undefined;
  /** Why the query was closed: a message that is none, or what the user's stream has thrown. */
  #failure: unknown;

  constructor(
    prompt: string | AsyncIterable<SDKUserMessage>,
    hooked: Options,
    gate: Gate,
    hookServers: (servers: McpServers, gate: Gate) => McpServers,
    proxy?: ModelProxy,
  ) {
    this.#proxy = proxy;
    this.#setting = gate.setting;
    const { options: given, answers } = gate.setting;
    const { resume, forkSession, sessionId, abortController } = given;
    const isNew = resume === undefined || forkSession === true;
    this.#ownsSession = sessionId === undefined && isNew;
    const id = isNew ? (sessionId ?? crypto.randomUUID()) : resume;
    this.#model = given.model;
    const signal = abortController?.signal;
    this.#gate = gate;
    this.#first = gate.conversation(id);
    gate.current = this.#first;
    this.#first.resume(answers.map(({ callId }) => callId));
    gate.open = () => this.#inner.applyFlagSettings({ permissions: this.#permissions });
    gate.usesModel = (model) => model === this.#model;
    gate.withholdFiles = (withheld) => {
      const rules = this.#permissions ?? inlineSettings(given.settings)?.permissions;
      const closed = { ...rules, deny: [...(rules?.deny ?? []), 'Read(//**)'] };
      return this.#inner.applyFlagSettings({ permissions: withheld ? closed : this.#permissions });
    };
    const options = {
      ...hooked,
      abortController: this.#abort,
      ...(isNew && { sessionId: id }),
    };
    const start = (options: Options) => query({ prompt: this.#prompts(prompt), options });
    // Claude Code starts once the proxy listens: its address is not known before.
    this.#inner = proxy
      ? later(proxy.listen().then((url) => start(throughProxy(options, url))))
      : start(options);
    if (signal?.aborted) this.#abort.abort(signal.reason);
    const abort = () => {
      this.#abort.abort(signal?.reason);
      this.#proxy?.close();
    };
    signal?.addEventListener('abort', () => this.#stop(abort), { once: true });
    const messages = this.#messages();
    const own = {
      next: messages.next.bind(messages),
      return: this.#ending(messages.return.bind(messages)),
      throw: this.#ending(messages.throw.bind(messages)),
      [Symbol.asyncIterator]: () => this.query,
      [Symbol.asyncDispose]: async () => void (await own.return()),
      close: () => this.#stop(() => this.#close()),
      setMcpServers: (servers: McpServers) => this.#inner.setMcpServers(hookServers(servers, gate)),
      streamInput: (messages: AsyncIterable<SDKUserMessage>) =>
        this.#inner.streamInput(this.#submitted(messages)),
      setModel: (model?: string) => {
        this.#model = model;
        return this.#inner.setModel(model);
      },
      applyFlagSettings: (settings: Parameters<Query['applyFlagSettings']>[0]) => {
        checkSettings(settings);
        if (settings.permissions !== undefined) this.#permissions = settings.permissions;
        this.#gate.addedRules = this.#permissions ?? {};
        return this.#inner.applyFlagSettings(
          this.#gate.heard || settings.permissions === undefined
            ? settings
            : { ...settings, permissions: NO_TOOL },
        );
      },
      updateSettings: (...given: Parameters<Query['updateSettings']>) => {
        checkSettings(given[1]);
        return this.#inner.updateSettings(...given);
      },
    };
    // `standIn` copies the members of an object, and one that does not exist yet has none.
    this.query = proxy ? later(Promise.resolve(this.#inner), own) : standIn(this.#inner, own);
  }

  /** Closes the query, too, if nobody has read a message: a generator that has not begun runs no `finally`. */
  #ending<Args extends readonly unknown[], R>(end: (...args: Args) => R): (...args: Args) => R {
    return (...args) => {
      if (this.#proxy !== undefined && !this.#isRead) this.#close();
      return end(...args);
    };
  }

  /** Closes Claude Code and the model proxy. */
  #close(): void {
    // Rejects if Claude Code was never started.
    void (async () => this.#inner.close())().catch(() => {});
    this.#proxy?.close();
  }

  /** The prompts as hooks left them. */
  async *#prompts(prompt: string | AsyncIterable<SDKUserMessage>): AsyncGenerator<SDKUserMessage> {
    const { answers } = this.#setting;
    if (prompt === '' && answers.length > 0) return await this.#over.promise;
    // Whatever has switched callbacks off, and whoever did: no tool runs before the first callback. In a session that
    // is resumed with answers, Claude Code asks `canUseTool` about each call.
    if (answers.length === 0) {
      // The query stands once its constructor has returned.
      await Promise.resolve();
      if (!this.#gate.heard) await this.#inner.applyFlagSettings({ permissions: NO_TOOL });
    }
    yield* this.#submitted(typeof prompt === 'string' ? [userMessage(prompt)] : prompt);
  }

  async *#submitted(
    messages: readonly SDKUserMessage[] | AsyncIterable<SDKUserMessage>,
  ): AsyncGenerator<SDKUserMessage> {
    const notes: SDKUserMessage[] = [];
    try {
      for await (const message of messages) {
        // Others are commands to Claude Code, which the JSON of a client may be.
        if (!isUserMessage(message)) throw new HooksError('INVALID_INPUT', NO_PROMPT);
        // Claude Code ignores it, too.
        if (message.uuid !== undefined && this.#sent.has(message.uuid)) continue;
        if (message.shouldQuery === false) {
          notes.push(message);
          continue;
        }
        const prompt = withAdded(notes.splice(0), message);
        if (!this.#gate.heard) this.#isCommand ||= mayBeCommand(prompt);
        const conversation = this.#gate.current ?? this.#first;
        const left = await submitFirst(conversation, prompt, (model) => this.#useModel(model));
        if (left === undefined) continue;
        this.#sent.add(left.uuid);
        if (prompt.uuid === undefined) this.#unnamed.add(left.uuid);
        yield left;
      }
    } catch (error) {
      // The SDK would throw that the user has aborted.
      this.#failure = error;
      this.#close();
      throw error;
    }
  }

  /** Switches to the model that a hook chose for a run, and back. */
  async #useModel(model: string | undefined): Promise<void> {
    const wanted = model ?? this.#setting.options.model;
    if (wanted === this.#model) return;
    this.#model = wanted;
    await this.#inner.setModel(wanted);
  }

  async *#messages(): AsyncGenerator<SDKMessage, void> {
    this.#isRead = true;
    try {
      for await (const message of this.#inner) {
        this.#checkHeard(message);
        if (this.#tellsOfUnnamed(message)) continue;
        this.#errorText = message.type === 'result' ? errorOf(message) : undefined;
        if (message.type === 'assistant') this.#note(message);
        if (message.type === 'result') yield await this.#result(message);
        else if (message.type === 'user') yield this.#withoutOriginal(message);
        else if (message.type === 'system' && message.subtype === 'task_notification')
          yield this.#withoutAnswer(message);
        else yield message;
      }
      if (this.#failure !== undefined) throw this.#failure;
    } catch (thrown) {
      const error = this.#failure ?? this.#withErrorText(thrown);
      await this.#end({ kind: 'error', error });
      throw error;
    } finally {
      await this.#end({ kind: 'canceled' });
    }
  }

  /** Whether Claude Code says how far it is with a message, as it does only about one that has an id. */
  #tellsOfUnnamed(message: unknown): boolean {
    return (
      isRecord(message) &&
      message['type'] === 'command_lifecycle' &&
      this.#unnamed.has(message['command_uuid'])
    );
  }

  /** The error of the SDK, which forgets the text of the last result when such a message follows. */
  #withErrorText(thrown: unknown): unknown {
    const isExit = thrown instanceof Error && thrown.message.startsWith('Claude Code process exited');
    if (this.#errorText === undefined || !isExit) return thrown;
    return new Error(`Claude Code returned an error result: ${this.#errorText}`, { cause: thrown });
  }

  #note(message: SDKAssistantMessage): void {
    for (const part of message.message.content)
      if (part.type === 'tool_use' && message.parent_tool_use_id === null)
        this.#messageIds.set(part.id, message.uuid);
  }

  /** Claude Code calls back before the first turn begins. If it does not, something has switched hooks off. */
  #checkHeard(message: SDKMessage): void {
    const begins = message.type === 'system' && message.subtype === 'init' && !this.#isCommand;
    // What a command says is no model's answer.
    const answers = message.type === 'assistant' && !(this.#isCommand && message.message.model === SYNTHETIC);
    const isPast = this.#proxy?.isUsed === false && answers && message.message.model !== SYNTHETIC;
    if (!isPast && (this.#gate.heard || !(begins || answers))) return;
    this.#close();
    if (isPast) throw new HooksError('INVALID_INPUT', PAST_PROXY);
    throw new HooksError(
      'INVALID_INPUT',
      'Claude Code did not ask the hooks about the prompt, so the query was closed: something in its settings or environment has switched callbacks off.',
    );
  }

  /** A message without originals that hooks replaced: what Claude Code keeps of them, and `structuredContent` beside. */
  #withoutOriginal<M extends SDKUserMessage>(message: M): M {
    const { tool_use_result: beside, message: said } = message;
    const parts = typeof said.content === 'string' ? [] : said.content;
    const replaced = new Map(this.#gate.conversations.flatMap((one) => [...one.replaced]));
    const ids = parts.flatMap((part) => (part.type === 'tool_result' ? part.tool_use_id : []));
    if (ids.some((id) => replaced.get(id) !== undefined)) {
      const content = parts.map((part) => {
        const reason = part.type === 'tool_result' ? replaced.get(part.tool_use_id) : undefined;
        return reason === undefined ? part : { ...part, content: reason };
      });
      return { ...message, message: { ...said, content }, tool_use_result: undefined };
    }
    return ids.some((id) => replaced.has(id)) && isRecord(beside) && 'structuredContent' in beside
      ? { ...message, tool_use_result: { content: beside['content'] } }
      : message;
  }

  /** The end of a sub-agent without its answer, if hooks decide on that: they have not yet. */
  #withoutAnswer(message: SDKTaskNotificationMessage): SDKTaskNotificationMessage {
    return this.#setting.registries.decidesResult('Agent')
      ? { ...message, summary: message.status }
      : message;
  }

  /** Ends the run of a result. */
  async #result(message: SDKResultMessage): Promise<SDKResultMessage> {
    this.#over.resolve();
    const conversation = this.#gate.conversation(message.session_id);
    // After `/clear`, the first message with the id of the new session.
    this.#gate.goesOnIn(conversation);
    const turn = conversation.takeTurn(message.user_message_uuids ?? []);
    this.#gate.forget(conversation);
    const run = turn.at(-1);
    if (run === undefined) return message;
    const isDeferred = message.terminal_reason === 'tool_deferred';
    // A run that a hook has ended meanwhile does not wait.
    if (isDeferred && run.stop !== undefined) conversation.deferred = undefined;
    const { deferred } = conversation;
    if (deferred !== undefined && isDeferred) {
      const { callId } = deferred;
      await run.pause([deferred]);
      pausedRuns.keep(run, [pauseKey(message.session_id, callId), sessionKey(message.session_id)]);
      conversation.pause();
      const stored = () => waitingCall(this.#setting.options, message.session_id, callId);
      const approvalId = this.#messageIds.get(callId) ?? (await stored());
      return withPending(message, [{ ...deferred, approvalId: approvalId ?? '' }]);
    }
    // An answer that a Stop hook refused was shown before. A structured one would be used all the same.
    const isStructured = message.subtype === 'success' && message.structured_output !== undefined;
    const stands = run.stop === undefined || (conversation.answers.has(run) && !isStructured);
    for (const one of turn) await one.end(endOf(message, this.#setting.options));
    const stopped = turn.findLast(({ stop }) => stop !== undefined);
    if (stopped?.stop === undefined) return message;
    this.#setting.registries.throwRejection(stopped);
    const { structured_output: _, ...rest } = { structured_output: undefined, ...message };
    const told = stands || rest.subtype !== 'success' ? message : { ...rest, result: stopped.stop.reason };
    noteBlocked(told, stopped.stop.reason);
    return told;
  }

  /** Claude Code calls the model once more after an abort, unless it is interrupted first. */
  #stop(then: () => void): void {
    const timer = setTimeout(then, INTERRUPT_MS);
    const now = () => (clearTimeout(timer), then());
    void this.#inner.interrupt().then(now, now);
  }

  async #end(end: RunEnd): Promise<void> {
    this.#over.resolve();
    if (this.#ended) return;
    this.#ended = true;
    this.#proxy?.close();
    for (const conversation of this.#gate.conversations) {
      await conversation.settle();
      await conversation.end(end);
      if (this.#ownsSession && conversation.deferred === undefined) await conversation.close();
    }
  }
}

const INTERRUPT_MS = 2000;

const PAST_PROXY =
  'Claude Code asked a model past the proxy, so the query was closed: something in its settings or environment has replaced ANTHROPIC_BASE_URL.';

/** The model of a message that Claude Code writes itself. */
const SYNTHETIC = '<synthetic>';

const NO_PROMPT =
  "hookedQuery: a prompt must have the type 'user', and its message the role 'user' and a text or a list of parts as content. Claude Code takes others as commands, so the query was closed.";

/** Rules that deny every tool. */
const NO_TOOL = { deny: ['*'] };

function userMessage(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}

function isUserMessage(value: unknown): boolean {
  if (!isRecord(value) || value['type'] !== 'user' || !isRecord(value['message'])) return false;
  const { role, content } = value['message'];
  const isContent = typeof content === 'string' || (Array.isArray(content) && content.every(isRecord));
  return role === 'user' && isContent;
}

/** The text of a failed result. */
function errorOf(message: SDKResultMessage): string | undefined {
  if (!message.is_error) return undefined;
  return message.subtype === 'success' ? message.result : message.errors.join('; ');
}

function endOf(message: SDKResultMessage, { maxTurns = 0 }: Options): RunEnd {
  if (message.subtype === 'success')
    return message.is_error
      ? { kind: 'error', error: new Error(message.result) }
      : { kind: 'done', response: message.result };
  const text = message.errors.join('\n') || message.subtype;
  return message.subtype === 'error_max_turns'
    ? { kind: 'limit', maxIterations: maxTurns, message: text }
    : { kind: 'error', error: new Error(text) };
}
