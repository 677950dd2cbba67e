import { randomUUID } from 'node:crypto';
import {
  type ApprovalRequest,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  type Execute,
  type Hooks,
  type RenameTarget,
  type Resumed,
  type ToolCallOutcome,
} from '@hooks/core';
import { concerns, forgetPaused, takeContext, warnOnce } from '@hooks/core/adapter';
import { callTool, hashInput } from '@hooks/core/tool-call';
import { answerIn, canElicit, formFor } from '../approval/elicitation.ts';
import { AnsweredElsewhere, type Connection, type Reply, type Route } from '../connection.ts';
import {
  errorResponse,
  type Fields,
  type Id,
  INVALID_PARAMS,
  isDisguised,
  isFields,
  isModern,
  METHOD_NOT_FOUND,
  type Message,
  message,
  metaOf,
  SERVER_ERROR,
} from '../message/message.ts';
import { sessionOf } from '../session.ts';
import { type Door, descriptorOf, NO_TASKS } from './doors.ts';
import { type KnownTool, offer } from './offer.ts';
import { failureText, fitting, outputOf, ServerError, ToolFailure } from './result.ts';

/** A request that hooks decide about. */
export interface GatedRequest {
  readonly door: Door;
  readonly id: Id;
  readonly message: Message;
  readonly route: Route;
}

/** What `call.native` is in hooks. */
export interface McpNative {
  /** `tools/call`, `resources/read` or `prompts/get`. */
  readonly method: string;
  /** The prefix of the server in a gateway. */
  readonly server: string | undefined;
  /** The `_meta` of the request. */
  readonly meta: { readonly [field: string]: unknown };
}

/** Takes a request through the whole tool-call pipeline, and answers the client. */
export async function callThroughHooks(connection: Connection, request: GatedRequest): Promise<void> {
  const { id, route } = request;
  const abort = connection.begin(request.message);
  try {
    const answer = await new GatedCall(connection, request, abort.signal).answer();
    if (answer === undefined) route.end();
    else if (answer !== 'passed') answer.route.toClient(answer.message);
  } catch (error) {
    if (error instanceof AnsweredElsewhere) return;
    connection.settings.warn(`a call failed in the proxy: ${String(error)}`);
    route.toClient(errorResponse(id, INTERNAL_ERROR, 'The proxy failed on this call; nothing is passed on.'));
  } finally {
    connection.end(request.message);
  }
}

const INTERNAL_ERROR = -32603;

/** One request on its way through the pipeline. */
class GatedCall {
  readonly #connection: Connection;
  readonly #request: GatedRequest;
  readonly #params: Fields;
  readonly #modern: boolean;
  readonly #signal: AbortSignal;
  #callId = `call-${randomUUID()}`;
  /** The params for the server: without what is between the client and us. */
  #forServer: Fields;
  #attempts = 0;
  /** The newest response of the server, and what was thrown because of it. */
  #reply: Reply | undefined;
  #thrown: unknown;
  /** The hash of the input that a person has agreed to. */
  #approved: string | undefined;

  constructor(connection: Connection, request: GatedRequest, signal: AbortSignal) {
    this.#connection = connection;
    this.#request = request;
    this.#params = request.message.json.params ?? {};
    this.#forServer = this.#params;
    this.#modern = isModern(request.message.json);
    this.#signal = signal;
  }

