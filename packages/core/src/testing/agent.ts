import { answerer } from '../adapter/options.ts';
import { type AfterAnswer, type AgentRun, openRun, type RunToolCall } from '../agent-run/agent-run.ts';
import type { ModelRequest } from '../agent-run/model-call.ts';
import type { Submitted } from '../agent-run/prompt.ts';
import type { RunStop } from '../agent-run/state.ts';
import type { ApprovalRequest, Approver } from '../approval/approval.ts';
import { recordTraces, type TraceRecorder } from '../dispatch/trace.ts';
import type { HooksError } from '../error.ts';
import type { ModelResponse } from '../event/catalogue/model.ts';
import { checkOptions, type OptionCheck, type OptionChecks, optionKinds } from '../options.ts';
import { type Principal, principalFrom } from '../principal.ts';
import { createHooks } from '../registry/create-hooks.ts';
import type { HookProvider, Hooks } from '../registry/hooks.ts';
import type { CallOptions, ToolCallOutcome } from '../tool-call/types.ts';

/** The answer to approvals, or an approver. */
export type TestApproval = 'allow' | 'deny' | Approver;

/** Options of {@link testAgent}. */
export interface TestAgentOptions {
  /** The agent's name. */
  readonly agent?: string;
  /** The user on whose behalf it works. */
  readonly principal?: Principal;
  /** Default: `test`. */
  readonly sessionId?: string;
  /** Answers the approvals that the policy requires. Default: `deny`. */
  readonly approval?: TestApproval;
}

/** Options of one tool call. */
export interface TestToolCall<Input = unknown>
  extends Partial<Omit<RunToolCall, 'toolName' | 'input'>>,
    Pick<CallOptions, 'check' | 'rename'> {
  /** The tool. Default: returns `ok`. */
  readonly execute?: (input: Input) => unknown;
  /** Answers approvals of this call, instead of the agent's `approval`. */
  readonly approval?: TestApproval;
}

const { callback, object, text } = optionKinds;

const approval = answerer('allow', 'deny');

/** A limit of tokens takes 0 for none reported. */
const LITTLE = { inputTokens: 1, outputTokens: 1 };

/** Passed on as it is. */
const anything: OptionCheck = () => undefined;

const OPTIONS: OptionChecks<TestAgentOptions> = {
  agent: text,
  principal: anything,
  sessionId: text,
  approval,
};

const OF_CALL: OptionChecks<TestToolCall> = {
  execute: callback,
  check: callback,
  rename: callback,
  approval,
  agent: text,
  callId: text,
  parentCallId: text,
  approvalId: text,
  parsedHash: text,
  needsApproval: text,
  principal: anything,
  tool: object,
  signal: object,
  resumed: object,
  native: anything,
};

/** The outcome of a model call, as hooks left it. `context` is what the model reads in a system message. */
export type ModelTurn =
  | {
      readonly kind: 'answered';
      readonly context: readonly string[];
      readonly request: ModelRequest;
      readonly response: ModelResponse;
      /** How often the model was called. */
      readonly attempts: number;
    }
  | { readonly kind: 'blocked'; readonly context: readonly string[]; readonly stop: RunStop };

/** An agent without a model and a framework. The test makes each step and sees what the policy decides. */
export interface TestAgent extends AsyncDisposable {
  readonly hooks: Hooks;
  /** Which hooks ran, and what each answered: `trace.lines()`. */
  readonly trace: TraceRecorder;
  /** The hooks that failed. */
  readonly errors: readonly HooksError[];
  /** The approvals that were asked for. */
  readonly approvals: readonly ApprovalRequest[];
  /** Submits a user's prompt, which starts a run. */
  prompt(text: string): Promise<Submitted>;
  /** Runs a tool call through the whole pipeline. */
  callTool<Input>(toolName: string, input: Input, options?: TestToolCall<Input>): Promise<ToolCallOutcome>;
  /** Starts a turn and calls the model, which gives this answer. A text uses a token each way. */
  callModel(answer?: string | ModelResponse, request?: Partial<ModelRequest>): Promise<ModelTurn>;
  /** The model's final answer: fires `Stop`, and ends the run unless a hook keeps it going. */
  stop(response?: string): Promise<AfterAnswer>;
}

