import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createHooks,
  type EventPayload,
  HookEvent,
  type Hooks,
  type HooksError,
  type HooksOptions,
} from '@hooks/core';
import type { PendingApproval } from '@hooks/core/adapter';
import { z } from 'zod';
import { cellName, cellsOf } from './cells.ts';
import type {
  AdapterHarness,
  AgentSpec,
  BareCallResult,
  BareCallSpec,
  HarnessAgent,
  McpServerSpec,
  PersonAnswer,
  ResumeOptions,
  RunOptions,
  RunResult,
  ToolSpec,
} from './harness.ts';
import {
  type ModelRequest,
  type ModelServer,
  type Script,
  type Step,
  startModelServer,
  toolResults,
} from './model-server/index.ts';
import type { Need } from './need.ts';
import { nodeScript } from './node-script.ts';
import { watchHarness } from './watched-harness.ts';

/** A recorded call of a tool's function and its input. */
export interface ToolRun {
  readonly tool: string;
  readonly input: unknown;
}

/** The result of a run, with the adapter's reading of it. */
export interface Outcome extends Omit<RunResult, 'result'> {
  readonly blockReason: string | undefined;
  readonly pending: readonly PendingApproval[];
}

/** The result of a bare call, with the adapter's reading of it. */
export interface BareOutcome extends Omit<BareCallResult, 'refusal'> {
  readonly blockReason: string | undefined;
}

/** A run and its model requests. */
export interface Played {
  readonly result: Outcome;
  /** The model calls of this run. */
  readonly requests: readonly ModelRequest[];
  /** What the model read as the result of each call, by call id. */
  readonly read: Readonly<Record<string, string>>;
}

/** An agent in a scenario, with its model. */
export interface Actor {
  readonly agent: HarnessAgent;
  readonly server: ModelServer;
  readonly run: (options?: Partial<RunOptions> & { readonly prompt?: string }) => Promise<Played>;
  readonly resume: (
    session: string,
    answers: readonly PersonAnswer[],
    options?: Pick<ResumeOptions, 'user' | 'pausedIn'>,
  ) => Promise<Played>;
}

/** The parts of an agent that a scenario sets; the rest has defaults. */
export type Cast = Partial<Omit<AgentSpec, 'modelUrl'>>;

/** The environment of one scenario: makes tools, registries and agents, and cleans up after them. */
export class Stage implements AsyncDisposable {
  readonly harness: AdapterHarness;
  readonly stream: boolean;
  /** The registry that is attached by default. */
  readonly hooks: Hooks;
  /** Which tool functions ran, in order. */
  readonly ran: ToolRun[] = [];
  /** The runs that have ended or paused, in order. */
  readonly played: Played[] = [];
  /** Failures of hooks. */
  readonly failures: HooksError[] = [];
  /** What happened in any registry, as cells of a support table. */
  readonly happened: Set<string> = new Set();
  /** The inputs that the harness has not read. */
  readonly ignored: () => readonly string[];
  readonly #cleanup: (() => Promise<void>)[] = [];

  constructor(harness: AdapterHarness, stream: boolean) {
    ({ harness: this.harness, ignored: this.ignored } = watchHarness(harness));
    this.stream = stream;
    this.hooks = this.registry();
  }

  /** The forms in which a run can be read: one, or all of the harness's stream forms. */
  forms(): readonly Pick<RunOptions, 'form'>[] {
    const { streamForms = [] } = this.harness;
    return [{}, ...(this.stream ? streamForms.map((form) => ({ form })) : [])];
  }

  /** Makes another registry. */
  registry(options: HooksOptions = {}): Hooks {
    const hooks = createHooks({
      onWarning: () => {},
      onError: (error) => void this.failures.push(error),
      ...options,
    });
    hooks.trace((trace) => {
      for (const cell of cellsOf(trace)) this.happened.add(cell);
    });
    this.defer(() => hooks.close());
    return hooks;
  }

  /**
   * Makes a tool that takes a city and records its calls in `ran`. It answers that the weather is sunny unless
   * `execute` is given.
   */
  tool(
    name: string,
    execute: (city: string, signal: AbortSignal | undefined, inside: unknown) => unknown = (city) =>
      `sunny in ${city}`,
    options: Pick<ToolSpec, 'needsApproval' | 'hooks' | 'attach' | 'attachEach'> = {},
  ): ToolSpec {
    return {
      name,
      description: `Tells the ${name} of a city.`,
      schema: z.object({ city: z.string() }),
      execute: (input: { readonly city: string }, { signal, inside }) => {
        this.ran.push({ tool: name, input });
        return execute(input.city, signal, inside);
      },
      ...options,
    };
  }

