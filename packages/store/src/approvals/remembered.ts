import {
  AfterToolCall,
  type ApprovalRequest,
  BeforeToolCall,
  grantApproval,
  type HookProvider,
  HooksError,
  PermissionRequest,
  type Principal,
  proceed,
  type Remember,
  type Session,
  sessionKey,
  ToolApprovalDecision,
  type ToolDescriptor,
  type ToolEvent,
} from '@hooks/core';
import { principalFrom, rootOf } from '@hooks/core/adapter';
import { boundsOf, hashInput, toolDigest } from '@hooks/core/tool-call';
import { checkOptions, storeOption } from '../arguments.ts';
import type { Entry, Store } from '../store.ts';
import { type InputRules, isCovered, isRules, rulesOf } from './pattern.ts';
import { checkBounds } from './remember.ts';

/** A remembered approval. */
export interface RememberedApproval {
  /** The id for {@link forgetApproval}. */
  readonly id: string;
  readonly toolName: string;
  /** A hash of the tool's description, schema, server and annotations. If the tool changes, a person is asked again. */
  readonly digest: string;
  /** The session in which it counts, including its sub-agents. Undefined for all sessions of the principal. */
  readonly session?: string;
  /** The run in which it counts. Undefined for all runs. */
  readonly run?: string;
  /** The principal whose calls it covers. Undefined for calls without one. */
  readonly principal?: Pick<Principal, 'id' | 'tenant'>;
  /** The one input that it covers. Undefined where it covers all that `matching` does. */
  readonly input?: unknown;
  /** The hash of what the tool's schema makes of that input, where no hook and no person has changed what the model sent. */
  readonly parsedHash?: string;
  /** The inputs that it covers, by argument. */
  readonly matching?: InputRules;
  /** When it was last given, in milliseconds since 1970. */
  readonly at: number;
  /** Until when it counts, in milliseconds since 1970. Undefined for good. */
  readonly until?: number;
  /** How many calls it covers. Undefined for any number. */
  readonly times?: number;
  /** How many calls of them are left. */
  readonly left?: number;
}

/** Options of {@link rememberApprovals}. */
export interface RememberApprovalsOptions {
  readonly store: Store;
}

/** A provider that remembers approvals. */
export interface RememberedApprovals extends HookProvider {
  /**
   * Sets how long the next approval of a call is remembered, if the answer itself cannot say so: await it before you
   * resume a run that the framework paused. It is for the yes of a person to that call alone: another one with the same id, of another
   * user or tool, in another session or with another input, is not remembered, and neither is what a hook grants.
   *
   * @param call the pending approval that the person saw, its session, and the user who answers. Put that user behind the pending
   *   approval, which may tell whose call it is: or else what somebody says who may not answer it extends the yes of its user
   * @throws HooksError `INVALID_INPUT` if the principal is none
   * @throws StoreError `INVALID` where `remember` is neither `session`, `always` nor bounds, or is missing beside `matching`
   */
  remember(call: PendingCall, remembered: Remember): Promise<void>;
}

/** A call that waits for approval. */
interface PendingCall extends Pick<ApprovalRequest, 'sessionId' | 'callId' | 'toolName' | 'input'> {
  readonly principal?: Principal | undefined;
}

const PREFIX = 'approvals/remembered/';

/** An approval that covers a call, and what the call took of it. */
interface Found {
  readonly approval: RememberedApproval;
  readonly use?: Use;
}

/** One of the calls that an approval covers. */
interface Use {
  /** The call did not run. */
  giveBack(): Promise<void>;
  /** The call ran. */
  keep(): Promise<void>;
}

/**
 * The calls of one id that are under way. Models may use an id twice: where calls overlap, nothing is given back, because it might
 * be what another one has used.
 */
interface UnderWay {
  readonly calls: number;
  use?: Use & { readonly hash: string };
}

let registered = 0;

/** Where the uses are counted of an approval that covers so many calls. */
const USES = 'approvals/uses/';
/** As long as any approval counts: a hundred years. */
const EVER_MS = 100 * 365 * 24 * 60 * 60_000;

/** How long an approval counts that is for one session because its call has no principal. */
const SESSION_MS = 24 * 60 * 60_000;

