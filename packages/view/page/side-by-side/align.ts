import { diffArrays } from 'diff';
import type { NodeKind, TraceNode } from '../run/node.ts';

/** A step of a run: a line of its waterfall. */
export interface Step {
  readonly node: TraceNode;
  readonly level: number;
}

/** The same step of several runs. */
export interface AlignedRow {
  /** The step of each run, in the order of the runs; undefined if a run does not have it. */
  readonly steps: readonly (Step | undefined)[];
  /** Whether a run lacks the step, or has other values or decisions in it. */
  readonly differs: boolean;
}

/** Aligns steps of the same kind and name of several runs, in order. */
export function align(roots: readonly TraceNode[]): readonly AlignedRow[] {
  let rows: readonly Row[] = [];
  for (const [run, root] of roots.entries()) rows = withRun(rows, run, stepsOf(root));
  return rows.map(({ steps }) => {
    const all = roots.map((_, run) => steps.get(run));
    return { steps: all, differs: new Set(all.map((step) => step && shownOf(step.node))).size > 1 };
  });
}

interface Row {
  readonly name: string;
  /** The steps, by the number of their run. */
  readonly steps: ReadonlyMap<number, Step>;
}

function withRun(rows: readonly Row[], run: number, steps: readonly Step[]): readonly Row[] {
  const next: Row[] = [];
  let known = 0;
  let taken = 0;
  const changes = diffArrays(
    rows.map(({ name }) => name),
    steps.map(({ node }) => nameOf(node)),
  );
  for (const { value, added, removed } of changes) {
    for (const name of value) {
      const row = added ? undefined : rows[known++];
      const step = removed ? undefined : steps[taken++];
      next.push({ name, steps: new Map([...(row?.steps ?? []), ...(step ? [[run, step] as const] : [])]) });
    }
  }
  return next;
}

function stepsOf(root: TraceNode, level = 0): readonly Step[] {
  return root.children.flatMap((node) => [{ node, level }, ...stepsOf(node, level + 1)]);
}

/** Kinds whose names differ between frameworks or runs. */
const UNNAMED: ReadonlySet<NodeKind> = new Set(['turn', 'model', 'subagent']);

function nameOf({ kind, label }: TraceNode): string {
  return UNNAMED.has(kind) ? kind : `${kind} ${label}`;
}

/** The compared part of a step: its text and decisions, not its times. */
function shownOf({ kind, detail, marks }: TraceNode): string {
  return JSON.stringify([kind === 'turn' ? '' : detail, marks.map(({ text }) => text)]);
}
