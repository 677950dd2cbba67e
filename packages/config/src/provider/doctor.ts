import {
  createHooks,
  type EventPayload,
  type HookDecision,
  type HookRegistrar,
  type Hooks,
} from '@hooks/core';
import type { HookEntry } from '../entry.ts';
import { wireEventOf } from '../protocol/stdin.ts';
import type { RunContext } from '../run/context.ts';
import type { Failures } from './failure.ts';
import type { NativeHooks } from './native.ts';
import { TOKENS } from './tokens.ts';
import { registerWireHooks } from './wire.ts';

/** The effect of one kind of failure on a gate. */
export interface InjectedFault {
  readonly entry: HookEntry;
  /** The kind of failure: `exit code 127`, `a hang`. */
  readonly fault: string;
  /** Whether the gate stayed closed. */
  readonly closed: boolean;
}

/** The ways in which a command can fail. The hook's own command does not run. */
const faults: Readonly<Record<string, string>> = {
  'a missing command': './no-such-hook',
  'exit code 1': 'exit 1',
  'exit code 126': 'exit 126',
  'exit code 127': 'exit 127',
  'a signal': 'kill -9 $$',
  'a hang': 'exec sleep 60',
  'incomplete JSON': `printf '{"decision":"bl'`,
  'no UTF-8': `printf '{"reason":"\\377"}'`,
  'very long output': 'head -c 2000000 /dev/zero',
};

/** Makes each hook of each gate fail, and checks that the gate stays closed. Runs no hooks and no tools. */
export async function injectFaults(
  entries: readonly HookEntry[],
  natives: readonly NativeHooks[],
  context: RunContext,
  failures: Failures,
): Promise<readonly InjectedFault[]> {
  const injected: InjectedFault[] = [];
  for (const entry of entries.filter(isGate)) {
    const { matcher: _, agents: __, exceptAgents: ___, ...anywhere } = entry;
    const native = natives.find((one) => one.entries.includes(entry));
    if (native) {
      const hooks = createHooks({ onError: () => {} });
      native.provider.register(throwing(hooks));
      injected.push({ entry, fault: 'a throw', closed: await isClosed(hooks, entry, context) });
      continue;
    }
    const { timeoutMs: _timeout, onError } = entry.handler;
    for (const [fault, command] of Object.entries(faults)) {
      const handler = {
        type: 'command',
        command,
        env: {},
        timeoutMs: 300,
        ...(onError && { onError }),
      } as const;
      const hooks = createHooks({ onError: () => {} });
      hooks.use({
        name: 'doctor',
        register: (registrar) => {
          registerWireHooks([{ ...anywhere, handler }], registrar, context, failures);
        },
      });
      injected.push({ entry, fault, closed: await isClosed(hooks, entry, context) });
    }
  }
  return injected;
}

/** A gate is an event that does not pass when a hook fails. */
function isGate({ event }: HookEntry): boolean {
  const { onFailure } = TOKENS[event].spec;
  return onFailure === 'block' || onFailure === 'withhold';
}

/** A registry whose interceptors and guards all throw, on all tools. */
function throwing(hooks: Hooks): HookRegistrar {
  const fail = (): never => {
    throw new Error('injected');
  };
  const nothing: Disposable = { [Symbol.dispose]: () => {} };
  const registrar: HookRegistrar = {
    use: (provider) => {
      provider.register(registrar);
      return nothing;
    },
    list: () => [],
    trace: () => nothing,
    session: (id, options) => hooks.session(id, options),
    dispatch: (token, event, options) => hooks.dispatch(token, event, options),
    on: ({ spec }, _, options) => hooks.on({ spec }, fail, options),
    guard: ({ spec }, _, options) => hooks.guard({ spec }, fail, options),
    observe: () => nothing,
  };
  return registrar;
}

async function isClosed(
  hooks: Hooks,
  { event: type, wireEvent }: HookEntry,
  { dialect }: RunContext,
): Promise<boolean> {
  const session = hooks.session();
  const tool = { callId: 'doctor', toolName: 'doctor', nativeToolName: 'doctor', input: {} };
  const samples = [
    { status: 'ok', ran: true },
    { status: 'error', ran: true },
  ];
  // Some events depend on how a call ended, so choose a sample for which the hook runs.
  const sample = samples.find((fields) => {
    const { fires } = wireEventOf(dialect, wireEvent);
    return fires?.({ type, sessionId: '', cwd: '', fields }) ?? true;
  });
  const texts = {
    prompt: '',
    message: '',
    metadata: {},
    messages: [],
    tools: [],
    response: { text: '', toolCalls: [] },
  };
  const payload: EventPayload = { ...tool, ...texts, ...sample, type, session };
  const decision = await hooks.dispatch<EventPayload, HookDecision, never>(
    { ...TOKENS[type], type },
    payload,
  );
  await hooks.close();
  return decision.kind === 'block';
}