/** How long the provider trusts that nothing is remembered for a tool. */
const NOTHING_MS = 1_000;
/** For how many tools and principals it does so, and how many calls it keeps whose approval is to be remembered. */
const MANY = 10_000;

/**
 * Remembers what people approve with `remember: 'session'`, `'always'` or `RememberBounds`, and approves the next such call in their
 * place: for the same principal, the same tool of the same server with the same description, schema and annotations, and the same
 * input, or one that matches the pattern. Calls without a principal share nothing: what is approved there counts for
 * their session. Blocks of hooks still win, and what a hook requires of a person (`by: 'person'`) is still
 * asked.
 *
 * Of an approval for so many calls, one that does not run (another hook blocks it later) uses none.
 *
 * If the store cannot be reached, a person is asked. If an approval cannot be stored, `onError` is called and the call
 * runs.
 *
 * @example
 * ```ts
 * const remembered = rememberApprovals({ store });
 * hooks.use(remembered);
 * // An approver, or the inbox, answers: { decision: 'allow', remember: 'always', matching: { command: 'npm run *' } }
 * // Before a run is resumed by the framework's own means:
 * const [pending] = await pendingApprovals(result);
 * await remembered.remember({ sessionId, ...pending, principal }, { remember: { within: 'session', for: '30 min', times: 3 } });
 * ```
 */
