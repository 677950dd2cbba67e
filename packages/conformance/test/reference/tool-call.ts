import type { Attached, Execute, InvalidInput, ToolCallOutcome, ToolDescriptor } from '@hooks/core';
import { Attachment, BlockedError, type InnerRegistries, type RunToolCall } from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';
import { z } from 'zod';
import { answerTo, approvalIdOf, needOf, resumedOf } from './approval.ts';
import { attachAll, inCore, Paused, type Registries, type Running } from './run.ts';
import { messageOf, type Tool, text } from './tool.ts';
import { toolsOf } from './tools.ts';

/** Runs the hooks before a call without running the tool. */
export async function beginCall(running: Running, tool: Tool, input: unknown, callId: string): Promise<void> {
  const { rename, ...options } = optionsFor(running, tool, input, callId);
  const call = { ...described(running, tool, input, callId), callId };
  const begun = await running.run.beginTool(call, {
    ...options,
    capabilities: { ask: true, retry: true, route: true, rename },
  });
  const given = answerTo(running, callId);
  if (begun.kind === 'ask' && given?.decision === 'allow' && begun.request.hash === given.hash)
    await running.run.answerTool(callId, { ...given, approvalId: approvalIdOf(running, callId) });
}

/** Runs a call with its hooks. */
export async function hookedCall(
  running: Running,
  tool: Tool,
  input: unknown,
  callId: string | undefined,
): Promise<ToolCallOutcome> {
  const { run, faults } = running;
  const options = { ...optionsFor(running, tool, input, callId), isControlFlow: isPaused };
  const call = described(running, tool, input, callId);
  const all = [...run.registries, ...options.inner];
  const given = [...running.spec.hooks, ...(tool.hooks ?? [])];
  if (faults.has('runs hooks twice if attached twice') && new Set(given).size < given.length)
    await run.callTool(call, () => undefined, options);
  const { execute, ran } = executing(running, tool, input);
  if (faults.has('nests the pipelines of registries')) return nested(running, all, call, execute, options);
  const outcome = await run.callTool(call, execute, options);
  const failed = outcome.message?.startsWith('Blocked, because') === true;
  const runsAll = faults.has('runs blocked tools') || (failed && faults.has('runs tools of failed hooks'));
  if (runsAll && outcome.status === 'blocked' && !outcome.ran)
    await executeTool(running, tool, outcome.input, outcome.callId);
  if (outcome.status === 'ok' && faults.has('drops a modified output'))
    return { ...outcome, output: ran.at(-1) };
  return outcome;
}

function described(running: Running, tool: Tool, input: unknown, callId: string | undefined): RunToolCall {
  const { faults, run, options } = running;
  const shown = faults.has('hides inherited fields from hooks') ? withoutInherited(input) : input;
  const given = faults.has('shows hooks the parsed input') ? tool.schema.parse(input) : shown;
  const principal = innerOf(running, tool).principalOfCall(run, options.user);
  const needsApproval = needOf(running, tool, callId);
  if (needsApproval !== undefined && faults.has('pauses before hooks run')) throw new Paused();
  return {
    toolName: tool.name,
    callId,
    ...(principal && { principal }),
    // Core copies plain data, but not class instances.
    input: faults.has('shows hooks its own objects') ? Object.assign(Object.create({}), given) : given,
    tool: descriptorOf(tool, faults),
    needsApproval,
    resumed: callId === undefined ? undefined : resumedOf(running, callId),
    approvalId: callId === undefined ? undefined : approvalIdOf(running, callId),
  };
}

function descriptorOf(tool: Tool, faults: Running['faults']): ToolDescriptor {
  return {
    kind: tool.kind,
    description: tool.description,
    inputSchema: () =>
      faults.has('hides the schema of a tool') ? undefined : z.toJSONSchema(tool.schema, { io: 'input' }),
    ref: tool,
  };
}

function withoutInherited(input: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(input));
  } catch {
    return input;
  }
}

type Options = Required<InnerRegistries> & Pick<Parameters<typeof callTool>[3] & object, 'check' | 'rename'>;

function optionsFor(running: Running, tool: Tool, input: unknown, callId: string | undefined): Options {
  const { faults } = running;
  const inner = innerOf(running, tool);
  const isApproved = callId !== undefined && answerTo(running, callId)?.decision === 'allow';
  const checks = !faults.has('does not check a modified input');
  return {
    inner: inCore(inner, faults, isApproved),
    check: checks && !faults.has('runs hooks for invalid input') ? checkOf(tool) : undefined,
    rename: (name) => {
      const other = toolsOf(running).find((known) => known.name === name);
      const descriptor = other && descriptorOf(other, faults);
      return (
        other &&
        descriptor && {
          name: faults.has('renames to a tool by the name of the called one') ? tool.name : name,
          tool: faults.has('renames to a tool without its descriptor') ? { kind: 'function' } : descriptor,
          native: undefined,
          registries: registriesOf(running, tool, other),
          unenforced:
            other.needsApproval && !faults.has('renames to a tool that needs approval')
              ? 'needs approval'
              : undefined,
          check: checks ? checkOf(other) : 'itself',
          execute: executing(running, other, input).execute,
        }
      );
    },
  };
}