  /** Collects the events of a registry from now on. */
  events(hooks: Hooks = this.hooks): readonly EventPayload[] {
    const events: EventPayload[] = [];
    hooks.observe(HookEvent, (event) => void events.push(event), { id: 'everything' });
    return events;
  }

  /** The defaults of an agent. */
  spec(modelUrl: string): AgentSpec {
    return {
      name: 'assistant',
      instructions: 'Be brief.',
      modelUrl,
      tools: [this.tool('weather')],
      hooks: [this.hooks],
      attach: {},
    };
  }

  /** Makes an MCP server with one tool and a fixed answer. `asked` returns the cities of its calls. */
  async mcpServer(
    tool = 'weather',
    answer = 'sunny in {city}',
  ): Promise<{
    readonly spec: McpServerSpec;
    readonly asked: () => Promise<readonly string[]>;
  }> {
    const directory = await this.directory();
    const log = join(directory, 'asked');
    await writeFile(log, '');
    await writeFile(join(directory, 'answer'), answer);
    const { file, execArgv } = nodeScript('mcp-server');
    return {
      spec: { name: 'stations', command: process.execPath, args: [...execArgv, file, directory, tool] },
      asked: async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean),
    };
  }

  /** Makes a directory that is removed after the scenario. */
  async directory(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'hooks-conformance-'));
    this.defer(() => rm(directory, { recursive: true }));
    return directory;
  }

  /** Makes an agent whose model follows the script. */
  async agent(script: Script | readonly Step[], cast: Cast = {}): Promise<Actor> {
    const server = await startModelServer({ script });
    this.defer(server.close);
    const agent = await this.harness.agent({ ...this.spec(server.url), ...cast });
    this.defer(async () => agent.close?.());
    const played = async (run: () => Promise<RunResult>): Promise<Played> => {
      const before = server.requests.length;
      const result = await this.outcomeOf(await run());
      const requests = server.requests.slice(before);
      const one = { result, requests, read: Object.assign({}, ...requests.map(toolResults)) };
      this.played.push(one);
      return one;
    };
    const { stream } = this;
    return {
      agent,
      server,
      run: ({ prompt = 'How is the weather?', ...options } = {}) =>
        played(() => agent.run(prompt, { stream, ...options })),
      resume: (session, answers, options = {}) =>
        played(() => agent.resume(answers, { session, stream, ...options })),
    };
  }

  /** The id under which hooks know a session. */
  sessionId(session: string): string {
    return this.harness.sessionId?.(session) ?? session;
  }

  /** Makes an agent and runs it once. */
  async play(
    script: Script | readonly Step[],
    cast: Cast = {},
    options: Partial<RunOptions> & { readonly prompt?: string } = {},
  ): Promise<Played> {
    const actor = await this.agent(script, cast);
    return actor.run(options);
  }

  /** The result of a run, with the adapter's reading of it. */
  async outcomeOf({ result, ...run }: RunResult): Promise<Outcome> {
    const { harness } = this;
    return {
      ...run,
      blockReason: harness.blockReason(run.error ?? result),
      pending: run.error === undefined ? await harness.pendingApprovals(result) : [],
    };
  }

  /** Hooks a bare tool and calls it once, for Rome. */
  async callTool(
    tool: ToolSpec = this.tool('weather'),
    { hooks = [this.hooks], attach = {}, ...spec }: Partial<BareCallSpec> = {},
  ): Promise<BareOutcome> {
    const rome = { city: 'Rome' };
    const { refusal, ...called } = await this.harness.callTool(tool, rome, { hooks, attach, ...spec });
    const blockReason = this.harness.blockReason(called.error ?? refusal ?? called.output);
    return { ...called, blockReason };
  }

  /** Registers a cleanup, to run when the scenario is over. The last one runs first. */
  defer(cleanup: () => Promise<void>): void {
    this.#cleanup.push(cleanup);
  }

  /** Records a need as met if no event shows it. */
  witness(need: Need): void {
    this.happened.add(cellName(need));
  }

  /** Cleans up. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const cleanup of this.#cleanup.toReversed()) await cleanup();
  }
}

/** Throws if the harness has ignored an input: a rule about it would hold whatever the adapter does. */
export function expectRead({ ignored }: Stage): void {
  const inputs = ignored();
  if (inputs.length > 0) throw new Error(`Let the harness read ${inputs.join('; ')}.`);
}
