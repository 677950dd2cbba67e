import type { RunDetail, RunEvent } from '../../src/api.ts';
import { eventName, inLine } from '../format.ts';
import { marksOf } from './marks.ts';
import type { NodeKind, TraceNode } from './node.ts';

/** Builds the tree of a run: turns with model calls and tool calls, which have attempts, approvals and sub-agents. */
export function treeOf({ summary, events }: RunDetail): TraceNode {
  const tree = new Tree(summary.session);
  // A record is written at the end of its dispatch, but its time is the start.
  const ordered = events.map((event, index) => ({ event, index, time: Date.parse(event.record.time) }));
  ordered.sort((one, other) => one.time - other.time || one.index - other.index);
  for (const { event, time } of ordered) tree.add(event, time);
  tree.root.label = summary.title || 'Run';
  tree.root.start = summary.start;
  tree.root.end = summary.status === 'open' || summary.status === 'waiting' ? undefined : summary.end;
  finish(tree.root);
  return tree.root;
}

/** The end of a node, or its latest time so far. */
export function endOf(node: TraceNode, now?: number): number {
  if (node.end !== undefined) return node.end;
  const last = Math.max(
    node.start,
    ...node.events.map(({ record }) => Date.parse(record.time)),
    ...node.children.map((child) => endOf(child, now)),
  );
  return now === undefined ? last : Math.max(last, now);
}

/** Finds a node and its ancestors. */
export function pathTo(root: TraceNode, fits: (node: TraceNode) => boolean): readonly TraceNode[] {
  if (fits(root)) return [root];
  for (const child of root.children) {
    const path = pathTo(child, fits);
    if (path.length > 0) return [root, ...path];
  }
  return [];
}

/** A session of the run or of a sub-agent. */
interface Place {
  readonly node: TraceNode;
  readonly turns: Map<string, TraceNode>;
  readonly calls: Map<string, TraceNode>;
}

class Tree {
  readonly root: TraceNode;
  readonly #places = new Map<string, Place>();
  #made = 0;

  constructor(session: string) {
    this.root = this.#node('run', '', 0);
    this.#place(session, this.root);
  }

  add(event: RunEvent, time: number): void {
    const { record, data } = event;
    const place = this.#placeOf(event, time);
    const turn = this.#turnOf(event, place, time);
    const inside = turn ?? place.node;
    const type = record.type.slice('hooks.'.length);
    if (record.tool) {
      this.#addCall(event, place, inside, time);
      return;
    }
    switch (type) {
      case 'turn_start':
        inside.events.push(event);
        return;
      case 'turn_end':
        inside.events.push(event);
        inside.end = time;
        return;
      case 'before_model_call':
      case 'after_model_call':
        this.#addModel(event, inside, time, type);
        return;
      case 'subagent_start':
        this.#addAgent(event, place, inside, time);
        return;
      case 'subagent_stop': {
        const found = this.#places.get(record.details?.subagentSession ?? '')?.node;
        found?.events.push(event);
        if (found) found.end = time;
        return;
      }
      case 'session_start':
      case 'session_end':
      case 'before_run':
        // An event without hooks is not a step of the run. List it with the run itself.
        if ((record.hooks ?? []).length === 0) place.node.events.push(event);
        else this.#addEvent(event, inside, time);
        return;
      case 'user_prompt_submit':
        this.#addEvent(event, inside, time, 'prompt', 'Prompt', data?.prompt);
        return;
      case 'stop':
        this.#addEvent(event, inside, time, 'answer', 'Answer', data?.response);
        return;
      case 'agent_switch': {
        const { from = '', to = '' } = record.details ?? {};
        this.#addEvent(event, inside, time, 'event', 'Hand-off', `${from} → ${to}`);
        return;
      }
      default:
        this.#addEvent(event, inside, time, 'event', eventName(type), data?.message ?? data?.summary);
    }
  }

