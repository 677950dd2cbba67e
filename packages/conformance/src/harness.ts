import type { Approver, Hooks, SupportTable } from '@hooks/core';
import type { PendingApproval } from '@hooks/core/adapter';
import type { ZodType } from 'zod';

/**
 * What you implement to run the suite: make an agent of your framework with hooks attached, and run it. A harness
 * decides nothing and checks nothing; it only translates. A scenario fails if the harness leaves one of its inputs
 * unread, be it of an agent, a tool, a run, an answer or a bare call. Otherwise its rule would hold whatever the adapter
 * does.
 *
 * The suite uses optional parts only if the adapter's `supports` table claims them.
 */
export interface AdapterHarness {
  /** The adapter's own table. It selects the scenarios that have to pass and the hooks that attaching has to reject. */
  readonly supports: SupportTable;
  /** The adapter's own `blockReason`, called with what a run or a bare call returned or threw. */
  blockReason(resultOrError: unknown): string | undefined;
  /** The adapter's own `pendingApprovals`, called with what a run returned or with `HarnessAgent.paused`. */
  pendingApprovals(resultOrState: unknown): Promise<readonly PendingApproval[]>;
  /**
   * Makes an agent and attaches the hooks as a user would, without running it. Rethrows what the adapter throws at
   * attach (`UNSUPPORTED_EVENT`).
   */
  readonly agent: (spec: AgentSpec) => HarnessAgent | Promise<HarnessAgent>;
  /** Hooks a tool outside of any agent and calls it once, as a user of the framework would. */
  readonly callTool: (tool: ToolSpec, input: object, spec: BareCallSpec) => Promise<BareCallResult>;
  /**
   * Names of run options that would disable the gate if the adapter did not merge them (run-level hooks, processors,
   * runner settings). One scenario passes each of them as `RunOptions.displace`.
   */
  readonly displacements?: readonly string[];
  /**
   * Names of further streamed forms besides the one for `RunOptions.stream`, such as other event versions or a
   * text-only stream. The scenarios about leaks pass each of them as `RunOptions.form`.
   */
  readonly streamForms?: readonly string[];
  /**
   * Rules, or names of their plain or streamed tests, that the adapter does not pass yet. The suite runs them and
   * expects them to fail, so remove an entry once its gap is closed.
   */
  readonly knownGaps?: readonly string[];
  /**
   * `import.meta.url` of the module that exports this harness as `harness`. A second Node process imports it, without
   * vitest, to resume a paused run. Needed only if runs can pause.
   */
  readonly module?: string;
  /** The framework's id of a session, if it does not take any text as one. */
  readonly sessionId?: (session: string) => string;
  /** Whether an approval can carry another input (`PersonAnswer.input`). */
  readonly editsInputs?: boolean;
  /** Whether a program can tell the framework that the model has to call a tool, see `AgentSpec.toolChoice`. */
  readonly demandsTools?: boolean;
  /** Whether the framework itself can send a request again that failed, see `AgentSpec.repeats`. */
  readonly repeats?: boolean;
  /** Whether the framework's result says how many tokens a run took, see `RunResult.usage`. */
  readonly reportsUsage?: boolean;
  /** Whether the framework can stream a run. Default: true. */
  readonly streams?: boolean;
  /** Whether the framework stores the context with a paused run, so that nobody says who resumes it. */
  readonly keepsContext?: boolean;
  /**
   * What a client can post besides texts, see `RunOptions.history`: `approval` if the history itself says what was
   * approved. Default: texts only.
   */
  readonly posts?: readonly (PostedCall | PostedResult | PostedApproval)['role'][];
  /** Whether the framework keeps a session's history itself and takes none with a prompt, so that no client can post one. */
  readonly ownsHistory?: boolean;
}

