import type { ExecuteOptions } from '@hooks/core';
import { type AskOuter, type Rechecked, runNested } from '@hooks/core/tool-call';
import { approverOf } from './approval.ts';
import { Paused, type Run } from './run.ts';

/** A call of one registry, maybe inside the same call of another. */
export interface Nested {
  /** The input as it came to the registry, and as its hooks have left it. */
  readonly came: unknown;
  readonly left: unknown;
  /** What its `execute` was given beside the input. */
  readonly running: ExecuteOptions;
  /** Not the first attempt. */
  readonly again: boolean;
  /** Asks the registries further out. */
  readonly outer: AskOuter | undefined;
  /** A call that does the same to these hooks, and runs nothing: how not to ask. */
  readonly anew: (input: unknown) => Promise<Rechecked>;
}

/** Runs what is further in: with the input that those further out let run, and so that it can ask them about another. */
export function runFurtherIn<T>(
  run: Run,
  { came, left, running, again, outer, anew }: Nested,
  next: (input: unknown, outer: AskOuter | undefined) => Promise<T>,
): Promise<T> {
  const { faults } = run;
  const known =
    JSON.stringify(left) === JSON.stringify(came) &&
    !faults.has('asks outer guards about an input that stays');
  const deaf =
    faults.has('hides from outer hooks what inner ones make of an input') ||
    (again && faults.has('asks outer guards at the first attempt only'));
  const approval = faults.has('takes a yes for one to what inner hooks make of it')
    ? () => ({ decision: 'allow' as const })
    : approverOf(run);
  const person = faults.has('hides from inner guards what a person makes of an input further out')
    ? unseen(outer)
    : { outer };
  const nested = { running, approval, isControlFlow: isPaused, outer: person.outer };
  return runNested(nested, known ? undefined : { input: left }, (changed, asking) => {
    const ask = faults.has('asks outer hooks anew about what inner ones make of an input') ? anew : asking;
    const passed = person.made?.() ?? changed;
    return next(passed === undefined ? left : passed.input, deaf ? undefined : ask);
  });
}

/** Asks those further out, and keeps to itself what they have made of the input. */
function unseen(outer: AskOuter | undefined): {
  readonly outer: AskOuter | undefined;
  readonly made?: () => { readonly input: unknown } | undefined;
} {
  if (outer === undefined) return { outer };
  let made: { readonly input: unknown } | undefined;
  return {
    outer: async (input) => {
      const checked = await outer(input);
      if (checked.kind === 'done') return checked;
      made = checked;
      return { kind: 'run', input };
    },
    made: () => made,
  };
}

/** The framework's own control flow, which passes through. */
export function isPaused(error: unknown): boolean {
  return error instanceof Paused;
}
