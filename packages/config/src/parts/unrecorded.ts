import type { Builtin } from '../builtins/builtin.ts';

const nothing =
  (name: string): Builtin =>
  () => ({ name, register: () => {} });

/**
 * The parts `journal` and `telemetry` of a file without their effect, for `loadHooks({ builtins: unrecorded })`: a program that tries
 * a policy, as `hooks test` and `hooks replay` do, must not record that an agent did something.
 */
export const unrecorded: Readonly<Record<'journal' | 'telemetry', Builtin>> = {
  journal: nothing('journal'),
  telemetry: nothing('otel'),
};