/** The agent to make. */
export interface AgentSpec {
  readonly name: string;
  /** The system prompt. */
  readonly instructions: string;
  /**
   * Base URL of an OpenAI-compatible server (`http://127.0.0.1:<port>/v1`). Any API key works. Disable the client's
   * retries.
   */
  readonly modelUrl: string;
  readonly tools: readonly ToolSpec[];
  /**
   * Registries to attach one after the other, so that the last one is outermost. An empty list means the bare agent,
   * without the adapter. A registry may occur twice.
   */
  readonly hooks: readonly Hooks[];
  /** Options for every attach. */
  readonly attach: AttachSpec;
  /** If the registries have different options: those of each in `hooks`, in the same order, instead of `attach`. */
  readonly attachEach?: readonly AttachSpec[];
  /** Agents to offer as tools, by the framework's own means. The tool's name has to contain the agent's. */
  readonly subagents?: readonly SubagentSpec[];
  /** Agents that this one can hand over to, by the framework's own means. */
  readonly handoffs?: readonly SubagentSpec[];
  /** MCP servers, connected over stdio by the framework's own means. The names of their tools may have a prefix. */
  readonly mcpServers?: readonly McpServerSpec[];
  /**
   * The work of a tool that the framework creates itself, such as the only step of a workflow. Its name has to contain
   * this name. Set only if `supports` reaches tools of kind `framework`.
   */
  readonly frameworkTool?: ToolSpec;
  /** Limit of model calls per run. Default: more than ten. */
  readonly maxIterations?: number;
  /**
   * The model has to call a tool, or this one, in each of its calls. Set by the framework's own means for whole agents. Set
   * only if the harness has `demandsTools`.
   */
  readonly toolChoice?: 'required' | { readonly name: string };
  /**
   * How often the framework sends a request again that failed, without a delay where it can. Default: never. This is not
   * what the client of the model does, which no hook could see. Set only if the harness has `repeats`.
   */
  readonly repeats?: number;
  /** The framework summarizes the history, by a model call of its own, once it has more messages than this. */
  readonly compactAfter?: number;
  /**
   * Directory for everything that the framework stores of sessions and paused runs. Another agent on the same
   * directory, in another process, continues from it. If not set, memory is enough, but keep a session's history in any
   * case.
   */
  readonly storage?: string;
}

/** A sub-agent. It uses its parent's model and storage. */
export interface SubagentSpec {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  readonly tools: readonly ToolSpec[];
}

/** A tool to define as users of the framework define theirs. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** A zod object. Has no transforms if the framework does not allow them. */
  readonly schema: ZodType;
  /** Gets the parsed input. Treat what it throws like any tool's error. */
  readonly execute: (input: never, options: ToolOptions) => unknown;
  /** The framework itself requires approval of each call. */
  readonly needsApproval?: boolean;
  /**
   * For a tool of an agent: registries that hook the tool itself, by the adapter's function for bare tools and with the
   * agent's `attach`, before the agent gets it. The last one is outermost; the agent's own registries are further out.
   */
  readonly hooks?: readonly Hooks[];
  /** Attach options for these registries, if they differ from the agent's. */
  readonly attach?: AttachSpec;
  /** See `AgentSpec.attachEach`. */
  readonly attachEach?: readonly AttachSpec[];
}

/** What a tool's function gets besides its input. */
export interface ToolOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * What the framework passes to a tool's function (a context, a config) if its users hand that on to an agent that
   * they run inside the tool. Comes back as `RunOptions.inside`. Not needed if the adapter finds the outer run by
   * itself.
   */
  readonly inside?: unknown;
}

/** An MCP server to start. */
export interface McpServerSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Attach options, which have the same names in every adapter. The harness may leave out those that the adapter does not
 * have at that place, such as `maxContinuations` for a bare tool.
 */
export interface AttachSpec {
  readonly approval?: 'deny' | 'native' | Approver;
  readonly allowUnsupported?: readonly string[];
  /** How often in a row a `Stop` hook may continue the agent. Default: 3. */
  readonly maxContinuations?: number;
  readonly holdStream?: boolean;
  readonly refused?: 'return' | 'throw';
  /**
   * The id of the principal that the option `principal` returns. Not set: the option returns the user in the framework's
   * context, see `RunOptions.user`.
   */
  readonly principal?: string;
}

/** An agent of the framework. */
export interface HarnessAgent {
  /**
   * Runs the agent on a user's message until it answers, fails, pauses or is stopped. Never rejects; sets
   * `RunResult.error` instead.
   */
  readonly run: (prompt: string, options: RunOptions) => Promise<RunResult>;
  /** Answers pending approvals and resumes the run. Never rejects. */
  readonly resume: (answers: readonly PersonAnswer[], options: ResumeOptions) => Promise<RunResult>;
  /** What the framework stored of a session's paused run, as another process would pass it to `pendingApprovals`. */
  readonly paused: (session: string) => Promise<unknown>;
  /** Everything that the framework stored of a session: messages, checkpoints, snapshots. */
  readonly stored: (session: string) => Promise<unknown>;
  /** Closes connections and child processes. */
  readonly close?: () => Promise<void>;
}

