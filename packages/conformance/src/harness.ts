import type { Approver, Hooks, SupportTable } from '@hooks/core';
import type { PendingApproval } from '@hooks/core/adapter';
import type { ZodType } from 'zod';

/**
 * What an adapter's author writes to run the suite: how to make an agent of the framework with hooks attached, and how
 * to run it. A harness decides and checks nothing; it says in the framework's words what a scenario says in ours.
 *
 * What only some frameworks can do is asked for only where the adapter's `supports` table says so.
 */
export interface AdapterHarness {
  /** The adapter's own table: it decides which scenarios must pass and which hooks must be refused at attach. */
  readonly supports: SupportTable;
  /** The adapter's own `blockReason`: given what a run returned or threw, or a bare call. */
  blockReason(resultOrError: unknown): string | undefined;
  /** The adapter's own `pendingApprovals`: given what a run returned, or `HarnessAgent.paused`. */
  pendingApprovals(resultOrState: unknown): Promise<readonly PendingApproval[]>;
  /**
   * Makes an agent and attaches the hooks to it, as a user would; runs nothing. What the adapter throws at attach
   * (`UNSUPPORTED_EVENT`) is thrown on.
   */
  readonly agent: (spec: AgentSpec) => HarnessAgent | Promise<HarnessAgent>;
  /** Hooks a bare tool, outside of any agent, and calls it once as the framework's user would. */
  readonly callTool: (tool: ToolSpec, input: object, spec: BareCallSpec) => Promise<BareCallResult>;
  /**
   * Names of options of a single run which would put the gate out of force if the adapter did not merge them (run-level
   * hooks, processors, runner settings). Each is given back as `RunOptions.displace` in one scenario.
   */
  readonly displacements?: readonly string[];
  /**
   * Names of what the framework can stream beside the form that `RunOptions.stream` stands for: other versions of its
   * events, a stream of text alone. Each is given back as `RunOptions.form` by the scenarios about leaks.
   */
  readonly streamForms?: readonly string[];
  /**
   * Rules (or names of their plain or streamed form) that the adapter does not keep yet. Each is run and has to fail, so
   * that the list cannot outlive a gap.
   */
  readonly knownGaps?: readonly string[];
  /**
   * `import.meta.url` of the module that exports this harness as `harness`. A second Node process imports it, without
   * vitest, to resume a paused run; needed only where runs can pause.
   */
  readonly module?: string;
  /** A person's yes can carry another input (`PersonAnswer.input`). */
  readonly editsInputs?: boolean;
}

/** An agent to be made. */
export interface AgentSpec {
  readonly name: string;
  /** The system prompt. */
  readonly instructions: string;
  /** Base URL of an OpenAI-compatible server (`http://127.0.0.1:<port>/v1`); any API key will do. Do not try again after failures. */
  readonly modelUrl: string;
  readonly tools: readonly ToolSpec[];
  /**
   * Attached one after the other, so that the last is outermost; none is the bare agent, without the adapter. The same
   * registry may stand here twice.
   */
  readonly hooks: readonly Hooks[];
  /** Options of every attach. */
  readonly attach: AttachSpec;
  /** Agents that this one may call as tools, by the framework's own means. The tool's name must hold the agent's. */
  readonly subagents?: readonly SubagentSpec[];
  /** Agents that this one may hand over to, by the framework's own means. */
  readonly handoffs?: readonly SubagentSpec[];
  /** MCP servers, connected by the framework's own means over stdio; their tools' names may be prefixed. */
  readonly mcpServers?: readonly McpServerSpec[];
  /**
   * What a tool that the framework makes itself is to do: the only step of a workflow, say. Its name must hold this name.
   * Only where `supports` reaches tools of the kind `framework`.
   */
  readonly frameworkTool?: ToolSpec;
  /** Most model calls of one run. Unless set, more than ten. */
  readonly maxIterations?: number;
  /** The framework summarizes the history, with a model call of its own, when it has more messages than this. */
  readonly compactAfter?: number;
  /**
   * Directory for all that the framework keeps of its sessions and paused runs; another agent on the same directory, in
   * another process, goes on from it. Where it is not set, memory will do; a session's history must be kept either way.
   */
  readonly storage?: string;
}

/** A sub-agent; its model and storage are its parent's. */
export interface SubagentSpec {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  readonly tools: readonly ToolSpec[];
}

