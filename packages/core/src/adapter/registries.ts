import type { Approver } from '../approval/approval.ts';
import { HooksError } from '../error.ts';
import {
  AfterToolCall,
  BeforeExecute,
  BeforeToolCall,
  PermissionRequest,
  TransformToolResult,
} from '../event/catalogue/tool.ts';
import type { PointData } from '../event/event.ts';
import type { Hooks } from '../registry/hooks.ts';
import { concerns, decides, isIdle, warnOnce } from './registry.ts';
import type { SupportTable } from './support.ts';

/*
 * Several registries hook one agent or tool, each attached with its own options. What applies then is decided here, by
 * one rule for each option and for all adapters.
 */

/** The options of every adapter, each where the adapter has it. */
interface AttachOptions {
  readonly approval?: 'deny' | 'native' | Approver;
  readonly allowUnsupported?: readonly string[];
  readonly holdStream?: boolean;
  readonly maxContinuations?: number;
}

/** A registry of hooks, with the options under which an adapter attached it. */
export interface AttachedRegistry<Options extends AttachOptions = AttachOptions> {
  readonly hooks: Hooks;
  readonly options: Options;
}

/**
 * One list of registries, outermost first. A registry that is in several lists keeps its outermost place, and takes the
 * options that it lacks there from further in. Returns one of the lists, the innermost, if it already is the result.
 */
export function joinRegistries<R extends AttachedRegistry>(
  ...lists: readonly (readonly R[])[]
): readonly R[] {
  const filled = lists.filter(({ length }) => length > 0);
  if (filled.length < 2) return filled[0] ?? [];
  const found = new Map<Hooks, R>();
  for (const entry of filled.flat()) {
    const outer = found.get(entry.hooks);
    found.set(entry.hooks, outer === undefined ? entry : withLacking(outer, entry));
  }
  const joined = [...found.values()];
  return filled.findLast((list) => isSameList(list, joined)) ?? joined;
}

function withLacking<R extends AttachedRegistry>(outer: R, inner: R): R {
  const lacking = Object.entries(inner.options).filter(
    ([name, value]) => value !== undefined && Reflect.get(outer.options, name) === undefined,
  );
  if (lacking.length === 0) return outer;
  return { ...outer, options: { ...outer.options, ...Object.fromEntries(lacking) } };
}

function isSameList(some: readonly AttachedRegistry[], others: readonly AttachedRegistry[]): boolean {
  return (
    areSameRegistries(some, others) && some.every((one, nth) => hasOptions(one, others[nth]?.options ?? {}))
  );
}

function hasOptions({ options }: AttachedRegistry, others: AttachOptions): boolean {
  const names = new Set([...Object.keys(options), ...Object.keys(others)]);
  return [...names].every((name) => Reflect.get(options, name) === Reflect.get(others, name));
}

/** How often in a row Stop hooks may continue a run: the smallest number that is set. */
export function maxContinuationsOf(registries: readonly AttachedRegistry[]): number | undefined {
  const set = registries.flatMap(({ options }) => options.maxContinuations ?? []);
  return set.length > 0 ? Math.min(...set) : undefined;
}

/**
 * The registry because of which a stream is held back until hooks have decided: the outermost one that may change or
 * refuse what is streamed and has not opted out. Undefined if the stream passes.
 */
export function holding<R extends AttachedRegistry>(
  registries: readonly R[],
  point: PointData,
  toolName?: string,
): R | undefined {
  return registries.find(
    ({ hooks, options }) => options.holdStream !== false && decides(hooks, point, toolName),
  );
}

/** The same for what a tool streams before its result is decided on. */
export function holdingResult<R extends AttachedRegistry>(
  registries: readonly R[],
  toolName: string,
): R | undefined {
  return holding(registries, TransformToolResult, toolName) ?? holding(registries, AfterToolCall, toolName);
}

