import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { duration, tick } from '../format.ts';
import { Icon } from '../parts/icons.tsx';
import { Marks } from '../parts/marks.tsx';
import { Text } from '../parts/value.tsx';
import { Sheet, useRows } from '../parts/virtual.tsx';
import type { TraceNode } from './node.ts';
import { endOf } from './tree.ts';

const HEIGHT = 32;

/** A visible line of the waterfall. */
interface Line {
  readonly node: TraceNode;
  readonly level: number;
  readonly parent: number;
  readonly position: number;
  readonly siblings: number;
}

/** The steps of a run in order: a tree on the left, their times and durations on the right. */
export function Waterfall({
  root,
  chosen,
  choose,
  now,
}: {
  readonly root: TraceNode;
  readonly chosen: string;
  readonly choose: (key: string) => void;
  /** The current time, while the run continues. */
  readonly now: number | undefined;
}) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(root, closed), [root, closed]);
  const at = lines.findIndex(({ node }) => node.key === chosen);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRows(scroller, lines.length, HEIGHT);
  const from = root.start;
  const length = Math.max(endOf(root, now) - from, 1);
  // Scroll the selected line into view.
  useEffect(() => {
    if (at >= 0) rows.show(at);
  }, [chosen]);

  const toggle = (key: string, open: boolean): void => {
    const next = new Set(closed);
    if (open) next.delete(key);
    else next.add(key);
    setClosed(next);
  };
  const pressed = (event: KeyboardEvent): void => {
    const line = lines[at];
    const hasChildren = line !== undefined && line.node.children.length > 0;
    const isOpen = line !== undefined && !closed.has(line.node.key);
    const go = (index: number): void => {
      const to = lines[Math.min(Math.max(index, 0), lines.length - 1)];
      if (to) choose(to.node.key);
    };
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      ArrowRight: () => {
        if (line && hasChildren && !isOpen) toggle(line.node.key, true);
        else if (hasChildren) go(at + 1);
      },
      ArrowLeft: () => {
        if (line && hasChildren && isOpen) toggle(line.node.key, false);
        else if (line && line.parent >= 0) go(line.parent);
      },
      Enter: () => document.getElementById('details')?.focus(),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  return (
    <div class="waterfall">
      <Ruler length={length} />
      <Grid length={length} />
      <div
        class="scroll"
        ref={scroller}
        role="tree"
        aria-label="What happened"
        tabIndex={0}
        aria-activedescendant={at >= 0 ? `line-${chosen}` : undefined}
        onKeyDown={pressed}
      >
        <Sheet role="presentation" count={lines.length} height={HEIGHT} rows={rows}>
          {(index) => {
            const line = lines[index];
            if (line === undefined) return undefined;
            const { key, children } = line.node;
            return (
              <Row
                key={key}
                line={line}
                isChosen={key === chosen}
                isOpen={children.length === 0 ? undefined : !closed.has(key)}
                from={from}
                length={length}
                now={now}
                choose={() => choose(key)}
                toggle={(open) => toggle(key, open)}
              />
            );
          }}
        </Sheet>
      </div>
    </div>
  );
}

function Row({
  line: { node, level, position, siblings },
  isChosen,
  isOpen,
  from,
  length,
  now,
  choose,
  toggle,
}: {
  readonly line: Line;
  readonly isChosen: boolean;
  readonly isOpen: boolean | undefined;
  readonly from: number;
  readonly length: number;
  readonly now: number | undefined;
  readonly choose: () => void;
  readonly toggle: (open: boolean) => void;
}) {
  const { key, kind, label, detail, marks, start, end } = node;
  const took = endOf(node, now) - start;
  const isPoint = POINTS.has(kind);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys for the selected line
    <div
      id={`line-${key}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={level + 1}
      aria-selected={isChosen}
      aria-expanded={isOpen}
      aria-posinset={position}
      aria-setsize={siblings}
      class={`line kind-${kind} ${isChosen ? 'chosen' : ''}`}
      onClick={choose}
    >
      <span class="name" style={{ paddingLeft: `${level * 16}px` }}>
        <span
          class={`twist ${isOpen === undefined ? 'none' : isOpen ? 'open' : ''}`}
          aria-hidden="true"
          onClick={(event) => {
            if (isOpen === undefined) return;
            event.stopPropagation();
            toggle(!isOpen);
          }}
        >
          <Icon name="chevron" />
        </span>
        <Icon name={kind} />
        <span class="hidden">{KINDS[kind]} </span>
        <span class="label">
          <Text text={label} />
        </span>
        <Marks marks={marks} />
        <span class="detail">
          <Text text={detail.slice(0, 200)} />
        </span>
      </span>
      <span class="track">
        {isPoint ? (
          <span class="point" style={{ left: `${share(start - from, length)}%` }} />
        ) : (
          <span
            class={`span ${end === undefined ? 'open' : ''}`}
            style={{ left: `${share(start - from, length)}%`, width: `${share(took, length)}%` }}
          />
        )}
        {!isPoint &&
          node.ran.map((ran) => (
            <span
              key={ran.start}
              class="span ran"
              style={{
                left: `${share(ran.start - from, length)}%`,
                width: `${share(ran.end - ran.start, length)}%`,
              }}
            />
          ))}
      </span>
      <span class="took">{isPoint ? '' : duration(took)}</span>
    </div>
  );
}

const POINTS: ReadonlySet<TraceNode['kind']> = new Set(['prompt', 'answer', 'event']);

const KINDS: Readonly<Record<TraceNode['kind'], string>> = {
  run: 'Run:',
  prompt: '',
  turn: '',
  model: 'Model call:',
  tool: 'Tool call:',
  attempt: '',
  approval: '',
  subagent: 'Sub-agent:',
  answer: '',
  event: '',
};

function share(part: number, whole: number): number {
  return Math.max(0, Math.min(100, (part / whole) * 100));
}

/** Times that are easy to read: 1, 2 or 5 of a unit. */
function ticksOf(length: number): readonly number[] {
  const rough = length / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((times) => times * unit >= rough) ?? 10) * unit;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}

function Ruler({ length }: { readonly length: number }) {
  return (
    <div class="ruler" aria-hidden="true">
      <span class="name">Step</span>
      <span class="track">
        {ticksOf(length).map((time) => (
          <span key={time} class="tick" style={{ left: `${share(time, length)}%` }}>
            {share(time, length) < 88 && tick(time)}
          </span>
        ))}
      </span>
      <span class="took">Took</span>
    </div>
  );
}

/** The lines of the ruler, behind the steps. */
function Grid({ length }: { readonly length: number }) {
  return (
    <div class="ruler-grid" aria-hidden="true">
      <span />
      <span class="track">
        {ticksOf(length).map((time) => (
          <span key={time} class="tick" style={{ left: `${share(time, length)}%` }} />
        ))}
      </span>
    </div>
  );
}

function linesOf(root: TraceNode, closed: ReadonlySet<string>): readonly Line[] {
  const lines: Line[] = [];
  const add = (node: TraceNode, level: number, parent: number, position: number, siblings: number): void => {
    const index = lines.push({ node, level, parent, position, siblings }) - 1;
    if (closed.has(node.key)) return;
    for (const [at, child] of node.children.entries())
      add(child, level + 1, index, at + 1, node.children.length);
  };
  add(root, 0, -1, 1, 1);
  return lines;
}
