import { type ApprovalRequest, HooksError } from '@hooks/core';
import { isSameInput } from '@hooks/core/adapter';
import type { ToolCallRequest } from 'langchain';
import type { Whereabouts } from '../config.ts';
import { lastInterrupts, resumedWith } from '../internals.ts';
import type { InterruptAnswer } from './answers.ts';
import { isApprovalInterrupt, isOwn, isReviewInterrupt } from './pending.ts';

/** A person's decision about a call. */
export type ReviewDecision = 'approve' | 'edit' | 'reject';

/** How a person reviews the calls of one tool; LangChain's `InterruptOnConfig`. */
export interface ToolReview {
  readonly allowedDecisions: readonly ReviewDecision[];
  /** The text for the person. Default: the tool's name and arguments. */
  readonly description?:
    | string
    | ((
        toolCall: ToolCallRequest['toolCall'],
        state: ToolCallRequest['state'],
        runtime: ToolCallRequest['runtime'],
      ) => string | Promise<string>)
    | undefined;
  /** JSON Schema of the arguments, for people who edit them. */
  readonly argsSchema?: Record<string, unknown> | undefined;
  /** Whether this call must be reviewed. Default: always. `request.tool` is undefined. */
  readonly when?: ((request: ToolCallRequest) => boolean | Promise<boolean>) | undefined;
}

/** Which tools a person reviews before they run; the options of LangChain's `humanInTheLoopMiddleware`. */
export interface ReviewOptions {
  /** By tool name: `true` allows each decision. */
  readonly interruptOn?: { readonly [toolName: string]: boolean | ToolReview } | undefined;
  /** The beginning of the text if a tool has no `description`. */
  readonly descriptionPrefix?: string;
}

/** How a person reviews a call. */
export interface Review {
  /** The text for the person. */
  readonly reason: string;
  /** The call in the form of LangChain's middleware, with the input that will run. */
  readonly shown: (request: ApprovalRequest) => Promise<object>;
  /** Returns the answer, or throws if `interruptOn` does not allow it. */
  readonly checked: (answer: InterruptAnswer) => InterruptAnswer;
  /**
   * The answer for this call in `{ decisions: [...] }`, LangChain's form of a resume value; undefined for another form.
   *
   * @param given for the id of the call's interrupt, or to all pending reviews of the thread: their number
   */
  readonly decided: (value: unknown, given: 'to it' | number) => InterruptAnswer | undefined;
}

/** Whether `interruptOn` lists this tool. */
export function isReviewed({ interruptOn }: ReviewOptions, toolName: string): boolean {
  return configOf(interruptOn, toolName) !== undefined;
}

/** Whether `interruptOn` lists any tool. */
export function reviewsAny({ interruptOn = {} }: ReviewOptions): boolean {
  return Object.values(interruptOn).some((config) => config !== false);
}

function configOf(interruptOn: ReviewOptions['interruptOn'] = {}, toolName: string): ToolReview | undefined {
  const config = Object.hasOwn(interruptOn, toolName) ? interruptOn[toolName] : undefined;
  if (typeof config === 'object') return config;
  return config === true ? ANY_DECISION : undefined;
}

const ANY_DECISION: ToolReview = { allowedDecisions: ['approve', 'edit', 'reject'] };

/** Whether this node has shown the call for review. Then its answer counts, whatever `interruptOn` says by now. */
async function isShown(callId: string | undefined, config: Whereabouts | undefined): Promise<boolean> {
  if (resumedWith(config).length === 0) return false;
  const shown = await lastInterrupts(config);
  return shown
    .filter(isReviewInterrupt)
    .filter(isApprovalInterrupt)
    .some((value) => value.callId === callId && isOwn(value, config));
}

/**
 * How a person reviews a call; undefined if nobody has to.
 *
 * @param name the name of the tool that will run: a middleware may have replaced the one that the model called
 * @param input the arguments as hooks see them
 */