  /** The answer, and where it goes; undefined where the client has canceled the request. */
  async answer(): Promise<Reply | 'passed' | undefined> {
    const { door, id, message: request, route } = this.#request;
    const { hooks } = this.#connection.settings;
    const toolName = door.name(this.#params);
    if (toolName === undefined || Object.keys(this.#params).some((key) => isDisguised(key, door.fields)))
      return {
        route,
        message: errorResponse(id, INVALID_PARAMS, 'The params are not as the method has them.'),
      };
    if (this.#params['task'] !== undefined)
      return { route, message: errorResponse(id, METHOD_NOT_FOUND, NO_TASKS) };
    const { session, own } = sessionOf(this.#params, this.#connection.settings);
    const agent = this.#connection.agentOf(request.json);
    const { server, tools, principal } = this.#connection.settings;
    const isTool = request.json.method === 'tools/call';
    const about = { tool: { name: toolName }, listed: false, server, agent, principal };
    const known = isTool ? (tools.get(toolName) ?? (await offer(hooks, session, about))) : undefined;
    if (known?.hidden === undefined && !concerns(hooks, toolName)) {
      this.#connection.forward(request, id, route);
      return 'passed';
    }
    const resumed = await this.#resume(toolName);
    const native: McpNative = { method: request.json.method ?? '', server, meta: metaOf(this.#params) };
    const input = door.input(this.#params);
    try {
      const outcome = await callTool(
        known?.hidden === undefined ? hooks : [{ hooks }, { hooks: refusing(known.hidden) }],
        {
          session,
          agent,
          principal,
          toolName,
          callId: this.#callId,
          input,
          tool: descriptorOf(known?.definition),
          signal: this.#signal,
          resumed,
          native,
        },
        this.#execute(toolName, input),
        {
          check: (given) => (isFields(given) ? undefined : { message: 'the arguments have to be an object' }),
          ...(isTool && { rename: (name: string) => this.#rename(name, input) }),
          approval: this.#approver,
          isControlFlow: (error) => error instanceof Pause || error instanceof AnsweredElsewhere,
        },
      );
      if (outcome.context.length > 0) dropContext(hooks, session);
      return this.#answerOf(outcome, known);
    } catch (error) {
      if (error instanceof Question) return { route, message: await this.#ask(error.request, toolName) };
      if (error instanceof ServerAsks) return await this.#passQuestion(error.reply, toolName);
      throw error;
    } finally {
      forgetPaused(hooks, session, this.#callId);
      if (own) await session.close();
    }
  }

  /** Runs the tool of that name. */
  #execute(toolName: string, original: Fields): Execute {
    const { door, id, message: request, route } = this.#request;
    return async (input) => {
      this.#reply = undefined;
      const first = ++this.#attempts === 1;
      const requestId = first ? id : this.#connection.mintId();
      const params =
        input === original && toolName === door.name(this.#params)
          ? this.#forServer
          : door.withInput(this.#forServer, input as Fields, toolName);
      const sent =
        first && params === this.#params ? request : { json: { ...request.json, id: requestId, params } };
      try {
        const reply = await this.#connection.request(sent, requestId, route, this.#signal);
        const { result } = reply.message.json;
        if (result?.['resultType'] === 'input_required') throw new ServerAsks(reply);
        if (isTask(result)) throw new ServerError({ code: METHOD_NOT_FOUND, message: NO_TASKS });
        this.#reply = reply;
        return outputOf(reply.message.json);
      } catch (error) {
        this.#thrown = error;
        throw error;
      }
    };
  }

  #rename(name: string, original: Fields): RenameTarget | string {
    const tool = this.#connection.settings.tools.get(name);
    if (tool === undefined || tool.hidden !== undefined) return `the server has listed no tool ${name}`;
    return { tool: descriptorOf(tool.definition), execute: this.#execute(name, original) };
  }

  /** Asks the person at the client, else whoever the operator has named. */
  readonly #approver: Approver = async (request, options) => {
    const { message, route } = this.#request;
    const { approval, warn } = this.#connection.settings;
    if (canElicit(this.#connection.capabilitiesFor(message.json))) {
      if (this.#modern) throw new Question(request);
      const reply = await this.#connection.ask('elicitation/create', formFor(request), route, options.signal);
      if (reply.error === undefined) return answerIn(reply.result);
      warn(`the client could not ask for approval: ${reply.error.message}`);
    }
    const answer = (await approval?.(request, options)) ?? {
      decision: 'deny',
      reason: `Approval is required (${request.reason}), but nobody can be asked: this client shows no forms (MCP elicitation). Use a client that does, or give the proxy an approver: its \`approval\` option, or \`hooks mcp --store\`.`,
    };
    if (answer.decision === 'allow') this.#approved = request.hash;
    return answer;
  };

  /** In the modern era: what a person has said since the call was sent the first time. */
  async #resume(toolName: string): Promise<Resumed | undefined> {
    const { states } = this.#connection.settings;
    const { requestState, inputResponses, ...params } = this.#params;
    if (!this.#modern || !states.isOurs(requestState)) return undefined;
    const { [states.question]: answer, ...answers } = isFields(inputResponses) ? inputResponses : {};
    const state = states.open(requestState, await this.#binding(toolName));
    const others = Object.keys(answers).length > 0 && state !== undefined ? { inputResponses: answers } : {};
    this.#forServer = { ...params, ...state?.server, ...others };
    // Of another call, too late, or used: the person is asked again.
    if (state === undefined) return undefined;
    this.#callId = state.callId;
    const { decision } = state.stage === 'approved' ? { decision: 'allow' } : answerIn(answer);
    if (decision !== 'allow') return { decision: 'deny' };
    this.#approved = state.hash;
    return { decision, hash: state.hash };
  }

  /** In the modern era: the client asks the person, and calls again. */
  async #ask(request: ApprovalRequest, toolName: string): Promise<Message> {
    const { states } = this.#connection.settings;
    const { requestState, inputResponses } = this.#forServer;
    const server = {
      ...(requestState !== undefined && { requestState }),
      ...(inputResponses !== undefined && { inputResponses }),
    };
    const call = await this.#binding(toolName);
    const state = { call, callId: this.#callId, hash: request.hash, stage: 'ask', server } as const;
    const form = { method: 'elicitation/create', params: { mode: 'form', ...formFor(request) } };
    return message({
      id: this.#request.id,
      result: {
        resultType: 'input_required',
        inputRequests: { [states.question]: form },
        requestState: states.seal(state),
      },
    });
  }

  /** The server wants to know something. If a person has agreed to the call, that counts when it comes again. */
  async #passQuestion({ message: asked, route }: Reply, toolName: string): Promise<Reply> {
    const json = { ...asked.json, id: this.#request.id };
    if (this.#approved === undefined) return { route, message: asked.json.id === json.id ? asked : { json } };
    const { requestState } = json.result ?? {};
    const state = {
      call: await this.#binding(toolName),
      callId: this.#callId,
      hash: this.#approved,
      stage: 'approved',
      server: requestState === undefined ? {} : { requestState },
    } as const;
    const result = { ...json.result, requestState: this.#connection.settings.states.seal(state) };
    return { route, message: { json: { ...json, result } } };
  }

  /** What a state is bound to: who calls what. */
  #binding(toolName: string): Promise<string> {
    const { door, message } = this.#request;
    return hashInput([
      this.#connection.settings.user,
      message.json.method,
      toolName,
      door.input(this.#params),
    ]);
  }

  #answerOf(outcome: ToolCallOutcome, known: KnownTool | undefined): Reply | undefined {
    if (outcome.aborted) return undefined;
    const route = this.#reply?.route ?? this.#request.route;
    const unchanged = this.#unchanged(outcome);
    return { route, message: unchanged ?? this.#complete(this.#changed(outcome, known)) };
  }

  /** The server's own response, where hooks have left it as it is. */
  #unchanged({ status, output, error }: ToolCallOutcome): Message | undefined {
    const { message } = this.#reply ?? {};
    if (message === undefined) return undefined;
    const same =
      status === 'ok' ? output === message.json.result : status === 'error' && error === this.#thrown;
    if (!same) return undefined;
    const { id } = this.#request;
    return message.json.id === id ? message : { json: { ...message.json, id } };
  }

  #changed(outcome: ToolCallOutcome, known: KnownTool | undefined): Message {
    const { door, id } = this.#request;
    const { status, output, reason = '', message: text = reason, code } = outcome;
    if (status === 'ok') {
      const result = door.result(output, this.#params);
      if (result === undefined)
        return door.refusal(
          id,
          'Withheld, because a hook has put something in its place that is no such result.',
        );
      return message({ id, result: fitting(result, known?.definition.outputSchema) });
    }
    if (status !== 'error') return door.refusal(id, text);
    if (code === 'INVALID_INPUT') return errorResponse(id, INVALID_PARAMS, failureText(outcome));
    if (this.#thrown instanceof ServerError)
      return errorResponse(id, this.#thrown.code, failureText(outcome));
    // What runs in the tool's place may throw, too.
    if (this.#thrown instanceof ToolFailure || this.#thrown === undefined)
      return door.refusal(id, failureText(outcome));
    return errorResponse(id, SERVER_ERROR, failureText(outcome));
  }

  /** In the modern era each result says that it is one. */
  #complete({ json }: Message): Message {
    if (!this.#modern || json.result === undefined) return { json };
    return { json: { ...json, result: { ...json.result, resultType: 'complete' } } };
  }
}

/** The call pauses: somebody has to answer before it goes on. */
class Pause extends Error {}

/** A person has to be asked, by the client. */
class Question extends Pause {
  readonly request: ApprovalRequest;

  constructor(request: ApprovalRequest) {
    super('a person has to approve the call');
    this.request = request;
  }
}

/** The server wants input. That is no result: it is neither redacted nor a reason to call again. */
class ServerAsks extends Pause {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('the server wants input');
    this.reply = reply;
  }
}

/** Whether what came is the promise of a result, which would come by another request. */
function isTask(result: Fields | undefined): boolean {
  const type = result?.['resultType'];
  return (
    (type !== undefined && type !== 'complete') || (result?.['task'] !== undefined && !('content' in result))
  );
}

/** Refuses a call inside the pipeline, so that whoever watches it sees that. */
function refusing(reason: string): Hooks {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block(reason), { id: 'mcp:hidden-tool' });
  return hooks;
}

function dropContext(hooks: Hooks, session: Parameters<typeof takeContext>[1]): void {
  takeContext(hooks, session);
  warnOnce(hooks, 'hooks added context for the model, which an MCP proxy cannot bring to it; it is dropped');
}
