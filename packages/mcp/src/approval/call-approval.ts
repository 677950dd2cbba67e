import { randomUUID } from 'node:crypto';
import type { ApprovalRequest, Approver, Resumed } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import type { Connection, Reply } from '../connection.ts';
import { type Fields, isFields, isModern, type Message, message } from '../message/message.ts';
import type { GatedRequest } from '../tools/doors.ts';
import { answerIn, canElicit, formFor } from './elicitation.ts';
import type { RequestState } from './request-state.ts';

/** The approval of one call: who is asked, and in the modern era what the client brings back. */
export class CallApproval {
  /** The same for each time that the client sends the call. */
  callId: string = `call-${randomUUID()}`;
  /** The params for the server: without what is between the client and us. */
  forServer: Fields;
  readonly #connection: Connection;
  readonly #request: GatedRequest;
  readonly #params: Fields;
  readonly #modern: boolean;
  /** The hash of the input that somebody has agreed to. */
  #approved: string | undefined;

  constructor(connection: Connection, request: GatedRequest) {
    this.#connection = connection;
    this.#request = request;
    this.#params = request.message.json.params ?? {};
    this.forServer = this.#params;
    this.#modern = isModern(request.message.json);
  }

  /** Asks the person at the client, else whoever the operator has named. */
  readonly approver: Approver = async (request, options) => {
    const { message, route } = this.#request;
    const { approval, warn } = this.#connection.settings;
    if (canElicit(this.#connection.capabilitiesFor(message.json))) {
      if (this.#modern) throw new Question(request);
      const reply = await this.#connection.ask('elicitation/create', formFor(request), route, options.signal);
      if (reply.error === undefined) return answerIn(reply.result);
      warn(`the client could not ask for approval: ${reply.error.message}`);
    }
    const answer = (await approval?.(request, options)) ?? { decision: 'deny', reason: nobody(request) };
    if (answer.decision === 'allow') this.#approved = request.hash;
    return answer;
  };

  /** What a person has said since the client sent the call for the first time. */
  async resume(): Promise<Resumed | undefined> {
    const { states } = this.#connection.settings;
    const { requestState, inputResponses, ...params } = this.#params;
    if (!this.#modern || !states.isOurs(requestState)) return undefined;
    const { [states.question]: answer, ...answers } = isFields(inputResponses) ? inputResponses : {};
    const state = states.open(requestState, await this.#binding());
    const others = Object.keys(answers).length > 0 && state !== undefined ? { inputResponses: answers } : {};
    this.forServer = { ...params, ...state?.server, ...others };
    // Of another call, too late, or used: the person is asked again.
    if (state === undefined) return undefined;
    this.callId = state.callId;
    const { decision } = state.stage === 'approved' ? { decision: 'allow' } : answerIn(answer);
    if (decision !== 'allow') return { decision: 'deny' };
    this.#approved = state.hash;
    return { decision, hash: state.hash };
  }

  /** The answer by which the client asks the person, and calls again. */
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

  /** Passes on a question of the server. If somebody has agreed to the call, that counts when it comes again. */
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

  /** What a state is bound to: who calls what. */
  #binding(): Promise<string> {
    const { door, message } = this.#request;
    const { user } = this.#connection.settings;
    return hashInput([user, message.json.method, door.name(this.#params), door.input(this.#params)]);
  }
}

function nobody({ reason }: ApprovalRequest): string {
  return `Approval is required (${reason}), but nobody can be asked: this client shows no forms (MCP elicitation). Use a client that does, or give the proxy an approver: its \`approval\` option, or \`hooks mcp --store\`.`;
}

/** The call pauses: somebody has to answer before it goes on. */
export class Pause extends Error {}

/** A person has to be asked, by the client. */
export class Question extends Pause {
  readonly request: ApprovalRequest;

  constructor(request: ApprovalRequest) {
    super('a person has to approve the call');
    this.request = request;
  }
}

/** The server wants input. That is no result: it is neither redacted nor a reason to call again. */
export class ServerAsks extends Pause {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('the server wants input');
    this.reply = reply;
  }
}
