import type { ApprovalOption } from '../approval/questions.ts';
import { BlockedError } from '../blocked.ts';
import type { Registration } from '../dispatch/chain.ts';
import { fail } from '../error.ts';
import {
  AfterToolCall,
  BeforeExecute,
  BeforeToolCall,
  PermissionRequest,
  TransformToolResult,
} from '../event/catalogue/tool.ts';
import type { PointData } from '../event/event.ts';
import { checkOptions, type OptionCheck } from '../options.ts';
import { type Principal, principalFrom } from '../principal.ts';
import type { Hooks } from '../registry/hooks.ts';
import { internalOf } from '../registry/internal.ts';
import type { Attached } from '../tool-call/types.ts';
import type { AttachOptions } from './options.ts';
import { attachAdapter, concerns, decides, hears, warnOnce } from './registry.ts';
import type { AdapterDeclaration, SupportTable } from './support.ts';

/** A run that a hook may have ended. */
interface EndedRun {
  readonly stop: { readonly reason: string } | undefined;
  readonly parent: object | undefined;
}

/** What a run is hooked by. */
interface HookedRunLike {
  readonly registries: readonly Pick<Attached, 'hooks'>[];
}

/** What a paused run is hooked by, as `Attachment.attached` returns it. */
interface PausedRunLike {
  readonly registries: readonly Pick<Attached, 'hooks' | 'options'>[];
}

/** The function of an adapter that attaches a registry. */
export interface AttachingFunction {
  /** Its name, for errors. */
  readonly of: string;
  /** A check for each option that it takes. */
  readonly takes: { readonly [option: string]: OptionCheck };
}

interface Entry<Options> {
  readonly hooks: Hooks;
  readonly options: Options;
}

/**
 * The registries that hook an agent or a tool, each with the options that it was attached with, outermost first. What
 * applies where they differ is decided here, by one rule for each option and for all adapters. It does not change: to
 * attach further registries makes a new one.
 */
export class Attachment<
  in Native = never,
  out Options extends AttachOptions<Native> = AttachOptions<Native>,
