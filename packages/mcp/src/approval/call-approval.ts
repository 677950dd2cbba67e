import { randomUUID } from 'node:crypto';
import type { ApprovalRequest, Approver, Resumed } from '@hooks/core';
import { answerFrom, unapproved } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import type { Connection, Reply } from '../connection.ts';
import { type Fields, isFields, isModern, type Message, message } from '../message/message.ts';
import { sessionIdOf } from '../session.ts';
import type { GatedRequest } from '../tools/doors.ts';
import { answerIn, canElicit, formFor } from './elicitation.ts';
import type { RequestState } from './request-state.ts';

/** The approval of one call: who is asked, and in the modern protocol the answer that the client brings back. */
export class CallApproval {
  /** Stays the same each time the client sends the call. */
  callId: string = `call-${randomUUID()}`;
  /** The params for the server, without the fields that only concern the client and the proxy. */
  forServer: Fields;
  readonly #connection: Connection;
  readonly #request: GatedRequest;
  readonly #params: Fields;
  readonly #modern: boolean;
  /** The hash of the approved input. */
  #approved: string | undefined;

  constructor(connection: Connection, request: GatedRequest) {
    this.#connection = connection;
    this.#request = request;
    this.#params = request.message.json.params ?? {};
    this.forServer = this.#params;
    this.#modern = isModern(request.message.json);
  }

  /** Asks the person at the client, or else the operator's approver. */
  readonly pause: Approver = async (request, options) => {
    const { message, route } = this.#request;
    const { approval, warn } = this.#connection.settings;
    if (canElicit(this.#connection.capabilitiesFor(message.json))) {
      if (this.#modern) throw new Question(request);
      const reply = await this.#connection.ask('elicitation/create', formFor(request), route, options.signal);
      if (reply.error === undefined) return answerIn(reply.result);
      warn(`the client could not request approval: ${reply.error.message}`);
    }
    const given = (await approval?.(request, options)) ?? unapproved(request.reason, NOBODY);
    const answer = answerFrom(given, request.hash);
    // Core says what is wrong with it.
    if (typeof answer === 'string') return given;
    // Another input does not fit into the client's state: the approver is asked again.
    if (answer.decision === 'allow' && !('input' in answer)) this.#approved = request.hash;
    return answer;
  };

  /** The person's answer since the client first sent the call. */
  async resume(): Promise<Resumed | undefined> {
    const { states } = this.#connection.settings;
    const { requestState, inputResponses, ...params } = this.#params;
    if (!this.#modern || !states.isOurs(requestState)) return undefined;
    const { [states.question]: answer, ...answers } = isFields(inputResponses) ? inputResponses : {};
    const state = states.open(requestState, await this.#binding());
    const others = Object.keys(answers).length > 0 && state !== undefined ? { inputResponses: answers } : {};
    this.forServer = { ...params, ...state?.server, ...others };
    // For another call, expired, or used: ask the person again.
    if (state === undefined) return undefined;
    this.callId = state.callId;
    const { decision } = state.stage === 'approved' ? { decision: 'allow' } : answerIn(answer);
    if (decision !== 'allow') return { decision: 'deny' };
    this.#approved = state.hash;
    return { decision, hash: state.hash };
  }

  /** Asks the client to show a form and call again. */
  async ask(request: ApprovalRequest): Promise<Message> {
    const { requestState, inputResponses } = this.forServer;
    const form = { method: 'elicitation/create', params: { mode: 'form', ...formFor(request) } };
    return message({
      id: this.#request.id,
      result: {
        resultType: 'input_required',
        inputRequests: { [this.#connection.settings.states.question]: form },
        requestState: await this.#seal({
          hash: request.hash,
          stage: 'ask',
          server: {
            ...(requestState !== undefined && { requestState }),
            ...(inputResponses !== undefined && { inputResponses }),
          },
        }),
      },
    });
  }

  /** Forwards a question of the server. An approval already given counts when the call comes again. */
  async pass({ message: asked, route }: Reply): Promise<Reply> {
    const json = { ...asked.json, id: this.#request.id };
    if (this.#approved === undefined) return { route, message: asked.json.id === json.id ? asked : { json } };
    const { requestState: theirs } = json.result ?? {};
    const server = theirs === undefined ? {} : { requestState: theirs };
    const requestState = await this.#seal({ hash: this.#approved, stage: 'approved', server });
    return { route, message: { json: { ...json, result: { ...json.result, requestState } } } };
  }

  async #seal(state: Pick<RequestState, 'hash' | 'stage' | 'server'>): Promise<string> {
    const { states } = this.#connection.settings;
    return states.seal({ ...state, call: await this.#binding(), callId: this.callId });
  }

  /** What a state is bound to: the user, the conversation, the server and the call. */
  #binding(): Promise<string> {
    const { door, message } = this.#request;
    const { settings } = this.#connection;
    const { user, server = null } = settings;
    const session = sessionIdOf(this.#params, settings) ?? null;
    return hashInput([
      user,
      session,
      server,
      message.json.method,
      door.name(this.#params),
      door.input(this.#params),
    ]);
  }
}

const NOBODY =
  "this client cannot show forms (MCP elicitation). Use a client that can, or set an approver: the proxy's `approval` option, or `hooks mcp --store`";

/** The call pauses: someone has to answer before it continues. */
export class Pause extends Error {}

/** The client has to ask a person. */
export class Question extends Pause {
  readonly request: ApprovalRequest;

  constructor(request: ApprovalRequest) {
    super('a person must approve the call');
    this.request = request;
  }
}

/** The server wants input. That is not a result: it is not redacted and causes no retry. */
export class ServerAsks extends Pause {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('the server requires input');
    this.reply = reply;
  }
}
