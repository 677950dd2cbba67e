import type { Scenario } from './scenario.ts';
import type { Played, Stage, ToolRun } from './stage.ts';

/** Adds the broken rule and what happened in the run to the message of a failed expectation. */
export function tellBroken(failure: unknown, { rule }: Scenario, stage: Stage): unknown {
  if (!(failure instanceof Error)) return failure;
  failure.message = [
    `broken in ${stage.stream ? 'streamed' : 'plain'} runs: ${rule}`,
    ...happened(stage).map((line) => `  ${line}`),
    failure.message,
  ].join('\n');
  return failure;
}

function happened({ played, ran, failures, ignored }: Stage): readonly string[] {
  const shown = played.slice(-SHOWN);
  const hidden = played.length - shown.length;
  return [
    ...ignored().map((inputs) => `the harness ignores ${inputs}`),
    ...(hidden > 0 ? [`(${hidden} runs before)`] : []),
    ...shown.flatMap((run, at) => tellRun(run, hidden + at + 1)),
    ...ran.slice(-SHOWN).map((one) => `tool that ran: ${tellCall(one)}`),
    ...failures.slice(-SHOWN).map(({ message }) => `hook that failed: ${message}`),
  ];
}

/** Longer scenarios show only their last runs: they stop at the run that breaks the rule. */
const SHOWN = 3;

function tellRun({ result, requests, read }: Played, number: number): readonly string[] {
  const { error, blockReason, pending, text } = result;
  const end = [
    ...(error === undefined ? [] : [`threw: ${String(error)}`]),
    ...(blockReason === undefined ? [] : [`a hook ended it: ${blockReason}`]),
    ...pending.map((call) => `waits for approval: ${call.callId}, ${tellCall(call)} (${call.reason})`),
  ];
  return [
    `run ${number}: the model was called ${requests.length === 1 ? 'once' : `${requests.length} times`}`,
    ...Object.entries(read).map(([callId, told]) => `  the model read of ${callId}: ${told}`),
    ...(end.length > 0 ? end : [`answered: ${text}`]).map((line) => `  ${line}`),
  ];
}

function tellCall({
  tool,
  toolName = tool,
  input,
}: Partial<ToolRun> & { readonly toolName?: string | undefined }) {
  return `${toolName} ${JSON.stringify(input)}`;
}