  #node(kind: NodeKind, label: string, start: number, parent?: TraceNode): TraceNode {
    const key = `n${this.#made++}`;
    const made: TraceNode = {
      key,
      kind,
      label,
      detail: '',
      start,
      end: undefined,
      events: [],
      children: [],
      ran: [],
      marks: [],
    };
    parent?.children.push(made);
    return made;
  }

  #place(session: string, node: TraceNode): Place {
    const made: Place = { node, turns: new Map(), calls: new Map() };
    this.#places.set(session, made);
    return made;
  }

  /** The session of a record. An unannounced session belongs to its parent's. */
  #placeOf({ record }: RunEvent, time: number): Place {
    const { session = '', parentSession, agent } = record;
    const known = this.#places.get(session);
    if (known) return known;
    const parent = parentSession === undefined ? undefined : this.#places.get(parentSession);
    if (parent === undefined) return this.#place(session, this.root);
    return this.#place(
      session,
      this.#node('subagent', agent ?? 'Sub-agent', time, callAround(parent) ?? parent.node),
    );
  }

  #turnOf({ record }: RunEvent, { node, turns }: Place, time: number): TraceNode | undefined {
    const { turn, details } = record;
    if (turn === undefined) return undefined;
    const known = turns.get(turn);
    if (known) return known;
    const made = this.#node('turn', `Turn ${details?.iteration ?? turns.size + 1}`, time, node);
    turns.set(turn, made);
    return made;
  }

  #addModel(event: RunEvent, turn: TraceNode, time: number, type: string): void {
    const { details } = event.record;
    const last = turn.children.findLast(({ kind }) => kind === 'model');
    const open = last?.end === undefined ? last : undefined;
    const node = open ?? this.#node('model', 'Model', last?.end ?? turn.start, turn);
    node.events.push(event);
    if (details?.model !== undefined) node.label = details.model;
    if (type === 'before_model_call') return;
    node.end = time;
    node.detail = event.data?.response ?? '';
  }

  #addAgent(event: RunEvent, place: Place, inside: TraceNode, time: number): void {
    const { subagent = 'Sub-agent', subagentSession } = event.record.details ?? {};
    const node = this.#node('subagent', subagent, time, callAround(place) ?? inside);
    node.events.push(event);
    if (subagentSession !== undefined) this.#place(subagentSession, node);
  }

  #addEvent(
    event: RunEvent,
    inside: TraceNode,
    time: number,
    kind: NodeKind = 'event',
    label: string = eventName(event.record.type),
    detail = '',
  ): void {
    const node = this.#node(kind, label, time, inside);
    node.detail = detail;
    node.end = time + (event.record.durationMs ?? 0);
    node.events.push(event);
  }

  #addCall(event: RunEvent, place: Place, inside: TraceNode, time: number): void {
    const { record, data } = event;
    const { callId = '', name = '', parentCallId } = record.tool ?? {};
    let node = place.calls.get(callId);
    if (node === undefined) {
      const parent = parentCallId === undefined ? undefined : place.calls.get(parentCallId);
      node = this.#node('tool', name, time, parent ?? inside);
      place.calls.set(callId, node);
    }
    node.label = name;
    if (data?.input !== undefined) node.detail = inLine(data.input);
    const asked = node.children.findLast(({ kind }) => kind === 'approval');
    if (record.type === 'hooks.permission_request') {
      const approval = this.#node('approval', 'Approval', time, node);
      approval.detail = data?.reason ?? '';
      approval.events.push(event);
      return;
    }
    if (record.type === 'hooks.tool_approval_decision' && asked && asked.end === undefined) {
      asked.events.push(event);
      asked.end = time;
      return;
    }
    node.events.push(event);
    if (record.type !== 'hooks.after_tool_call') return;
    node.end = time + (record.durationMs ?? 0);
    if (asked && asked.end === undefined) asked.end = time;
    if (record.ran !== true) return;
    const span = { start: time - (record.toolMs ?? 0), end: time };
    node.ran.push(span);
    const attempt = this.#node('attempt', `Attempt ${record.attempt ?? node.ran.length}`, span.start, node);
    attempt.end = span.end;
    attempt.detail = data?.errorMessage ?? inLine(data?.output);
    attempt.events.push(event);
    attempt.ran.push(span);
  }
}

/** The running call in which a sub-agent starts, preferably one of an agent tool. */
function callAround({ calls }: Place): TraceNode | undefined {
  const open = [...calls.values()].filter(({ end }) => end === undefined);
  return open.findLast(({ events }) => events[0]?.record.tool?.kind === 'agent') ?? open.at(-1);
}

/** Removes redundant nodes and sorts children. */
function finish(node: TraceNode): void {
  const attempts = node.children.filter(({ kind }) => kind === 'attempt');
  if (attempts.length === 1)
    node.children.splice(
      0,
      Number.POSITIVE_INFINITY,
      ...node.children.filter(({ kind }) => kind !== 'attempt'),
    );
  node.children.sort((one, other) => one.start - other.start);
  for (const child of node.children) finish(child);
  node.marks = marksOf(node);
}