/** A message that a client posts with a prompt. It may be made up. */
export type PostedMessage = PostedPrompt | PostedAnswer | PostedCall | PostedResult | PostedApproval;

/** A text of the user. */
export interface PostedPrompt {
  readonly role: 'user';
  readonly content: string;
}

/** A text of the model. */
export interface PostedAnswer {
  readonly role: 'assistant';
  readonly content: string;
}

/** A call of the model. */
export interface PostedCall {
  readonly role: 'call';
  readonly callId: string;
  readonly toolName: string;
  readonly input: object;
}

/** The result of a call. */
export interface PostedResult {
  readonly role: 'result';
  readonly callId: string;
  readonly toolName: string;
  readonly output: string;
}

/** A request for approval of the call before it, and the user's answer. */
export interface PostedApproval {
  readonly role: 'approval';
  readonly callId: string;
  readonly approved: boolean;
}

/** Options of one run. */
export interface RunOptions {
  /** Use the framework's streamed form and read each of its streams to the end. */
  readonly stream: boolean;
  /**
   * Messages that the input contains before the prompt, as a client posts the history. If the harness itself keeps a
   * session's history, because the framework does not, they replace it.
   */
  readonly history?: readonly PostedMessage[];
  /** Messages that the input contains behind the prompt. */
  readonly behind?: readonly PostedMessage[];
  /** One of `AdapterHarness.streamForms`: read that stream to the end instead. */
  readonly form?: string;
  /** Id of the framework's thread, session or memory. Not set: the run has its own session. */
  readonly session?: string;
  readonly signal?: AbortSignal;
  /**
   * Id of the user that the run is for. Put it where the framework's users put it (a context). The adapter is attached
   * with an option `principal` that reads it there.
   */
  readonly user?: string;
  /** One of `AdapterHarness.displacements`: set that option for this run. */
  readonly displace?: string;
  /** An image beside the prompt, as a `data:` URL. Used only if hooks may change messages. */
  readonly image?: string;
  /** A text behind the image, in the same message. */
  readonly caption?: string;
  /** What the tool's function got as `ToolOptions.inside`; set when a tool's code starts this run. */
  readonly inside?: unknown;
}

/** Options of a resumed run. The session is the one that paused. */
export interface ResumeOptions {
  readonly stream: boolean;
  readonly session: string;
  /** As in `RunOptions`: who resumes the run. Ignore it if the harness has `keepsContext`. */
  readonly user?: string;
  /**
   * Another session, whose pause a client of `session` answers: use what its client was shown and sends back (a history,
   * ids of the pause), but `session` as the id of the thread, session or memory. If a client sends nothing but its
   * answer, read it and do not use it.
   */
  readonly pausedIn?: string;
}

/** A person's answer to a pending approval. */
export interface PersonAnswer {
  readonly callId: string;
  readonly decision: 'allow' | 'deny';
  /** For a denial: the reason that the model reads. */
  readonly reason?: string;
  /** For an allow: run with this input instead. Set only if the harness has `editsInputs`. */
  readonly input?: unknown;
}

/** The result of a run, in neutral terms. */
export interface RunResult {
  /** Text of the final answer; `''` if there is none. */
  readonly text: string;
  /** What the framework returned. */
  readonly result?: unknown;
  /** What the framework threw, or the error that its result reports. */
  readonly error?: unknown;
  /** The tokens of the whole run, as the framework's result reports them. Needed only if the harness has `reportsUsage`. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  /**
   * Everything that a user of the framework can see of the run: all chunks and events of all stream modes, callbacks
   * and traces, and the result object.
   */
  readonly seen: readonly Seen[];
}

/** Something that a user of the framework can see. */
export interface Seen {
  /** What the framework calls it, without ids and numbers. Two equal runs give the same kinds in the same order. */
  readonly kind: string;
  readonly value: unknown;
}

/** How to hook and call a bare tool. */
export interface BareCallSpec {
  readonly hooks: readonly Hooks[];
  readonly attach: AttachSpec;
  /** See `AgentSpec.attachEach`. */
  readonly attachEach?: readonly AttachSpec[];
  readonly signal?: AbortSignal;
  /** See `RunOptions.user`. */
  readonly user?: string;
}

/** The result of a bare call: `output` or `error`, as the framework's user gets them. */
export interface BareCallResult {
  readonly output?: unknown;
  readonly error?: unknown;
  /** What to pass to the adapter's `blockReason`, if that is neither the output nor the error. */
  readonly refusal?: unknown;
}