/**
 * Creates an agent for tests of a policy. It needs neither a model nor a framework: each step of a run is a method
 * call, and goes through the same code as in an adapter.
 *
 * @param policy the providers, or the registry, to test
 * @example
 * ```ts
 * const agent = testAgent(acmePolicy(), { principal: { id: 'ann' } });
 * assert.equal((await agent.callTool('shell', { command: 'rm -rf ~' })).status, 'blocked');
 * ```
 */
export function testAgent(
  policy: HookProvider | readonly HookProvider[] | Hooks,
  options: TestAgentOptions = {},
): TestAgent {
  options = checkOptions('testAgent', options, OPTIONS);
  const hooks = 'on' in policy ? policy : createHooks();
  const trace = recordTraces();
  hooks.trace(trace.listener);
  const errors: HooksError[] = [];
  hooks.onError((error) => errors.push(error));
  const approvals: ApprovalRequest[] = [];
  if (!('on' in policy)) for (const provider of 'register' in policy ? [policy] : policy) hooks.use(provider);
  const { sessionId = 'test', agent, approval: standard = 'deny' } = options;
  const principal =
    options.principal === undefined ? undefined : principalFrom(options.principal, 'testAgent');

  let current: Promise<AgentRun> | undefined;
  const begin = async (): Promise<AgentRun> => {
    const run = openRun(hooks, { sessionId, agent, principal });
    await run.begin();
    return run;
  };
  /** The current run, started if there is none. */
  const running = (): Promise<AgentRun> => {
    current ??= begin();
    return current;
  };
  const end = async (response?: string): Promise<void> => {
    const run = await current;
    current = undefined;
    await run?.end({ kind: 'done', response });
  };

  return {
    hooks,
    trace,
    errors,
    approvals,
    async prompt(text) {
      await end();
      return (await running()).submit([{ text }]);
    },
    async callTool(toolName, input, callOptions = {}) {
      const {
        execute = () => 'ok',
        approval: own,
        check,
        rename,
        ...call
      } = checkOptions('agent.callTool', callOptions, OF_CALL);
      const run = await running();
      const answer = own ?? standard;
      return run.callTool({ ...call, toolName, input }, (given) => execute(given as typeof input), {
        check,
        rename,
        approval: (request, context) => {
          approvals.push(request);
          return typeof answer === 'function' ? answer(request, context) : { decision: answer };
        },
      });
    },
    async callModel(answer = 'ok', request = {}) {
      const run = await running();
      const stopped = await run.startTurn();
      if (stopped !== undefined) return { kind: 'blocked', context: [], stop: stopped };
      const asked: ModelRequest = { messages: [], tools: [], ...request };
      const call = run.modelCall({});
      const prepared = await call.prepare(() => asked);
      if (prepared.kind === 'blocked') return { ...prepared, context: [] };
      const { context, patch } = prepared;
      const given = typeof answer === 'string' ? { text: answer, toolCalls: [], usage: LITTLE } : answer;
      let attempts = 0;
      const answered = await call.answer(
        () => {
          attempts++;
          return given;
        },
        (response) => response,
      );
      if (answered.kind === 'blocked') return { kind: 'blocked', context, stop: answered.stop };
      const response = answered.kind === 'replaced' ? answered.response : given;
      return { kind: 'answered', context, request: { ...asked, ...patch }, response, attempts };
    },
    async stop(response = '') {
      const after = await (await running()).finished(response);
      if (after.kind !== 'continue') await end(response);
      return after;
    },
    async [Symbol.asyncDispose]() {
      await end();
      await hooks.close();
    },
  };
}
