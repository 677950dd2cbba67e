import {
  grantApproval,
  type HookProvider,
  HooksError,
  PermissionRequest,
  type Principal,
  proceed,
  type Remember,
  type Session,
  ToolApprovalDecision,
  type ToolDescriptor,
  type ToolEvent,
} from '@hooks/core';
import { hashInput, toolDigest } from '@hooks/core/tool-call';
import type { Entry, Store } from '../store.ts';
import { coveredBy, type InputPattern, isCovered } from './pattern.ts';

/** A remembered approval. */
export interface RememberedApproval {
  /** The id for {@link forget}. */
  readonly id: string;
  readonly toolName: string;
  /** A hash of the tool's description, schema, server and annotations. If the tool changes, a person is asked again. */
  readonly digest: string;
  /** The session in which it counts, including its sub-agents. Undefined for all sessions of the principal. */
  readonly session?: string;
  /** The principal whose calls it covers. Undefined for calls without one. */
  readonly principal?: Pick<Principal, 'id' | 'tenant'>;
  /** The one input that it covers. Undefined where it covers those that match a pattern. */
  readonly input?: unknown;
  /** The inputs that it covers. */
  readonly matching?: InputPattern;
  /** The arguments in whose pattern a `*` is no wildcard, but the model's own. */
  readonly literal?: readonly string[];
  /** When it was last given, in milliseconds since 1970. */
  readonly at: number;
}

/** Options of {@link rememberApprovals}. */
export interface RememberApprovalsOptions {
  readonly store: Store;
}

/** A provider that remembers approvals. */
export interface RememberedApprovals extends HookProvider {
  /**
   * Sets how long the next approval of a call is remembered, if the answer itself cannot say so: call it before you
   * resume a run that the framework paused.
   *
   * @throws HooksError `INVALID_INPUT` where `remember` is neither `session` nor `always`
   */
  remember(callId: string, remembered: Remember): void;
}

const PREFIX = 'approvals/remembered/';

/** How long an approval for a session counts after it was last given. */
const SESSION_MS = 24 * 60 * 60_000;

/** How long the provider trusts that nothing is remembered for a tool. */
const NOTHING_MS = 1_000;
/** For how many tools and principals it does so. */
const MANY = 10_000;

/**
 * Remembers what people approve with `remember: 'session'` or `'always'`, and approves the next such call in their
 * place: for the same principal, the same tool of the same server with the same description, schema and annotations, and the same
 * input, or one that matches the pattern. Calls without a principal share nothing: what is approved there counts for
 * their session. Blocks of hooks still win, and what a hook requires of a person (`by: 'person'`) is still
 * asked.
 *
 * If the store cannot be reached, a person is asked. If an approval cannot be stored, `onError` is called and the call
 * runs.
 *
 * @example
 * ```ts
 * const remembered = rememberApprovals({ store });
 * hooks.use(remembered);
 * // An approver, or the inbox, answers: { decision: 'allow', remember: 'always', matching: { command: 'npm run *' } }
 * // Before a run is resumed by the framework's own means: remembered.remember(callId, { remember: 'session' })
 * ```
 */
export function rememberApprovals({ store }: RememberApprovalsOptions): RememberedApprovals {
  const wishes = new Map<string, Remember>();
  /** Until when nothing is remembered, by group. */
  const nothing = new Map<string, number>();

  const find = async (event: ToolEvent): Promise<RememberedApproval | undefined> => {
    const group = groupOf(event);
    if ((nothing.get(group) ?? 0) > performance.now()) return undefined;
    nothing.delete(group);
    let any = false;
    let digest: string | undefined;
    for await (const entry of store.list(await prefixOf(group))) {
      const approval = approvalIn(entry);
      any ||= approval !== undefined;
      if (approval === undefined || !(await isAbout(approval, event))) continue;
      digest ??= await digestOf(event.tool);
      if (approval.digest === digest) return approval;
    }
    if (!any) {
      if (nothing.size > MANY) nothing.clear();
      nothing.set(group, performance.now() + NOTHING_MS);
    }
    return undefined;
  };

  return {
    name: 'remembered-approvals',

    remember(callId, remembered) {
      check(remembered.remember);
      wishes.set(callId, remembered);
    },

    register(hooks) {
      hooks.on(
        PermissionRequest,
        async function recall(request) {
          if (request.by === 'person') return proceed();
          const known = await find(request);
          if (known === undefined) return proceed();
          const source = known.session === undefined ? 'user_approved_tool' : 'user_approved_session';
          return grantApproval(`approved before (${known.id})`, { source });
        },
        { id: 'recall' },
      );
      hooks.on(
        ToolApprovalDecision,
        async function keep(decision) {
          const wish = wishes.get(decision.callId);
          wishes.delete(decision.callId);
          const { remember, matching } = decision.remember === undefined ? (wish ?? {}) : decision;
          if (decision.approval !== 'allow' || remember === undefined) return;
          check(remember);
          const covered =
            matching === undefined ? { input: decision.input ?? null } : coveredBy(decision.input, matching);
          if (typeof covered === 'string')
            throw new HooksError(
              'INVALID_INPUT',
              `The approval of ${decision.toolName} is not remembered: ${covered}.`,
            );
          const isForSession = remember === 'session' || decision.principal === undefined;
          const group = groupOf(decision);
          const about = {
            toolName: decision.toolName,
            digest: await digestOf(decision.tool),
            ...(isForSession && { session: rootOf(decision.session) }),
            ...(decision.principal !== undefined && { principal: whoOf(decision.principal) }),
            ...covered,
          };
          // The same approval is stored once.
          const id = (await hashInput(about)).slice(0, 32);
          const approval: RememberedApproval = { id, ...about, at: Date.now() };
          const options = isForSession ? { ttlMs: SESSION_MS } : {};
          await store.set(`${await prefixOf(group)}${id}`, approval, options);
          nothing.delete(group);
        },
        { id: 'keep' },
      );
    },
  };
}

