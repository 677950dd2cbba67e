import {
  BeforeToolCall,
  block,
  createHooks,
  type Execute,
  type Hooks,
  type InvalidInput,
  type RenameTarget,
  type Session,
  type ToolCallOutcome,
} from '@hooks/core';
import { concerns, failureText, forgetPaused, isSameInput, takeContext, warnOnce } from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';
import { CallApproval, Pause, Question, ServerAsks } from '../approval/call-approval.ts';
import type { Connection, Reply } from '../connection.ts';
import { hasInexactNumber } from '../message/inexact-number.ts';
import {
  errorResponse,
  type Fields,
  hasDisguised,
  type Id,
  INVALID_PARAMS,
  isFields,
  isModern,
  METHOD_NOT_FOUND,
  type Message,
  message,
  metaOf,
  SERVER_ERROR,
  seen,
} from '../message/message.ts';
import { otherSpelling } from '../message/spelling.ts';
import { sessionOf } from '../session.ts';
import { descriptorOf, type GatedRequest, NO_TASKS } from './doors.ts';
import { isDecided, type KnownTool, markPinned, offer } from './offer.ts';
import { fitting, outputOf, ServerError, ToolFailure } from './result.ts';

/** The value of `call.native` in hooks. */
export interface NativeToolCall {
  /** `tools/call`, `resources/read` or `prompts/get`. */
  readonly method: string;
  /** The prefix of the server in a gateway. */
  readonly server: string | undefined;
  /** The `_meta` of the request. */
  readonly meta: { readonly [field: string]: unknown };
}

/** Runs a request through the tool-call pipeline and answers the client. */
export async function callThroughHooks(connection: Connection, request: GatedRequest): Promise<void> {
  const { id, route } = request;
  const abort = connection.begin(request.message);
  try {
    const answer = await new GatedCall(connection, request, abort.signal).answer();
    if (answer === undefined) route.end();
    else if (answer !== 'passed') answer.route.toClient(answer.message);
  } catch (error) {
    connection.settings.warn(`a call failed in the proxy: ${String(error)}`);
    route.toClient(
      errorResponse(id, INTERNAL_ERROR, 'The proxy failed on this call; nothing was forwarded.'),
    );
  } finally {
    connection.end(request.message);
  }
}

const ASKED = 'The server asked for input first. The client sends the call again with it.';

const INTERNAL_ERROR = -32603;

/** A call as it enters the pipeline. */
interface Entering {
  readonly toolName: string;
  readonly session: Session;
  /** Whether the session is this call's own. */
  readonly own: boolean;
  readonly known: KnownTool | undefined;
}

/** A request in the pipeline. */
class GatedCall {
  readonly #connection: Connection;
  readonly #request: GatedRequest;
  readonly #params: Fields;
  readonly #modern: boolean;
  readonly #signal: AbortSignal;
  readonly #approval: CallApproval;
  readonly #idAtServer: Id;
  #attempts = 0;
  /** The server's latest response, and the error that it caused. */
  #reply: Reply | undefined;
  #thrown: unknown;

  constructor(connection: Connection, request: GatedRequest, signal: AbortSignal) {
    this.#connection = connection;
    this.#request = request;
    this.#params = request.message.json.params ?? {};
    this.#modern = isModern(request.message.json);
    this.#signal = signal;
    this.#approval = new CallApproval(connection, request);
    this.#idAtServer = connection.idAtServer(request.id);
  }

  /** Who makes the call. */
  get #caller() {
    const { message: request, route } = this.#request;
    return { agent: this.#connection.agentOf(request.json), principal: route.principal };
  }

