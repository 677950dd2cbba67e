import type { ApprovalOption } from '../approval/questions.ts';
import { fail } from '../error.ts';
import { type HooksInternal, internalOf } from '../registry/internal.ts';
import type { Session } from '../session/session.ts';
import type { KnownSession } from '../session/state.ts';
import type { Attached, AttachedOptions, Registries } from './types.ts';

/** A registry that hooks a tool, and how it decides on all calls. */
interface Deciding {
  readonly internal: HooksInternal;
  /** Who answers for it. */
  readonly approval: ApprovalOption | undefined;
  /** What it was attached with. */
  readonly options: AttachedOptions;
}

/** A registry that hooks a call. */
export interface Member extends Deciding {
  readonly session: KnownSession;
}

/** The registries, each once, with their own sessions of that id. */
export function membersOf(attached: readonly Attached[], session: Session): readonly [Member, ...Member[]] {
  const [outermost, ...inner] = decidingOf(attached).map((one) => ({
    ...one,
    session: one.internal.state(session),
  }));
  if (outermost === undefined) return fail('INVALID_INPUT', 'a tool call needs at least one registry');
  return [outermost, ...inner];
}

/** Each registry in its outermost place, with what it lacks there from further in. */
export function decidingOf(registries: Registries): readonly Deciding[] {
  const found = new Map<HooksInternal, Deciding>();
  for (const { hooks, approval, options: given = { approval } } of listOf(registries)) {
    const internal = internalOf(hooks);
    const { approval: answers = approval, options } = found.get(internal) ?? {};
    found.set(internal, {
      internal,
      approval: answers,
      options: {
        approval: options?.approval ?? given.approval,
        principal: options?.principal ?? given.principal,
        holdStream: options?.holdStream ?? given.holdStream,
      },
    });
  }
  return [...found.values()];
}

/** How often a tool or a model is called at most when hooks answer Retry: the smallest number that is set, or 3. */
export function maxAttempts(members: readonly Deciding[]): number {
  const limits = members.flatMap(({ internal }) => internal.options.maxAttempts ?? []);
  return limits.length > 0 ? Math.min(...limits) : 3;
}

/** The registries as a list, outermost first. */
export function listOf(registries: Registries): readonly Attached[] {
  return isList(registries) ? registries : [{ hooks: registries }];
}

function isList(registries: Registries): registries is readonly Attached[] {
  return Array.isArray(registries);
}