export async function reviewOf(
  { interruptOn, descriptionPrefix = 'Tool execution requires approval' }: ReviewOptions,
  name: string,
  { toolCall: called, state, runtime }: ToolCallRequest,
  input: unknown,
): Promise<Review | undefined> {
  const toolCall = { ...called, name, args: input as typeof called.args }; // a tool's arguments are an object
  const config = configOf(interruptOn, name);
  const { allowedDecisions, argsSchema, description, when } = config ?? ANY_DECISION; // a call that has been shown may be listed no more
  const needed =
    config !== undefined && (await (when?.({ toolCall, tool: undefined, state, runtime }) ?? true));
  if (!needed && !(await isShown(toolCall.id, runtime))) return undefined;
  const described = (call: typeof toolCall): string | Promise<string> => {
    if (typeof description === 'function') return description(call, state, runtime);
    return (
      description ?? `${descriptionPrefix}\n\nTool: ${call.name}\nArgs: ${JSON.stringify(call.args, null, 2)}`
    );
  };
  const reason = await described(toolCall);
  const checked: Review['checked'] = (answer) => {
    const type = typeOf(answer);
    if (type === undefined || allowedDecisions.includes(type)) return answer;
    throw new HooksError(
      'INVALID_INPUT',
      `The decision "${type}" is not allowed for tool "${name}"; interruptOn allows ${allowedDecisions.join(', ')}.`,
    );
  };
  return {
    reason,
    checked,
    async shown(asked) {
      const args = asked.input as typeof toolCall.args;
      const same = isSameInput(args, toolCall.args);
      return {
        actionRequests: [{ name, args, description: same ? reason : await described({ ...toolCall, args }) }],
        reviewConfigs: [{ actionName: name, allowedDecisions, ...(argsSchema && { argsSchema }) }],
      };
    },
    decided(value, given) {
      const decisions: unknown = Reflect.get(Object(value), 'decisions');
      if (!Array.isArray(decisions)) return undefined;
      if (given !== 'to it') {
        // LangGraph gives the value to every pending interrupt. It must not approve the others, too.
        const reviewed = callsIn(state.messages).filter((call) => isReviewed({ interruptOn }, call.name));
        if (reviewed.length > 1)
          throw ambiguous(`but the model made ${reviewed.length} calls that interruptOn lists`);
        if (given > 1) throw ambiguous(`but ${given} calls of the thread wait for one`);
      }
      if (decisions.length === 1) return checked(answerOf(decisions[0], name));
      throw ambiguous('but each interrupt is about one call');
    },
  };
}

/** Whether a resume value has LangChain's form. */
export function isDecisions(value: unknown): boolean {
  return Array.isArray(Reflect.get(Object(value), 'decisions'));
}

function ambiguous(why: string): HooksError {
  return new HooksError(
    'INVALID_INPUT',
    `The run was resumed with decisions, ${why}: answer by call id, or each interrupt by its id with one decision.`,
  );
}

/**
 * The id of a call; undefined if it is empty, or another call of the same answer has it, too.
 *
 * @param state the state of the graph, or its messages
 */
export function idOfItsOwn(callId: string | undefined, state: unknown): string | undefined {
  const messages: unknown = Array.isArray(state) ? state : Reflect.get(Object(state), 'messages');
  const same = Array.isArray(messages) ? callsIn(messages).filter(({ id }) => id === callId) : [];
  return same.length > 1 ? undefined : callId || undefined;
}

/** The calls of the model's last answer. */
function callsIn(messages: readonly object[]): readonly { readonly id?: string; readonly name: string }[] {
  const answer = messages.findLast((message) => 'tool_calls' in message);
  return Reflect.get(Object(answer), 'tool_calls') ?? [];
}

function typeOf(answer: InterruptAnswer): ReviewDecision | undefined {
  if (answer.decision === 'canceled') return undefined;
  if (answer.decision === 'deny') return 'reject';
  return 'input' in answer ? 'edit' : 'approve';
}

/** The answer in a decision of LangChain's form. */
function answerOf(decision: unknown, toolName: string): InterruptAnswer {
  const { type, message, editedAction } = Object(decision);
  if (type === 'approve') return { decision: 'allow' };
  if (type === 'reject') return { decision: 'deny', ...(typeof message === 'string' && { reason: message }) };
  const isEdit = type === 'edit' && typeof editedAction?.args === 'object' && editedAction.args !== null;
  if (isEdit && editedAction.name === toolName) return { decision: 'allow', input: editedAction.args };
  throw new HooksError(
    'INVALID_INPUT',
    isEdit
      ? `A decision about tool "${toolName}" calls another tool: an edit may change the arguments only.`
      : `A decision about tool "${toolName}" must be { type: 'approve' }, { type: 'edit', editedAction: { name, args } } or { type: 'reject', message }.`,
  );
}
