import type { Execute } from '@hooks/core';

/** The functions with which `once` gives the outcome of an earlier run. */
const answers: WeakSet<Execute> = new WeakSet();

/** Marks a function that gives the outcome of an earlier run. */
export function asAnswer(execute: Execute): Execute {
  answers.add(execute);
  return execute;
}

/** Whether `once` answers the call: nothing runs, so no limit counts it. */
export function isAnswered({ execute }: { readonly execute?: Execute | undefined }): boolean {
  return execute !== undefined && answers.has(execute);
}
