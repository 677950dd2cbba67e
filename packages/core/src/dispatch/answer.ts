import { type Approval, isApproval, joinApprovals } from '../approval/approval.ts';
import { type HookDecision, isDecision, modify, PROCEED } from '../decision.ts';
import { HooksError } from '../error.ts';
import type { EventPayload, EventSpec } from '../event/event.ts';
import { readFields, readPlain } from '../plain.ts';
import type { Registration } from './chain.ts';
import { failure } from './handler.ts';
import { misfitOf } from './payload.ts';
import { sealFields } from './seal.ts';

/** An object with fields: the dispatcher's view of patches and events. */
export type Fields = { readonly [field: string]: unknown };

/** A validated answer; `error` if the hook failed. */
export interface Verdict {
  readonly decision: HookDecision;
  readonly error?: HooksError;
}

/** What a dispatch knows beyond its event's token. */
export interface Refusal {
  /** Why this dispatch cannot honor a decision that the event permits; undefined if it can. */
  refuse?(decision: HookDecision, event: EventPayload): string | undefined;
}

/** The fields of decisions. */
const FIELDS = ['kind', 'reason', 'patch', 'note', 'delayMs', 'stop', 'source', 'code'];

const PROCEEDING: Verdict = { decision: PROCEED };

/**
 * Validates a hook's answer. If the event cannot honor it, the hook has failed, and the event (or the hook's own
 * `onFailure`) decides whether that blocks. Nothing is dropped silently.
 */
export function judge(
  hook: Registration,
  answer: unknown,
  spec: EventSpec,
  event: EventPayload,
  refusal: Refusal,
): Verdict {
  if (answer === PROCEED) return PROCEEDING;
  let checked: HookDecision | HooksError;
  try {
    checked = check(hook, answer, spec, event);
  } catch (cause) {
    // A getter of what plain JavaScript has made may throw.
    checked = failure(hook, 'INVALID_DECISION', 'returned an unreadable answer', cause);
  }
  if (!(checked instanceof HooksError) && checked.kind !== 'proceed') {
    const { kind } = checked;
    const refused = refusal.refuse?.(checked, event);
    if (refused !== undefined)
      checked = failure(
        hook,
        'INVALID_DECISION',
        `answered ${kind}, which is not possible here: ${refused},`,
      );
  }
  return checked instanceof HooksError
    ? { decision: failedDecision(hook, spec, checked), error: checked }
    : { decision: checked };
}

/** The effect of a failed hook: the event's, unless the hook's own `onFailure` overrides it. */
function failedDecision(hook: Registration, spec: EventSpec, error: HooksError): HookDecision {
  const mode = hook.onFailure ?? spec.onFailure;
  if (mode === 'proceed' || mode === 'ask') return PROCEED;
  const reason = `Blocked, because ${error.message}.`;
  return { kind: 'block', reason, failed: true } as HookDecision;
}

function check(
  hook: Registration,
  given: unknown,
  spec: EventSpec,
  event: EventPayload,
): HookDecision | HooksError {
  // It threw, or did not answer in time.
  if (given instanceof HooksError && given.hook === hook.info.id) return given;
  if (given === undefined && spec.permits.length === 0) return PROCEED;
  const answer = readFields(Object(given), FIELDS);
  const checked = isDecision(answer)
    ? checkDecision(hook, answer, spec, event)
    : `returned no decision (${given === null ? 'null' : typeof given})`;
  return typeof checked === 'string' ? failure(hook, 'INVALID_DECISION', checked) : checked;
}

const NOT_FOR_GUARDS = 'is a guard, which may only answer proceed, block or requireApproval';

/** Returns the decision as it counts, or what is wrong with it, as a clause. */
function checkDecision(
  { info: { verb } }: Registration,
  answer: HookDecision,
  spec: EventSpec,
  event: EventPayload,
): HookDecision | string {
  const { kind } = answer;
  if (kind === 'proceed') return answer;
  if (!spec.permits.includes(kind)) return `answered ${kind}, which is not permitted`;
  const isGuard = verb === 'guard';
  if (kind === 'modify') {
    const checked = readPatch(answer.patch, spec, event, isGuard);
    return typeof checked === 'string' ? checked : modify(checked);
  }
  return isGuard && kind !== 'block' ? NOT_FOR_GUARDS : answer;
}

/** Returns a patch as it counts, or what is wrong with it, as a clause. */
function readPatch(patch: object, spec: EventSpec, event: EventPayload, isGuard: boolean): Fields | string {
  const unknown = Object.keys(patch).find((name) => !spec.modifies.includes(name));
  if (unknown !== undefined)
    return isGuard ? NOT_FOR_GUARDS : `modified "${unknown}" other than the event allows (${spec.modifies})`;
  const given = readFields(patch, spec.modifies);
  for (const name of Object.keys(given).filter((field) => spec.shapes[field] === 'plain')) {
    const read = readPlain(given[name], name);
    if ('problem' in read) return `modified "${name}" to what JSON cannot show (${read.problem})`;
    given[name] = read.data;
  }
  // The hook may keep its patch and change it, and a getter may answer otherwise the next time: this is what is checked and counts.
  const sealed = sealFields(given);
  if (isGuard && !isRequirement(sealed)) return NOT_FOR_GUARDS;
  const field = Object.keys(sealed).find((name) => !fits(spec, name, sealed[name]));
  if (field !== undefined) return `modified "${field}" to an invalid value`;
  const problem = spec.schema && misfitOf(spec, { ...event, ...mergePatch(spec, event, sealed) });
  return problem === undefined
    ? sealed
    : `returned a Modify that does not fit the event's schema (${problem})`;
}

/** Whether a patch does nothing but require approval. */
function isRequirement({ approval, ...others }: Mergeable & Fields): boolean {
  return approval?.kind === 'required' && Object.keys(others).length === 0;
}

/** These fields must have their shape even in plain JavaScript. Other fields may hold anything. */
function fits({ shapes }: EventSpec, field: string, value: unknown): boolean {
  if (field === 'approval') return isApproval(value);
  if (field === 'context') return Array.isArray(value) && value.every((text) => typeof text === 'string');
  return !shapes[field] || shapes[field] === 'plain' || (typeof value === shapes[field] && value !== null);
}

/**
 * The effect of a patch on an event: `context` appends, `metadata` merges, `approval` only gets stricter, all other
 * fields are replaced, but for what the event keeps.
 */
export function mergePatch({ keeps = {} }: EventSpec, event: EventPayload, patch: Fields): Fields {
  const now = event as EventPayload & Mergeable & Fields;
  const { context, metadata, approval }: Mergeable = patch;
  const kept = Object.entries(keeps).flatMap(([field, name]) => {
    const fact: unknown = Reflect.get(Object(now[field]), name);
    return field in patch && fact !== undefined
      ? [[field, Object.freeze({ ...(patch[field] as object), [name]: fact })]]
      : [];
  });
  return {
    ...patch,
    ...Object.fromEntries(kept),
    ...(context && { context: Object.freeze([...(now.context ?? []), ...context]) }),
    ...(metadata && { metadata: Object.freeze({ ...now.metadata, ...metadata }) }),
    ...(approval && { approval: joinApprovals(now.approval, approval) }),
  };
}

interface Mergeable {
  readonly context?: readonly string[];
  readonly metadata?: object;
  readonly approval?: Approval;
}
