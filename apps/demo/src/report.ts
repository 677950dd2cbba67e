import { styleText } from 'node:util';
import {
  AfterToolCall,
  BeforeToolCall,
  type DispatchTrace,
  type Execute,
  type HookDecision,
  type Hooks,
} from '@hooks/core';

/** Prints, as it goes, what the model proposes, which hook decides what, and what the model will read. */
export function reportLive(hooks: Hooks): void {
  // Only dispatches that ask somebody are traced; this way every call is.
  hooks.observe(BeforeToolCall, () => {}, { id: 'report-calls', priority: -100 });
  hooks.trace((trace) => {
    if (trace.event.type === BeforeToolCall.type) proposed(trace);
    for (const { id, decision, error } of trace.hooks) {
      if (error !== undefined) print('red', `${id} failed: ${error.message}`);
      else if (decision !== undefined && decision.kind !== 'proceed')
        print(COLOR[decision.kind], `${id}: ${say(decision)}`);
    }
  });
  hooks.observe(
    AfterToolCall,
    (call, decision) => {
      if (decision.kind === 'retry') return;
      if (call.status === 'ok') print('gray', `the model reads ${short(call.output)}`);
      else print('gray', `the model reads ${short(call.reason ?? call.errorMessage)}`);
    },
    { id: 'report', priority: -100 },
  );
}

const COLOR = { block: 'red', modify: 'yellow', retry: 'magenta', proceed: 'gray' } as const;

function proposed({ before }: DispatchTrace): void {
  const { nativeToolName, input } = before as BeforeToolCall;
  console.log(`\n  ${styleText(['bold', 'cyan'], nativeToolName)} ${short(input)}`);
}

function say(decision: HookDecision): string {
  switch (decision.kind) {
    case 'proceed':
      return 'proceed';
    case 'block':
      return `blocked, “${decision.reason}”`;
    case 'modify':
      return Object.entries(decision.patch).map(change).join(', ');
    case 'retry':
      return `again, “${decision.reason}”`;
    default:
      return decision satisfies never;
  }
}

function change([field, value]: readonly [string, unknown]): string {
  if (field === 'output') return 'changed what the tool gave';
  if (field === 'execute') return `runs elsewhere (${(value as Execute).route?.provider ?? 'answered'})`;
  return `changed ${field} to ${short(value)}`;
}

function print(color: 'red' | 'yellow' | 'magenta' | 'gray', text: string): void {
  console.log(`    ${styleText(color, text)}`);
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