/**
 * What is remembered, the newest first.
 *
 * @example
 * ```ts
 * for (const { id, toolName, principal } of await listRemembered(store)) console.log(id, toolName, principal?.id);
 * ```
 */
export async function listRemembered(store: Store): Promise<readonly RememberedApproval[]> {
  const remembered: RememberedApproval[] = [];
  for await (const entry of store.list(PREFIX)) {
    const approval = approvalIn(entry);
    if (approval !== undefined) remembered.push(approval);
  }
  return remembered.sort((one, other) => other.at - one.at);
}

/** Forgets a yes: from now on a person is asked again, in every process. Resolves to whether there was one. */
export async function forget(store: Store, id: string): Promise<boolean> {
  for await (const entry of store.list(PREFIX))
    if (approvalIn(entry)?.id === id) return store.delete(entry.key);
  return false;
}

/** What is remembered of a principal's calls of a tool stands together. */
function groupOf({ principal, toolName }: ToolEvent): string {
  return JSON.stringify([principal ? whoOf(principal) : null, toolName]);
}

async function prefixOf(group: string): Promise<string> {
  return `${PREFIX}${(await hashInput(group)).slice(0, 32)}/`;
}

function whoOf({ id, tenant }: Principal): Pick<Principal, 'id' | 'tenant'> {
  return tenant === undefined ? { id } : { id, tenant };
}

function rootOf(session: Session): string {
  return session.parent === undefined ? session.id : rootOf(session.parent);
}

async function isAbout(approval: RememberedApproval, event: ToolEvent): Promise<boolean> {
  const { session, principal, matching, literal = [] } = approval;
  if (session !== undefined && session !== rootOf(event.session)) return false;
  // Without a principal nothing counts in more than one session.
  if (session === undefined && principal === undefined) return false;
  if (matching !== undefined) return isCovered(event.input, { matching, literal });
  return 'input' in approval && (await hashInput(approval.input)) === (await hashInput(event.input ?? null));
}

/** What a tool says of itself, and whose it is. */
async function digestOf(tool: ToolDescriptor | undefined): Promise<string> {
  const { server = null, annotations = null } = tool ?? {};
  return hashInput([await toolDigest(tool), server, annotations]);
}

function check(remember: unknown): void {
  if (remember !== 'session' && remember !== 'always')
    throw new HooksError(
      'INVALID_INPUT',
      `remember is ${String(remember)}; it has to be 'session' or 'always'.`,
    );
}

/** What stands at a key, where it is a remembered approval; other programs may write there, too. */
function approvalIn({ value, key }: Entry): RememberedApproval | undefined {
  const { id, toolName, digest, session, matching, literal, at }: { readonly [field: string]: unknown } =
    Object(value);
  const whole =
    typeof toolName === 'string' &&
    typeof digest === 'string' &&
    typeof at === 'number' &&
    (session === undefined || typeof session === 'string') &&
    (matching === undefined || isPattern(matching)) &&
    (literal === undefined ||
      (Array.isArray(literal) && literal.every((each) => typeof each === 'string'))) &&
    key.endsWith(`/${String(id)}`);
  return whole ? (value as RememberedApproval) : undefined;
}

function isPattern(matching: unknown): matching is InputPattern {
  return (
    typeof matching === 'object' &&
    matching !== null &&
    Object.values(matching).every((text) => typeof text === 'string')
  );
}