/** A tool, to be defined as the framework's users define theirs. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** A zod object. Where the framework wants no transforms, there are none. */
  readonly schema: ZodType;
  /** Gets the parsed input. A throw is the tool's failure, to be treated as that of any tool. */
  readonly execute: (input: never, options: ToolOptions) => unknown;
  /** The framework itself asks a person before each call of it. */
  readonly needsApproval?: boolean;
  /**
   * Of a tool of an agent: registries that hook the tool itself, by the adapter's own function for bare tools and with the
   * agent's `attach`, before the agent gets it. One after the other, so that the last is outermost; the agent's own are
   * further out.
   */
  readonly hooks?: readonly Hooks[];
  /** Options with which these are attached, where they are not the agent's. */
  readonly attach?: AttachSpec;
}

/** What a tool's function is given beside its input. */
export interface ToolOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * What the framework gives a tool's function (a context, a config), where its users hand that on to an agent that they run
   * inside the tool. Given back as `RunOptions.inside`. Not needed where the adapter finds the outer run by itself.
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
 * Options of an attach; they have the same names in every adapter. The option `principal` is the harness's own: it gives the user that
 * the framework's context holds, see `RunOptions.user`.
 */
export interface AttachSpec {
  readonly approval?: 'deny' | 'native' | Approver;
  readonly allowUnsupported?: readonly string[];
  /** How often in a row a `Stop` hook may have the agent go on. Default: 3. */
  readonly maxContinuations?: number;
}

/** An agent of the framework. */
export interface HarnessAgent {
  /** Runs it on a user's message until it answers, fails, pauses or is stopped. Never rejects: see `RunResult.error`. */
  readonly run: (prompt: string, options: RunOptions) => Promise<RunResult>;
  /** Answers pending approvals and runs on. Never rejects. */
  readonly resume: (answers: readonly PersonAnswer[], options: ResumeOptions) => Promise<RunResult>;
  /** What the framework has stored of the paused run of a session, as another process hands it to `pendingApprovals`. */
  readonly paused: (session: string) => Promise<unknown>;
  /** Everything that the framework has stored of a session: messages, checkpoints, snapshots. */
  readonly stored: (session: string) => Promise<unknown>;
  /** Closes connections and child processes. */
  readonly close?: () => Promise<void>;
}

/** Options of one run. */
export interface RunOptions {
  /** Take the framework's streamed form and read every stream that it offers to the end. */
  readonly stream: boolean;
  /** One of `AdapterHarness.streamForms`: read that one instead, to the end. */
  readonly form?: string;
  /** Id of the framework's thread, session or memory; not set, the run stands for itself. */
  readonly session?: string;
  readonly signal?: AbortSignal;
  /**
   * The id of the user that the run is for: put it into what the framework gives a run for that (a context). The adapter is attached
   * with an option `principal` that reads it there.
   */
  readonly user?: string;
  /** One of `AdapterHarness.displacements`: set that option for this run. */
  readonly displace?: string;
  /** The run is started by the code of a tool, which was given this as `ToolOptions.inside`. */
  readonly inside?: unknown;
}

/** Options of a resumed run: the session is the one that paused. */
export interface ResumeOptions {
  readonly stream: boolean;
  readonly session: string;
}

/** A person's answer to a pending approval. */
export interface PersonAnswer {
  readonly callId: string;
  readonly decision: 'allow' | 'deny';
  /** For a denial: what the model reads. */
  readonly reason?: string;
  /** For an allow: run with this input instead. Only where the harness has `editsInputs`. */
  readonly input?: unknown;
}

/** What came of a run, in neutral terms. */
export interface RunResult {
  /** The final answer's text; `''` where there is none. */
  readonly text: string;
  /** What the framework returned. */
  readonly result?: unknown;
  /** What the framework threw, or says in its result that it failed with. */
  readonly error?: unknown;
  /**
   * All that a user of the framework can see of the run: every chunk and event of every stream mode, callback and trace,
   * and the result object itself.
   */
  readonly seen: readonly Seen[];
}

/** Something that a user of the framework sees. */
export interface Seen {
  /** What the framework calls it, without ids and numbers: two runs that go alike give the same kinds in the same order. */
  readonly kind: string;
  readonly value: unknown;
}

/** How a bare tool is hooked and called. */
export interface BareCallSpec {
  readonly hooks: readonly Hooks[];
  readonly attach: AttachSpec;
  readonly signal?: AbortSignal;
  /** As `RunOptions.user`. */
  readonly user?: string;
}

/** What came of a bare call: `output` or `error` as the framework's user gets them. */
export interface BareCallResult {
  readonly output?: unknown;
  readonly error?: unknown;
  /** Where the adapter's `blockReason` finds the reason, if that is neither of them. */
  readonly refusal?: unknown;
}
