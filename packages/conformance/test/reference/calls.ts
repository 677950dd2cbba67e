import { isBlockedError } from '@hooks/core/adapter';
import { answerAll, answerTo, isCareless } from './approval.ts';
import type { Spoken } from './model.ts';
import { Paused, type Running, Stopped } from './run.ts';
import { messageOf, type Tool, text } from './tool.ts';
import { beginCall, executeTool, hookedCall, unwrap } from './tool-call.ts';
import { toolsOf } from './tools.ts';

export type Called = Spoken['toolCalls'][number];

/** Runs the calls of a turn concurrently. Adds the results to the history once no call waits for a person. */
export async function runCalls(running: Running, calls: readonly Called[]): Promise<void> {
  const { run, faults, results, spec, show, history } = running;
  const deaf = (n: number) => n > 0 && faults.has('runs hooks only for the first of parallel calls');
  const pauses =
    spec.attach.approval === 'native' || toolsOf(running).some(({ needsApproval }) => needsApproval);
  if (pauses && !faults.has('decides once for each id')) refuseEqualIds(running, calls);
  if (pauses)
    await askAhead(
      running,
      calls.filter((_, n) => !deaf(n)),
    );
  const settled = await Promise.allSettled(
    calls.map(async (call, n) => {
      if (!results.has(call.id)) results.set(call.id, await readOf(running, call, deaf(n)));
    }),
  );
  const failed = settled.filter((result) => result.status === 'rejected');
  const error = failed.find(({ reason }) => !(reason instanceof Paused)) ?? failed[0];
  if (error !== undefined) throw error.reason;
  const { stop } = run;
  for (const [n, { id, name }] of calls.entries()) {
    if (n > 0 && stop !== undefined && faults.has('leaves a sibling call unanswered')) continue;
    const read = results.get(id) ?? '';
    show('tool_result', { name, read });
    history.push({ role: 'tool', tool_call_id: id, content: read });
  }
  results.clear();
  if (stop === undefined) return;
  if (!faults.has('continues after a stop')) throw new Stopped(stop.reason);
  run.stop = undefined;
}

/** A pause keeps calls by id, so it cannot tell these apart. */
function refuseEqualIds({ results }: Running, calls: readonly Called[]): void {
  for (const { id } of calls)
    if (calls.filter((call) => call.id === id).length > 1)
      results.set(id, `Two calls of one answer have the id "${id}", so neither runs.`);
}

/** Runs the hooks for all calls of a turn. If a call waits for a person, the run pauses and no call runs. */
async function askAhead(running: Running, calls: readonly Called[]): Promise<void> {
  const { run, faults, results } = running;
  await Promise.all(
    calls.map(async (call) => {
      const parsed = parse(running, call);
      if (results.has(call.id) || 'read' in parsed || isUnhooked(running, parsed.tool, call.id)) return;
      await beginCall(running, parsed.tool, parsed.input, call.id);
    }),
  );
  if (isCareless(faults)) await answerAll(running);
  if (run.stop !== undefined && !faults.has('waits for a person after the run has ended'))
    await run.pending.cancel(run.stop.reason);
  if (run.pending.waiting.length === 0) return;
  await run.pause();
  throw new Paused('The run waits for a person.');
}

/** Runs a call and returns what the model reads. */
async function readOf(running: Running, call: Called, deaf: boolean): Promise<string> {
  const { options, faults, show } = running;
  show('tool_call', call);
  const parsed = parse(running, call);
  if ('read' in parsed) return parsed.read;
  const { tool, input } = parsed;
  const no = answerTo(running, call.id);
  if (no?.decision === 'deny' && faults.has('hides a denial from hooks')) return no.reason ?? 'No.';
  const decided = running.decided.has(call.id) && faults.has('decides once for each id');
  running.decided.add(call.id);
  try {
    if (deaf || decided || isUnhooked(running, tool, call.id))
      return text(await executeTool(running, tool, input, call.id));
    return text(unwrap(await hookedCall(running, tool, input, call.id)));
  } catch (error) {
    if (error instanceof Paused) throw error;
    if (isBlockedError(error)) return faults.has('hides the reason of a Block') ? 'Refused.' : error.message;
    if (!faults.has('ignores an abort')) options.signal?.throwIfAborted();
    return wording(running, `Error: ${messageOf(error)}`);
  }
}

/** The tool and the input of a call; or the text for the model if the tool is unknown or the arguments are not JSON. */
function parse(
  running: Running,
  call: Called,
): { readonly tool: Tool; readonly input: unknown } | { readonly read: string } {
  const { faults } = running;
  const known = toolsOf(running);
  const lax = faults.has('finds tools by names that look alike');
  const nameOf = (text: string): string => (lax ? text.trim().toLowerCase() : text);
  const found = known.find(({ name }) => nameOf(name) === nameOf(call.name));
  const tool = found && { ...found, name: call.name };
  if (tool === undefined) return { read: wording(running, `There is no tool ${call.name}.`) };
  try {
    const input: unknown = JSON.parse(call.arguments);
    return { tool, input: faults.has('hides inherited fields from hooks') ? assigned(input) : input };
  } catch (error) {
    if (faults.has('fails a run for arguments that are no JSON')) throw error;
    return { read: wording(running, `Error: ${String(error)}`) };
  }
}

/** The data as a parser makes it that assigns each key: `__proto__` becomes the prototype. */
function assigned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(assigned);
  if (typeof value !== 'object' || value === null) return value;
  const copy: { [key: string]: unknown } = {};
  for (const [key, nested] of Object.entries(value)) copy[key] = assigned(nested);
  return copy;
}

function wording({ faults }: Running, usual: string): string {
  return faults.has('changes the text of tool errors') ? 'It failed.' : usual;
}

function isUnhooked({ run, faults, answers }: Running, { kind }: Tool, callId: string): boolean {
  const idle = run.registries.every(({ hooks }) => hooks.list().length === 0);
  if (idle && faults.has('loses a denial without hooks')) return true;
  if (answers.size > 0 && faults.has('resumes a run unhooked')) return true;
  if (answers.size > 0 && faults.has('hides a denial from hooks')) return true;
  // An approval that a client made up has no hash of an input that was shown.
  const isMadeUp = answers.has(callId) && answers.get(callId)?.hash === undefined;
  if (isMadeUp && faults.has('believes an approval that a client makes up')) return true;
  return kind === 'hosted' || faults.has(`leaves ${kind} tools unhooked`);
}