> {
  readonly #entries: readonly Entry<Options>[];

  private constructor(entries: readonly Entry<Options>[]) {
    this.#entries = entries;
  }

  /** Of something that nothing hooks. */
  static readonly none: Attachment<unknown, never> = new Attachment([]);

  /**
   * Attaches a registry.
   *
   * @throws HooksError `UNSUPPORTED_EVENT` if a hook may refuse an event that the adapter does not fire, `CONFIG_INVALID` if
   *   an option is unknown or has an invalid value
   */
  static of<Native, Options extends AttachOptions<Native>>(
    hooks: Hooks,
    options: Options,
    declaration: AdapterDeclaration & AttachingFunction,
  ): Attachment<Native, Options> {
    // What is checked has the options of the adapter, and no others. What the program changes later does not count.
    const checked = checkOptions<object>(declaration.of, options, declaration.takes) as Options;
    const attachment = new Attachment<Native, Options>([{ hooks, options: checked }]);
    attachment.declare(declaration);
    return attachment;
  }

  /**
   * Declares further tools, or what the adapter supports elsewhere, to the registries.
   *
   * @throws HooksError `UNSUPPORTED_EVENT`
   */
  declare({ supports, tools }: AdapterDeclaration): void {
    for (const { hooks, options } of this.#entries)
      attachAdapter(hooks, { supports, tools, allowUnsupported: options.allowUnsupported });
  }

  /** The registries. */
  get hooks(): readonly Hooks[] {
    return this.#entries.map(({ hooks }) => hooks);
  }

  /**
   * Both, with those of `inner` further in. A registry that is in both keeps its outermost place, and takes the options that
   * it lacks there from further in. Returns one of the two if it already is the result.
   */
  around(inner: Attachment<Native, Options>): Attachment<Native, Options> {
    if (inner.#entries.length === 0) return this;
    if (this.#entries.length === 0) return inner;
    const found = new Map<Hooks, Entry<Options>>();
    for (const entry of [...this.#entries, ...inner.#entries]) {
      const outer = found.get(entry.hooks);
      found.set(entry.hooks, outer === undefined ? entry : withLacking(outer, entry));
    }
    const joined = [...found.values()];
    return [inner, this].find((one) => isSameList(one.#entries, joined)) ?? new Attachment(joined);
  }

  /** The registries that are not in another one. */
  without(other: Attachment<never>): Attachment<Native, Options> {
    const others = new Set(other.hooks);
    const rest = this.#entries.filter(({ hooks }) => !others.has(hooks));
    return rest.length === this.#entries.length ? this : new Attachment(rest);
  }

  /** Whether there is a registry at all. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Whether another one has the same registries, in the same order. */
  hasSameHooks(other: Attachment<never>): boolean {
    const others = other.hooks;
    return (
      others.length === this.#entries.length && this.#entries.every(({ hooks }, nth) => hooks === others[nth])
    );
  }

  /**
   * Whether a paused run may resume under these, and hooks need not be asked again: it has the same registries, in the same
   * order, with the same approvers.
   */
  mayResume({ registries }: PausedRunLike): boolean {
    return (
      registries.length === this.#entries.length &&
      this.#entries.every(({ hooks, options }, nth) => {
        const other = registries[nth];
        return hooks === other?.hooks && options.approval === other.options?.approval;
      })
    );
  }

  /**
   * Whether any hook may change or refuse anything now. Do not run without hooks because of it: one that is registered while a
   * run goes on decides on what comes next.
   */
  get decidesAnything(): boolean {
    return this.hooks.some((hooks) =>
      internalOf(hooks)
        .registrations()
        .some(({ info }) => info.verb !== 'observe'),
    );
  }

  /** Whether any hook applies to calls of this tool. If not, call the tool directly. */
  concerns(toolName: string): boolean {
    return this.hooks.some((hooks) => concerns(hooks, toolName));
  }

  /** Whether any hook would run for an event. Without a tool's name, hooks that are limited to tools do not count. */
  hears(point: PointData, toolName?: string): boolean {
    return this.hooks.some((hooks) => hears(hooks, point, toolName));
  }

  /** Whether any hook may change or refuse an event, so observers do not count. */
  decides(point: PointData, toolName?: string): boolean {
    return this.hooks.some((hooks) => decides(hooks, point, toolName));
  }

  /** Whether any hook would run for an event of some tool. */
  hearsOfAnyTool(point: PointData): boolean {
    return this.#registered(point).length > 0;
  }

  /** Whether any hook may change or refuse an event of some tool. */
  decidesOfAnyTool(point: PointData): boolean {
    return this.#registered(point).some(({ info }) => info.verb !== 'observe');
  }

  /** Whether any hook may change or refuse the results of a tool. */
  decidesResult(toolName: string): boolean {
    return RESULTS.some((point) => this.decides(point, toolName));
  }

  /** Whether a stream is held back until hooks have decided: some registry may change or refuse it, and has not opted out. */
  holds(point: PointData, toolName?: string): boolean {
    return this.#holding(point, toolName) !== undefined;
  }

  /** The same for what a tool streams before its result is decided on. */
  holdsResult(toolName: string): boolean {
    return RESULTS.some((point) => this.holds(point, toolName));
  }

  /**
   * What to call for each thing that a tool would write before its result is decided on: it is withheld, and this warns, once
   * for each tool. Undefined if it passes.
   *
   * @param call hooks may have concealed values, which only the tool is given and could write
   */
  withheld(toolName: string, { concealed }: Pick<BeforeToolCall, 'concealed'>): (() => void) | undefined {
    if (!concealed && !this.holdsResult(toolName)) return undefined;
    return () => {
      const [holding] = RESULTS.flatMap((point) => this.#holding(point, toolName) ?? []);
      if (holding !== undefined)
        warnOnce(
          holding.hooks,
          `What the tool "${toolName}" streams while it runs is withheld, because hooks decide on its result but do not see these writes. \`holdStream: false\` lets them through unfiltered.`,
        );
    };
  }

  /** How often in a row Stop hooks may continue a run: the smallest number that is set. */
  get maxContinuations(): number | undefined {
    const set = this.#entries.flatMap(({ options }) => options.maxContinuations ?? []);
    return set.length > 0 ? Math.min(...set) : undefined;
  }

  /**
   * What a run throws because a hook has ended it. Undefined if it returns a result with the reason as its text: unless
   * the outermost registry that sets `refused` wants it thrown, and always for a sub-agent, whose caller is a model.
   */
  rejection({ stop, parent }: EndedRun): BlockedError | undefined {
    if (stop === undefined || parent !== undefined || this.option('refused') !== 'throw') return undefined;
    return new BlockedError({ reason: stop.reason, stop: true });
  }

  /** @throws BlockedError if a hook has ended the run, and `refused` is `throw`: see {@link rejection} */
  throwRejection(run: EndedRun): void {
    const rejection = this.rejection(run);
    if (rejection !== undefined) throw rejection;
  }

  /** Whether the framework's own pause approves what some registry's hooks require. */
  get isNative(): boolean {
    return this.#entries.some(({ options }) => options.approval === 'native');
  }

  /** What the outermost registry that says anything about it says. */
  option<Name extends keyof Options>(name: Name): Options[Name] | undefined {
    return this.options(name).find((value) => value !== undefined);
  }

  /** What each registry says, outermost first. */
  options<Name extends keyof Options>(name: Name): readonly (Options[Name] | undefined)[] {
    return this.#entries.map(({ options }) => options[name]);
  }

  /**
   * The principal of a run: a sub-agent's is its parent's, any other is that of the innermost registry that knows one.
   *
   * @throws HooksError `INVALID_INPUT` if the option returns something else than a principal, or one without an id that a person sees
   */
  principal(native: Native, parent?: { readonly principal: Principal | undefined }): Principal | undefined {
    if (parent?.principal !== undefined) return parent.principal;
    for (const { options } of this.#entries.toReversed()) {
      const given: unknown = options.principal?.(native);
      // What the program changes later is another user, and not the run's.
      if (given !== undefined) return principalFrom(given, 'the option principal');
    }
    return undefined;
  }

  /**
   * The principal of a call whose tool is hooked by itself: that of the innermost registry, among those that do not hook
   * the run, that knows one. Undefined if the run's principal counts.
   *
   * @throws HooksError `INVALID_INPUT` as `principal`
   */
  principalOfCall(run: HookedRunLike, native: Native): Principal | undefined {
    const ofRun = new Set(run.registries.map(({ hooks }) => hooks));
    const own = this.#entries.filter(({ hooks }) => !ofRun.has(hooks));
    return new Attachment<Native, Options>(own).principal(native);
  }

  /**
   * The registries as core takes them.
   *
   * @param approvalOf what stands for a registry's option. Default: the option itself
   */
  attached(
    approvalOf: (approval: ApprovalOption | undefined) => Attached['approval'] = (approval) => approval,
  ): readonly Attached[] {
    return this.#entries.map(({ hooks, options }) => ({
      hooks,
      approval: approvalOf(options.approval),
      options,
    }));
  }

  /**
   * Refuses hooks that may refuse calls of a tool that the adapter cannot reach, and warns of others. Each registry's own
   * `allowUnsupported` counts.
   *
   * @throws HooksError `UNSUPPORTED_EVENT`
   */
  checkReach({ supports, name, agent, because }: UnreachableTool): void {
    for (const { hooks, options } of this.#entries)
      for (const point of OF_CALLS) {
        const { type, permits } = point.spec;
        for (const { id, verb } of hooks.get(point, name, { agent })) {
          const message = `${supports.adapter} cannot ask hook "${id}" about calls of "${name}", ${because}`;
          const refuses = verb !== 'observe' && permits.includes('block');
          if (refuses && options.allowUnsupported?.includes(type) !== true)
            fail('UNSUPPORTED_EVENT', `${message} (or list "${type}" in allowUnsupported).`, {
              hook: id,
              event: type,
            });
          warnOnce(hooks, `${message}.`);
        }
      }
  }

  /**
   * The hooks that may change or refuse events which do not fire in some case, without those that their own registry's
   * `allowUnsupported` lists.
   */
  unasked({ points, toolName, agent }: UnfiredEvents): readonly UnaskedHook[] {
    return this.#entries.flatMap(({ hooks, options }) =>
      points.flatMap((point) => {
        const { type } = point.spec;
        if (options.allowUnsupported?.includes(type)) return [];
        const deciding = hooks.get(point, toolName, { agent }).filter(({ verb }) => verb !== 'observe');
        return deciding.map(({ id }) => ({ hook: id, event: type }));
      }),
    );
  }

  /**
   * Refuses to do something where hooks would not be asked that may change or refuse it.
   *
   * @param where what is done, as in "hooks on … do not run in a network"
   * @param instead what to do about it
   * @throws HooksError `UNSUPPORTED_EVENT`
   */
  refuseUnasked(
    { points, agent, toolNames = [] }: Omit<UnfiredEvents, 'toolName'>,
    where: string,
    instead: string,
  ): void {
    const calls = toolNames.flatMap((toolName) => this.unasked({ points: OF_CALLS, toolName, agent }));
    const unasked = [...this.unasked({ points, agent }), ...calls];
    const types = [...new Set(unasked.map(({ event }) => event))].join(', ');
    const why = `hooks on ${types} do not run in ${where}: ${instead}, or list ${types} in allowUnsupported.`;
    const [first] = unasked;
    if (first !== undefined) fail('UNSUPPORTED_EVENT', why, first);
  }

  /** The hooks for an event, whatever tools they are limited to. */
  #registered({ spec: { lineage } }: PointData): readonly Registration[] {
    return this.hooks
      .flatMap((hooks) => internalOf(hooks).registrations())
      .filter(({ spec }) => lineage.includes(spec.type));
  }

  #holding(point: PointData, toolName: string | undefined): Entry<Options> | undefined {
    return this.#entries.find(
      ({ hooks, options }) => options.holdStream !== false && decides(hooks, point, toolName),
    );
  }
}

