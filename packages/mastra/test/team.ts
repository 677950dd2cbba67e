import { join } from 'node:path';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { modelOf, quiet } from './fixtures.ts';

/** What a process is told of the team that it makes. */
export interface TeamSpec {
  readonly modelUrl: string;
  /** A directory, shared with the other process. */
  readonly storage: string;
  readonly policy: 'looks' | 'redacts' | 'blocks' | 'rewrites';
}

interface Team {
  readonly lead: Pick<
    Agent,
    | 'approveToolCall'
    | 'approveToolCallGenerate'
    | 'declineToolCall'
    | 'declineToolCallGenerate'
    | 'generate'
    | 'stream'
  >;
  readonly hooks: Hooks;
  /** Whose tools ran. */
  readonly ran: readonly string[];
  /** What hooks saw. */
  readonly seen: readonly string[];
}

/**
 * A lead with a tool `add` and a workflow, all of whose calls need a hook's approval, and with a clerk, whose own `add`
 * needs Mastra's.
 */
export function makeTeam({ modelUrl, storage, policy }: TeamSpec): Team {
  const hooks = createHooks();
  const seen = watch(hooks);
  hooks.on(BeforeToolCall, ({ agent }) => (agent === 'lead' ? requireApproval('Sure?') : proceed()));
  const adding = BeforeToolCall.matching('add');
  if (policy === 'blocks') hooks.guard(adding, () => block('Not any more.'));
  if (policy === 'rewrites') hooks.on(adding, () => modify({ input: { a: 2 } }));
  if (policy === 'redacts')
    hooks.on(AfterToolCall.matching('add'), ({ status }) =>
      modify(status === 'ok' ? { output: 'hidden' } : {}),
    );

  const ran: string[] = [];
  const schemas = { inputSchema: z.object({ a: z.number() }), outputSchema: z.object({ sum: z.number() }) };
  const body = (name: string) => async () => {
    ran.push(name);
    return { sum: 7 };
  };
  const add = (whose: string) =>
    createTool({
      id: 'add',
      description: 'Adds.',
      ...schemas,
      requireApproval: whose === 'clerk',
      execute: body(`add of ${whose}`),
    });
  const model = modelOf({ url: modelUrl });
  const define = (name: string) => ({
    id: name,
    name,
    description: name,
    instructions: name,
    model,
    tools: { add: add(name) },
  });
  const clerk = quiet(new Agent(define('clerk')));
  const step = createStep({ id: 'only', ...schemas, execute: body('ledger') });
  const ledger = createWorkflow({ id: 'ledger', description: 'Books.', ...schemas })
    .then(step)
    .commit();
  const config = { ...define('lead'), agents: { clerk }, workflows: { ledger } };
  const lead = quiet(hookedAgent(config, hooks, { approval: 'native' }));
  const store = new LibSQLStore({ id: 'store', url: `file:${join(storage, 'store.db')}` });
  new Mastra({ agents: { lead }, storage: store, logger: false });
  return { lead, hooks, ran, seen };
}

/** Each tool event as `who: what tool, how it stands`; a sub-agent's session knows its parent. */
function watch(hooks: Hooks): readonly string[] {
  const seen: string[] = [];
  hooks.observe(BeforeToolCall, ({ agent, toolName, resumed }) => {
    seen.push(`${agent}: before ${toolName}, ${resumed?.decision ?? 'new'}`);
  });
  hooks.observe(ToolApprovalDecision, ({ agent, toolName, approval, reason }) => {
    seen.push(`${agent}: decision on ${toolName}, ${approval}${reason === undefined ? '' : ` (${reason})`}`);
  });
  hooks.observe(AfterToolCall, ({ agent, toolName, status, session }) => {
    seen.push(`${session.parent ? 'its ' : ''}${agent}: after ${toolName}, ${status}`);
  });
  return seen;
}

/** A person's answer to a paused run. */
export interface PersonAnswer {
  readonly runId: string;
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly streaming: boolean;
}

/** Gives it to the lead, and waits until the run has ended or paused again. */
export async function answer(
  lead: Team['lead'],
  { approved, streaming, runId, toolCallId }: PersonAnswer,
): Promise<void> {
  const given = { runId, toolCallId, ...(!approved && { reason: 'Too dear.' }) };
  if (streaming) {
    const output = await (approved ? lead.approveToolCall(given) : lead.declineToolCall(given));
    await output.getFullOutput();
  } else {
    await (approved ? lead.approveToolCallGenerate(given) : lead.declineToolCallGenerate(given));
  }
}