export function rememberApprovals(options: RememberApprovalsOptions): RememberedApprovals {
  options = checkOptions('rememberApprovals', options, { store: storeOption });
  const { store } = options;
  /** By {@link wishOf}. */
  const wishes = new Map<string, Remember>();
  /** How far a decision extends. What was said of its call before counts for this decision alone. */
  const extentOf = async (decision: ToolApprovalDecision): Promise<Remember> => {
    const { session, toolName, nativeToolName } = decision;
    let taken: Remember | undefined;
    const ofNobody: string[] = [];
    // Whoever has not asked knows the tool by the framework's name.
    for (const name of new Set([toolName, nativeToolName])) {
      const about = { ...decision, sessionId: session.id, toolName: name };
      const key = await wishOf(about);
      taken ??= wishes.get(key);
      wishes.delete(key);
      const nobodys = await wishOf({ ...about, principal: undefined });
      if (wishes.has(nobodys)) ofNobody.push(nobodys);
    }
    // A hook that grants the call is no person, and neither is a permission list. Whoever answers in place of the tool has not approved it.
    if (decision.approval !== 'allow') return {};
    if (decision.remember !== undefined) return decision;
    if (decision.source !== 'user_approved') return {};
    if (taken === undefined && ofNobody.length > 0) {
      for (const key of ofNobody) wishes.delete(key);
      throw notRemembered(
        toolName,
        '`remember` was told of it without a principal, and the call has one. Pass the principal of the call',
      );
    }
    return taken ?? {};
  };
  /** Until when nothing is remembered, by group. */
  const nothing = new Map<string, number>();

  const find = async (event: ToolEvent): Promise<Found | undefined> => {
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
      if (approval.digest !== digest) continue;
      if (approval.times === undefined) return { approval };
      const use = await take(approval, approval.times, entry);
      if (use !== undefined) return { approval, use };
    }
    if (!any) {
      if (nothing.size > MANY) nothing.clear();
      nothing.set(group, performance.now() + NOTHING_MS);
    }
    return undefined;
  };

  /** Takes one of the calls that an approval covers; undefined if none is left. */
  const take = async (
    approval: RememberedApproval,
    times: number,
    { key, version }: Entry,
  ): Promise<Use | undefined> => {
    const { at, until = at + EVER_MS } = approval;
    const use = { key: usesOf(approval), windowMs: until - at, id: crypto.randomUUID() };
    const { counted, totals } = await store.count({ ...use, amount: 1, limit: times });
    if (!counted) return undefined;
    return {
      giveBack: async () => void (await store.count({ ...use, amount: 0 })),
      keep: async () => {
        if ((totals[0] ?? 0) >= times) await store.delete(key, { expected: version });
      },
    };
  };

  return {
    name: 'remembered-approvals',

    async remember(call, remembered) {
      checkBounds(remembered);
      wishes.set(await wishOf(call), remembered);
      for (const oldest of wishes.keys()) {
        if (wishes.size <= MANY) break;
        wishes.delete(oldest);
      }
    },

    register(hooks) {
      const underWay = sessionKey<Map<string, UnderWay>>(`remembered-approvals/${++registered}`);
      const callsOf = (session: Session) => session.get(underWay, () => new Map());
      hooks.observe(
        BeforeToolCall,
        ({ session, callId, rechecked }) => {
          if (rechecked) return;
          const calls = callsOf(session);
          const call = calls.get(callId);
          if (call === undefined) calls.set(callId, { calls: 1 });
          else calls.set(callId, { calls: call.calls + 1 });
        },
        { id: 'begin' },
      );
      hooks.observe(
        AfterToolCall,
        async ({ session, callId, toolName, ran, input }, { kind }) => {
          if (kind === 'retry') return;
          const calls = callsOf(session);
          const call = calls.get(callId);
          if (call === undefined) return;
          if (call.calls > 1) calls.set(callId, { calls: call.calls - 1 });
          else calls.delete(callId);
          const { use } = call;
          if (use === undefined) return;
          if (ran) await use.keep();
          else if ((await hashInput([toolName, input ?? null])) === use.hash) await use.giveBack();
        },
        { id: 'give-back' },
      );
      hooks.on(
        PermissionRequest,
        async function recall(request) {
          // Where another hook has granted it, none of so many calls is used up.
          if (request.by === 'person' || request.approval !== undefined) return proceed();
          const found = await find(request);
          if (found === undefined) return proceed();
          const { approval: known, use } = found;
          const call = callsOf(request.session).get(request.callId);
          if (use !== undefined && call?.calls === 1)
            call.use = { ...use, hash: await hashInput([request.toolName, request.input ?? null]) };
          const source = known.session === undefined ? 'user_approved_tool' : 'user_approved_session';
          return grantApproval(`approved before (${known.id})`, { source });
        },
        { id: 'recall' },
      );
      hooks.on(
        ToolApprovalDecision,
        async function keep(decision) {
          const { callId, session, run, principal, toolName } = decision;
          // A person denies another call of this id, which paused before: nothing was used for it.
          if (decision.approval === 'deny' && decision.answered) delete callsOf(session).get(callId)?.use;
          const { remember, matching } = await extentOf(decision);
          if (remember === undefined) return;
          const bounds = boundsOf(remember);
          if (typeof bounds === 'string') throw notRemembered(toolName, bounds);
          const { within, forMs, times } = bounds;
          const covered = await coveredBy(decision, matching);
          if (typeof covered === 'string') throw notRemembered(toolName, covered);
          if (within === 'run' && run === undefined)
            throw notRemembered(toolName, 'the call belongs to no run. Remember it within the session');
          const isForSession = within !== 'always' || principal === undefined;
          const group = groupOf(decision);
          const covers = {
            toolName,
            digest: await digestOf(decision.tool),
            ...(isForSession && { session: rootOf(session).id }),
            ...(within === 'run' && run !== undefined && { run }),
            ...(principal !== undefined && { principal: whoOf(principal) }),
            ...covered,
          };
          // The same approval is stored once.
          const id = (await hashInput(covers)).slice(0, 32);
          const at = Date.now();
          const ttlMs = forMs ?? (isForSession ? SESSION_MS : undefined);
          const approval: RememberedApproval = {
            id,
            ...covers,
            at,
            ...(ttlMs !== undefined && { until: at + ttlMs }),
            ...(times !== undefined && { times }),
          };
          await store.set(`${await prefixOf(group)}${id}`, approval, ttlMs === undefined ? {} : { ttlMs });
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
 * for (const { id, toolName, principal } of await listRememberedApprovals(store)) console.log(id, toolName, principal?.id);
 * ```
 */
export async function listRememberedApprovals(store: Store): Promise<readonly RememberedApproval[]> {
  const remembered: RememberedApproval[] = [];
  for await (const entry of store.list(PREFIX)) {
    const approval = approvalIn(entry);
    if (approval === undefined) continue;
    const { times } = approval;
    const { totals = [] } =
      times === undefined ? {} : await store.count({ key: usesOf(approval), amount: 0, windowMs: EVER_MS });
    const left = times && times - (totals[0] ?? 0);
    if (left === undefined) remembered.push(approval);
    else if (left > 0) remembered.push({ ...approval, left });
  }
  return remembered.sort((one, other) => other.at - one.at);
}

/** Forgets a yes: from now on a person is asked again, in every process. Resolves to whether there was one. */
export async function forgetApproval(store: Store, id: string): Promise<boolean> {
  for await (const entry of store.list(PREFIX))
    if (approvalIn(entry)?.id === id) return store.delete(entry.key);
  return false;
}

/** Names a call: its id is the model's, which may use it twice. */
async function wishOf({ sessionId, principal, callId, toolName, input }: PendingCall): Promise<string> {
  const who = principal === undefined ? undefined : principalFrom(principal, 'remember');
  return JSON.stringify([sessionId, who?.id, who?.tenant, callId, toolName, await hashInput(input ?? null)]);
}

function notRemembered(toolName: string, why: string): HooksError {
  return new HooksError('INVALID_INPUT', `The approval of ${toolName} is not remembered: ${why}.`);
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

async function isAbout(approval: RememberedApproval, event: ToolEvent): Promise<boolean> {
  const { session, run, principal, matching, input, parsedHash } = approval;
  if (session !== undefined && session !== rootOf(event.session).id) return false;
  if (run !== undefined && run !== event.run) return false;
  // Without a principal nothing counts in more than one session.
  if (session === undefined && principal === undefined) return false;
  if (matching !== undefined) return isCovered(event.input, matching);
  if (!('input' in approval)) return false;
  // A process knows a call as the model wrote it, or only as the schema has parsed it; what runs is the same.
  const parsed = parsedHash && (await parsedHashOf(event));
  return parsed ? parsed === parsedHash : (await hashInput(input)) === (await hashInput(event.input ?? null));
}

/** The hash of what the tool's schema makes of an input; undefined where that was changed since the model sent it. */
async function parsedHashOf({ input, modelInput, parsedHash }: ToolEvent): Promise<string | undefined> {
  const sent = await hashInput(modelInput ?? null);
  return sent === (await hashInput(input ?? null)) ? (parsedHash ?? sent) : undefined;
}

/** What an answer covers, or why it cannot be remembered. */
async function coveredBy(
  decision: ToolApprovalDecision,
  matching: Remember['matching'],
): Promise<Pick<RememberedApproval, 'input' | 'parsedHash'> | { readonly matching: InputRules } | string> {
  const { input } = decision;
  if (matching === undefined) {
    const parsedHash = await parsedHashOf(decision);
    return { input: input ?? null, ...(parsedHash !== undefined && { parsedHash }) };
  }
  const rules = rulesOf(input, matching);
  return typeof rules === 'string' ? rules : { matching: rules };
}

function usesOf({ id, at }: RememberedApproval): string {
  return `${USES}${id}/${at}`;
}

/** What a tool says of itself, and whose it is. */
async function digestOf(tool: ToolDescriptor | undefined): Promise<string> {
  const { server = null, annotations = null } = tool ?? {};
  return hashInput([await toolDigest(tool), server, annotations]);
}

/** What stands at a key, where it is a remembered approval; other programs may write there, too. */
function approvalIn({ value, key }: Entry): RememberedApproval | undefined {
  const fields: { readonly [field: string]: unknown } = Object(value);
  const { id, toolName, digest, session, run, matching, parsedHash, at, times } = fields;
  const whole =
    typeof toolName === 'string' &&
    typeof digest === 'string' &&
    typeof at === 'number' &&
    (session === undefined || typeof session === 'string') &&
    (run === undefined || typeof run === 'string') &&
    (matching === undefined || isRules(matching)) &&
    (parsedHash === undefined || typeof parsedHash === 'string') &&
    (times === undefined || (Number.isSafeInteger(times) && Number(times) > 0)) &&
    key.endsWith(`/${String(id)}`);
  return whole ? (value as RememberedApproval) : undefined;
}
