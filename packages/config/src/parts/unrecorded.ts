import type { Builtin } from '../builtins/builtin.ts';
import { GUARDS } from '../builtins/guards.ts';

const nothing =
  (name: string): Builtin =>
  () => ({ name, register: () => {} });

/** A built-in that keeps in memory what it would keep in its `store`. */
const inMemory =
  (name: string): Builtin =>
  (args, options) => {
    const { store: _, ...others } = { ...args, store: undefined };
    const builtin = GUARDS[name]?.make ?? nothing(name);
    return builtin(Array.isArray(args) ? args : others, options);
  };

/**
 * What a file records, without its effect, for `loadHooks({ builtins: unrecorded })`: a program that tries a policy, as `hooks test`
 * and `hooks replay` do, must not record that an agent did something. `journal` and `telemetry` do nothing, and what guards
 * keep in a `store` is kept in memory.
 */
export const unrecorded: Readonly<
  Record<'journal' | 'telemetry' | 'limits' | 'rate_limit' | 'pii' | 'redact_secrets', Builtin>
> = {
  journal: nothing('journal'),
  telemetry: nothing('otel'),
  limits: inMemory('limits'),
  rate_limit: inMemory('rate_limit'),
  pii: inMemory('pii'),
  redact_secrets: inMemory('redact_secrets'),
};