/** A tool whose calls an adapter cannot see. */
export interface UnreachableTool {
  readonly supports: SupportTable;
  readonly name: string;
  /** Who may call it. Hooks that are limited to other agents do not count. */
  readonly agent?: string | undefined;
  /** Why its calls cannot be seen, as a clause: `which the provider runs`. */
  readonly because: string;
}

/**
 * Refuses hooks that may refuse calls of a tool that the adapter cannot reach, and warns of others. Each registry's own
 * `allowUnsupported` counts.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`
 */
export function checkReach(
  registries: readonly AttachedRegistry[],
  { supports, name, agent, because }: UnreachableTool,
): void {
  for (const { hooks, options } of registries)
    for (const point of ASKED_ABOUT_CALLS) {
      const { type, permits } = point.spec;
      for (const { id, verb } of hooks.get(point, name, { agent })) {
        const message = `${supports.adapter} cannot ask hook "${id}" about calls of "${name}", ${because}`;
        const refuses = verb !== 'observe' && permits.includes('block');
        if (refuses && options.allowUnsupported?.includes(type) !== true)
          throw new HooksError('UNSUPPORTED_EVENT', `${message} (or list "${type}" in allowUnsupported).`, {
            hook: id,
            event: type,
          });
        warnOnce(hooks, `${message}.`);
      }
    }
}

const ASKED_ABOUT_CALLS: readonly PointData[] = [
  BeforeToolCall,
  PermissionRequest,
  BeforeExecute,
  TransformToolResult,
  AfterToolCall,
];

/** An event that an adapter does not fire in some case. */
export interface UnfiredEvents {
  readonly points: readonly PointData[];
  readonly toolName?: string | undefined;
  /** Whose events they would be. Hooks that are limited to other agents do not count. */
  readonly agent?: string | undefined;
}

/**
 * The hooks that may change or refuse events which do not fire in some case, without those that their own registry's
 * `allowUnsupported` lists.
 */
export function unasked(
  registries: readonly AttachedRegistry[],
  { points, toolName, agent }: UnfiredEvents,
): readonly { readonly hook: string; readonly event: string }[] {
  return registries.flatMap(({ hooks, options }) =>
    points.flatMap((point) => {
      const { type } = point.spec;
      if (options.allowUnsupported?.includes(type)) return [];
      const deciding = hooks.get(point, toolName, { agent }).filter(({ verb }) => verb !== 'observe');
      return deciding.map(({ id }) => ({ hook: id, event: type }));
    }),
  );
}

/** Those of a list that are not in another one. */
export function withoutRegistries<R extends AttachedRegistry>(
  registries: readonly R[],
  others: readonly AttachedRegistry[],
): readonly R[] {
  return registries.filter(({ hooks }) => others.every((other) => other.hooks !== hooks));
}

/** Whether two lists have the same registries, in the same order. */
export function areSameRegistries(
  registries: readonly AttachedRegistry[],
  others: readonly AttachedRegistry[],
): boolean {
  return (
    registries.length === others.length && registries.every(({ hooks }, nth) => hooks === others[nth]?.hooks)
  );
}

/** Whether any hook of the registries applies to calls of this tool. If not, call the tool directly. */
export function concernsTool(registries: readonly AttachedRegistry[], toolName: string): boolean {
  return registries.some(({ hooks }) => concerns(hooks, toolName));
}

/** Whether the registries have no say in anything: no hook is registered, and none approves for hooks further in. */
export function areIdle(registries: readonly AttachedRegistry[]): boolean {
  return registries.every(({ hooks, options }) => isIdle(hooks) && options.approval === undefined);
}

/** Whether each registry has an approver of its own, so that no call has to pause. */
export function haveApprovers(registries: readonly AttachedRegistry[]): boolean {
  return registries.every(({ options }) => typeof options.approval === 'function');
}

/** Whether the framework's own pause approves what hooks of the registry require. */
export function isNative({ options }: AttachedRegistry): boolean {
  return options.approval === 'native';
}