/** The registries that hook a tool to which a call is renamed. */
function registriesOf(running: Running, tool: Tool, other: Tool): readonly Attached[] {
  const { run, faults } = running;
  const inner = innerOf(running, other);
  const known = [...run.registries, ...innerOf(running, tool).attached()].map(({ hooks }) => hooks);
  return [...run.registries, ...inner.attached()].flatMap((one) => {
    if (!known.includes(one.hooks))
      return faults.has('renames to a tool without the guards of another registry') ? [] : [one];
    return faults.has('renames to a tool with other options') ? [] : [one];
  });
}

/** The registries that hook the tool itself. */
function innerOf(
  { faults, spec }: Running,
  { name, hooks = [], attach = spec.attach, attachEach = [] }: Tool,
): Registries {
  const deaf = faults.has('leaves a bare tool unhooked') || faults.has('runs only the outermost registry');
  const all = faults.has("always asks the agent's approver");
  if (deaf) return Attachment.none;
  return attachAll(hooks, [name], all ? { attach: spec.attach } : { attach, attachEach }, faults);
}

/** A function that runs the tool, and its results so far. */
function executing(
  running: Running,
  tool: Tool,
  sent: unknown,
): { readonly execute: Execute; readonly ran: readonly unknown[] } {
  const { run, faults, show, history } = running;
  const ran: unknown[] = [];
  const execute: Execute = async (effective, { call }) => {
    if (ran.length > 0 && faults.has('swallows Retry')) return ran[0];
    if (faults.has('waits for observers'))
      await Promise.all(run.registries.map(({ hooks }) => hooks.settled()));
    try {
      const drops = faults.has('drops a modified input') || faults.has('hides inherited fields from hooks');
      const input = drops ? sent : effective;
      const output = await executeTool(running, tool, input, call.callId);
      ran.push(output);
      if (faults.has('streams the output before hooks decide')) show('tool_output', output);
      if (faults.has('stores the raw output')) history.push({ role: 'system', content: text(output) });
      // Core freezes plain data, and hands on an object of a class.
      return faults.has('shows hooks its own results') ? new OwnResult(output) : output;
    } catch (error) {
      if (faults.has('stores the raw error')) history.push({ role: 'system', content: messageOf(error) });
      throw error;
    }
  };
  return { execute, ran };
}

/** Runs the tool itself. */
export async function executeTool(
  running: Running,
  tool: Tool,
  input: unknown,
  callId: string,
): Promise<unknown> {
  const {
    faults,
    options: { signal },
  } = running;
  const parsed = await tool.schema.safeParseAsync(input);
  if (!parsed.success) throw invalid(parsed.error);
  if (!faults.has('ignores an abort')) signal?.throwIfAborted();
  return tool.execute(parsed.data as never, { signal, callId, inside: { running, callId } });
}

/** Nests one pipeline per registry. */
async function nested(
  running: Running,
  [outermost, ...inner]: readonly Attached[],
  call: RunToolCall,
  execute: Execute,
  options: Options,
): Promise<ToolCallOutcome> {
  const { session, id, turn } = running.run;
  const runInner: Execute = async (input, details) =>
    inner.length === 0
      ? execute(input, details)
      : unwrap(await nested(running, inner, { ...call, input }, execute, options));
  const { hooks, approval } = outermost ?? fail();
  return callTool([{ hooks, approval }], { ...call, session, run: id, turn }, runInner, options);
}

function fail(): never {
  throw new Error('There is no registry.');
}

/** The output of a call. Throws if there is none. */
export function unwrap(outcome: ToolCallOutcome): unknown {
  if (outcome.output instanceof OwnResult) return outcome.output.value;
  if (outcome.status === 'ok') return outcome.output;
  throw outcome.status === 'error' ? outcome.error : new BlockedError(outcome);
}

class OwnResult {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

function isPaused(error: unknown): boolean {
  return error instanceof Paused;
}

function checkOf(tool: Tool): (input: unknown) => Promise<InvalidInput | undefined> {
  return async (input) => {
    const parsed = await tool.schema.safeParseAsync(input);
    return parsed.success ? undefined : { message: parsed.error.message, error: invalid(parsed.error) };
  };
}

function invalid(error: z.ZodError): Error {
  return new Error(`Invalid input: ${error.issues.map(({ message }) => message).join(' ')}`);
}