/** The events that decide on a result. */
const RESULTS: readonly PointData[] = [TransformToolResult, AfterToolCall];

/** The events of a call at which hooks are asked. */
const OF_CALLS: readonly PointData[] = [BeforeToolCall, PermissionRequest, BeforeExecute, ...RESULTS];

/** A tool whose calls an adapter cannot see. */
interface UnreachableTool {
  readonly supports: SupportTable;
  readonly name: string;
  /** Who may call it. Hooks that are limited to other agents do not count. */
  readonly agent?: string | undefined;
  /** Why its calls cannot be seen, as a clause: `which the provider runs`. */
  readonly because: string;
}

/** An event that an adapter does not fire in some case. */
export interface UnfiredEvents {
  readonly points: readonly PointData[];
  readonly toolName?: string | undefined;
  /** Tools of whose calls no event fires. */
  readonly toolNames?: readonly string[];
  /** Whose events they would be. Hooks that are limited to other agents do not count. */
  readonly agent?: string | undefined;
}

/** A hook that is not asked, and the type of the event that it waits for. */
export interface UnaskedHook {
  readonly hook: string;
  readonly event: string;
}

function withLacking<Options extends object>(outer: Entry<Options>, inner: Entry<Options>): Entry<Options> {
  const lacking = Object.entries(inner.options).filter(
    ([name, value]) => value !== undefined && Reflect.get(outer.options, name) === undefined,
  );
  if (lacking.length === 0) return outer;
  return { ...outer, options: { ...outer.options, ...Object.fromEntries(lacking) } };
}

function isSameList(some: readonly Entry<object>[], others: readonly Entry<object>[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ hooks, options }, nth) => {
      const other = others[nth];
      return hooks === other?.hooks && hasOptions(options, other.options);
    })
  );
}

function hasOptions(options: object, others: object): boolean {
  const names = new Set([...Object.keys(options), ...Object.keys(others)]);
  return [...names].every((name) => Reflect.get(options, name) === Reflect.get(others, name));
}