  /** The answer and its destination; undefined if the client canceled the request. */
  async answer(): Promise<Reply | 'passed' | undefined> {
    const { door, id, message: request, route } = this.#request;
    const { hooks } = this.#connection.settings;
    const toolName = door.name(this.#params);
    if (toolName === undefined || hasDisguised(this.#params, door.fields))
      return {
        route,
        message: errorResponse(id, INVALID_PARAMS, 'The params do not fit the method.'),
      };
    if (this.#params['task'] !== undefined)
      return { route, message: errorResponse(id, METHOD_NOT_FOUND, NO_TASKS) };
    const { session, own } = sessionOf(this.#params, this.#connection.settings);
    const isTool = request.json.method === 'tools/call';
    const known = isTool ? await this.#offered(toolName, session) : undefined;
    if (known?.hidden === undefined && !concerns(hooks, toolName)) return this.#pass();
    return this.#throughHooks({ toolName, session, own, known });
  }

  /** Forwards a request that no hook decides on. */
  #pass(): 'passed' | undefined {
    const { id, message: request, route } = this.#request;
    // Hooks of the list of tools may take a while.
    if (this.#signal.aborted) return undefined;
    const answer = (reply: Reply): void => {
      if (asks(reply.message)) this.#connection.pass(reply.message, request.json.method ?? '', reply.route);
      else reply.route.toClient(reply.message);
    };
    this.#connection.forward(request, id, route, answer, this.#idAtServer);
    return 'passed';
  }

  async #throughHooks({ toolName, session, own, known }: Entering) {
    const { door, message: request, route, id } = this.#request;
    const { hooks, server } = this.#connection.settings;
    if (known?.pinned) markPinned(session, toolName);
    const resumed = await this.#approval.resume();
    const native: NativeToolCall = { method: request.json.method ?? '', server, meta: metaOf(this.#params) };
    const input = door.input(this.#params);
    try {
      const misread = misreadable(request, this.#params, known?.definition.inputSchema);
      if (misread !== undefined) return { route, message: errorResponse(id, INVALID_PARAMS, misread) };
      const outcome = await callTool(
        known?.hidden === undefined ? hooks : [{ hooks }, { hooks: refusing(known.hidden) }],
        {
          session,
          ...this.#caller,
          toolName,
          callId: this.#approval.callId,
          input,
          tool: descriptorOf(known?.definition, server),
          signal: this.#signal,
          resumed,
          native,
        },
        this.#execute(toolName, input),
        {
          check: (given) => checkArguments(given),
          ...(known && { rename: (name: string) => this.#find(name, input, native) }),
          approval: 'native',
          pause: this.#approval.pause,
          isControlFlow: (error) => error instanceof Pause,
        },
      );
      if (outcome.context.length > 0) dropContext(hooks, session);
      return this.#answerOf(outcome, known);
    } catch (error) {
      if (error instanceof Question) return { route, message: await this.#approval.ask(error.request) };
      if (error instanceof ServerAsks) {
        const asked = await this.#approval.pass(error.reply);
        const message = await this.#connection.screen(asked.message, native.method);
        return message && { ...asked, message };
      }
      throw error;
    } finally {
      await forgetPaused(hooks, session, this.#approval.callId, ASKED);
      if (own) await session.close();
    }
  }

  /** The tool as hooks offer it to this caller. If they have not decided on that yet, they do now. */
  async #offered(name: string, session: Session): Promise<KnownTool> {
    const { hooks, tools, server } = this.#connection.settings;
    const caller = { server, ...this.#caller };
    const listed = tools.get(name);
    if (listed === undefined) return offer(hooks, session, { ...caller, tool: { name }, listed: false });
    const about = { ...caller, tool: listed.definition, listed: true };
    if (isDecided(listed, hooks, about)) return listed;
    const known = await offer(hooks, session, about);
    // A newer list may have arrived meanwhile.
    if (tools.get(name) === listed) tools.set(name, known);
    return known;
  }

  /** Runs the tool with this name. */
  #execute(toolName: string, original: Fields): Execute {
    const { door } = this.#request;
    return async (input, { call: { concealed } }) => {
      this.#reply = undefined;
      if (concealed !== undefined) this.#connection.conceal(concealed);
      const params =
        isSameInput(input, original) && toolName === door.name(this.#params)
          ? this.#approval.forServer
          : door.withInput(this.#approval.forServer, input as Fields, toolName);
      try {
        const reply = await this.#send(params);
        this.#refuseNoResult(reply);
        this.#reply = reply;
        return outputOf(reply.message.json);
      } catch (error) {
        this.#thrown = error;
        throw error;
      }
    };
  }

  /** Sends the request, the client's own if nothing is changed. */
  #send(params: Fields): Promise<Reply> {
    const { id, message: request, route } = this.#request;
    const requestId = ++this.#attempts === 1 ? this.#idAtServer : this.#connection.mintId();
    const sent =
      requestId === id && params === this.#params
        ? request
        : { json: { ...request.json, id: requestId, params } };
    return this.#connection.request(sent, requestId, route, this.#signal);
  }

  /** Throws if the server asks for input, or returns a task. */
  #refuseNoResult(reply: Reply): void {
    const { result } = reply.message.json;
    if (asks(reply.message)) {
      if (this.#modern && isOnlyQuestion(result)) throw new ServerAsks(reply);
      throw new ServerError({ code: SERVER_ERROR, message: NO_QUESTION });
    }
    if (isTask(result)) throw new ServerError({ code: METHOD_NOT_FOUND, message: NO_TASKS });
  }

  /** A tool that a hook selects instead of the called one: one that the server has listed, and that hooks offer. */
  #find(name: string, original: Fields, native: NativeToolCall): RenameTarget | string {
    const { hooks, tools, server } = this.#connection.settings;
    const tool = tools.get(name);
    if (tool === undefined || tool.hidden !== undefined || !isDecided(tool, hooks, this.#caller))
      return `the server has not listed a tool named ${name} to this caller`;
    const { definition } = tool;
    return {
      name,
      tool: descriptorOf(definition, server),
      native,
      registries: hooks,
      unenforced: undefined,
      check: (input) => checkArguments(input, definition.inputSchema),
      execute: this.#execute(name, original),
    };
  }

  #answerOf(outcome: ToolCallOutcome, known: KnownTool | undefined): Reply | undefined {
    if (outcome.aborted) return undefined;
    const route = this.#reply?.route ?? this.#request.route;
    const unchanged = this.#unchanged(outcome);
    return { route, message: unchanged ?? this.#complete(this.#changed(outcome, known)) };
  }

  /** The server's own response, if hooks left it unchanged. */
  #unchanged({ status, output, error }: ToolCallOutcome): Message | undefined {
    const { message } = this.#reply ?? {};
    if (message === undefined) return undefined;
    const same =
      status === 'ok' ? output === message.json.result : status === 'error' && error === this.#thrown;
    if (!same) return undefined;
    return seen(message, this.#request.id);
  }

  #changed(outcome: ToolCallOutcome, known: KnownTool | undefined): Message {
    const { door, id } = this.#request;
    const { status, output, reason = '', message: text = reason, code } = outcome;
    if (status === 'ok') {
      const result = door.result(output, this.#params);
      if (result === undefined)
        return door.refusal(id, 'Withheld, because a hook replaced the result with a value of another type.');
      return message({ id, result: fitting(result, known?.definition.outputSchema) });
    }
    if (status !== 'error') return door.refusal(id, text);
    if (code === 'INVALID_INPUT') return errorResponse(id, INVALID_PARAMS, failureText(outcome));
    if (this.#thrown instanceof ServerError)
      return errorResponse(id, this.#thrown.code, failureText(outcome));
    // A replacement of the tool may throw as well.
    if (this.#thrown instanceof ToolFailure || this.#thrown === undefined)
      return door.refusal(id, failureText(outcome));
    return errorResponse(id, SERVER_ERROR, failureText(outcome));
  }

  /** In the modern protocol, each result has a `resultType`. */
  #complete({ json }: Message): Message {
    if (!this.#modern || json.result === undefined) return { json };
    return { json: { ...json, result: { ...json.result, resultType: 'complete' } } };
  }
}

/** The server checks arguments by itself, but it might read others in them than hooks. */
function checkArguments(given: unknown, inputSchema?: Fields): InvalidInput | undefined {
  if (!isFields(given)) return { message: 'the arguments must be an object' };
  const message = misspelled(given, inputSchema);
  return message === undefined ? undefined : { message };
}

/** Why a server may read other arguments in a call than hooks would; undefined if it cannot. */
function misreadable({ raw }: Message, params: Fields, inputSchema: Fields | undefined): string | undefined {
  if (raw !== undefined && hasInexactNumber(Buffer.from(raw).toString()))
    return 'A number in the call has more digits than JavaScript can represent, so hooks would see another one. Send it as a text.';
  return misspelled(params['arguments'], inputSchema);
}

function misspelled(given: unknown, inputSchema: Fields | undefined): string | undefined {
  const found = otherSpelling(given, inputSchema);
  return (
    found &&
    `The arguments have two spellings of one name: ${JSON.stringify(found.given)} is not ${JSON.stringify(found.other)}.`
  );
}

/** Whether the server asks for input, which is no result. */
function asks({ json }: Message): boolean {
  return json.result?.['resultType'] === 'input_required';
}

/** Whether there is nothing else in it, such as content, that a client could take for the result. */
function isOnlyQuestion(result: Fields | undefined): boolean {
  return Object.keys(result ?? {}).every((field) => QUESTION_FIELDS.has(field));
}

const QUESTION_FIELDS: ReadonlySet<string> = new Set([
  ...['resultType', 'inputRequests', 'requestState', '_meta'],
]);

const NO_QUESTION =
  'The server asked for input in a way that its protocol does not know: with a result beside the question, or in a protocol older than 2026-07-28.';

/** Whether the server returned a promise of a result, which another request would deliver. */
function isTask(result: Fields | undefined): boolean {
  const type = result?.['resultType'];
  return (
    (type !== undefined && type !== 'complete') || (result?.['task'] !== undefined && !('content' in result))
  );
}

/** Refuses a call inside the pipeline, so that observers see it. */
function refusing(reason: string): Hooks {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block(reason), { id: 'mcp:hidden-tool' });
  return hooks;
}

function dropContext(hooks: Hooks, session: Parameters<typeof takeContext>[1]): void {
  takeContext(hooks, session);
  warnOnce(hooks, 'dropped context for the model: an MCP proxy cannot pass it on');
}
