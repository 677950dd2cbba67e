import { type ModelRequest, startModelServer, toolResults } from '@hooks/conformance';
import { type Approver, createHooks, type Hooks, ToolApprovalDecision, TurnEnd } from '@hooks/core';
import { z } from 'zod';
import type { Framework } from '../src/agents/index.ts';
import type { DemoTool } from '../src/tools.ts';

/** The input of every tool in the tests: one text, under a name that fits the tool. */
type Input = { readonly [argument: string]: string };

/** What the agent is put through. */
export interface Scene {
  /** Puts the guards that are tried out into the registry. */
  readonly policy: (hooks: Hooks) => void;
  /** The calls that the model makes, one a turn; then it says `done`. */
  readonly calls?: readonly ToolUse[];
  /** It makes all of them in its first turn. */
  readonly parallel?: boolean;
  /** What a tool does instead of answering `ran`. */
  readonly does?: (input: Input) => string | Promise<string>;
  /** What its tools say of themselves, instead of their names. */
  readonly description?: string;
  readonly task?: string;
  /** Who approves what hooks require; nobody unless set. */
  readonly approval?: Approver;
}

/** A call that the model makes: which tool, and the text for its one argument. */
export type ToolUse = readonly [tool: keyof typeof ARGUMENT, text: string];

/** What came of it, as the model and the tools saw it. */
export interface Played {
  /** Each time that a tool function really ran, with its input. */
  readonly ran: readonly ToolUse[];
  /** What the model read of its calls, in their order. */
  readonly read: readonly string[];
  readonly requests: readonly ModelRequest[];
  /** What the run resolved to, or the message of what it threw. */
  readonly words: string;
  /** Why each turn ended. */
  readonly turnEnds: readonly string[];
  /** Who resolved each approval, and how. */
  readonly approvals: readonly string[];
}

/** Runs a real agent loop of this framework against a scripted model. */
export async function play(framework: Framework, scene: Scene): Promise<Played> {
  const {
    policy,
    calls = [],
    parallel = false,
    does = () => 'ran',
    description,
    task = 'Do your work.',
    approval,
  } = scene;
  await using hooks = createHooks();
  const turnEnds: string[] = [];
  const approvals: string[] = [];
  const ran: ToolUse[] = [];
  hooks.observe(TurnEnd, ({ reason }) => turnEnds.push(reason));
  hooks.observe(ToolApprovalDecision, ({ approval, source }) => approvals.push(`${approval} by ${source}`));
  policy(hooks);

  const toolCalls = calls.map(([name, text], index) => ({
    id: `call_${index + 1}`,
    name,
    arguments: { [ARGUMENT[name]]: text },
  }));
  const script = ({ turn }: ModelRequest) => {
    const next = parallel ? toolCalls.slice(turn * toolCalls.length) : toolCalls.slice(turn, turn + 1);
    return next.length > 0 ? { toolCalls: next } : { text: 'done' };
  };
  await using server = await startModelServer({ script });
  const model = { url: server.url, apiKey: 'none', name: 'gpt-5' };
  const tools = Object.keys(ARGUMENT).map((name) =>
    toolNamed(name as ToolUse[0], description, (input) => {
      ran.push([name as ToolUse[0], Object.values(input).join()]);
      return does(input);
    }),
  );
  const words = await framework({ hooks, tools, model, task, approval }).catch(
    (error: Error) => error.message,
  );
  await hooks.settled();

  const { requests } = server;
  const last = requests.at(-1);
  const read = last === undefined ? [] : Object.values(toolResults(last));
  return { ran, read, requests, words, turnEnds, approvals };
}

/** The tools of every agent here, and the name of their one argument. */
const ARGUMENT = { exec: 'command', read: 'path', write: 'path', fetch: 'url' } as const;

function toolNamed(
  name: ToolUse[0],
  description = `The tool ${name}.`,
  run: (input: Input) => string | Promise<string>,
): DemoTool {
  return {
    name,
    description,
    parameters: z.object({ [ARGUMENT[name]]: z.string() }),
    execute: async (input: Input) => run(input),
  };
}
