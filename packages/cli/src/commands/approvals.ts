import type { ApprovalAnswer, Duration, RememberBounds } from '@hooks/core';
import type { Store } from '@hooks/store';
import {
  answerApproval,
  answerReceived,
  forgetApproval as forgetRemembered,
  type InputPattern,
  type InputRules,
  listRememberedApprovals,
  requestIds,
  textOf,
  waitingApprovals,
} from '@hooks/store/approvals';
import { type Program, UserError } from '../program.ts';
import { inStore, type StoreOption } from '../store.ts';
import { codesOf, table } from '../table.ts';

/** Shows the pending approvals of a store, or its remembered approvals. */
export async function listApprovals(
  { json, remembered, ...options }: StoreOption & { readonly json?: boolean; readonly remembered?: boolean },
  program: Program,
): Promise<number> {
  return inStore(options, program, async (store) => {
    if (remembered) return showRemembered(store, json === true, program);
    const waiting = await waitingApprovals(store);
    if (json) program.stdout.write(`${JSON.stringify(waiting, undefined, 2)}\n`);
    else if (waiting.length === 0) program.stdout.write('There are no pending approvals.\n');
    else
      program.stdout.write(
        table(
          ['id', 'tool', 'input', 'reason', 'until'],
          waiting.map(({ id, toolName, input, reason, severity, deadline }) => [
            id,
            toolName,
            JSON.stringify(input) ?? '',
            severity === undefined ? reason : `${severity}: ${reason}`,
            new Date(deadline).toISOString(),
          ]),
        ),
      );
    return 0;
  });
}

async function showRemembered(store: Store, json: boolean, program: Program): Promise<number> {
  const remembered = await listRememberedApprovals(store);
  if (json) program.stdout.write(`${JSON.stringify(remembered, undefined, 2)}\n`);
  else if (remembered.length === 0) program.stdout.write('There are no remembered approvals.\n');
  else
    program.stdout.write(
      table(
        ['id', 'tool', 'inputs', 'session', 'for', 'left', 'until'],
        remembered.map(({ id, toolName, input, matching, session, run, principal, times, left, until }) => [
          id,
          toolName,
          matching ? textOfAll(matching) : (JSON.stringify(input) ?? ''),
          run === undefined ? (session ?? 'all') : `${session}, run ${run}`,
          principal?.id ?? 'calls without a user',
          times === undefined ? 'any number' : `${left} of ${times}`,
          until === undefined ? 'it is forgotten' : new Date(until).toISOString(),
        ]),
      ),
    );
  return 0;
}

/** Each argument as JSON, or as its pattern. */
function textOfAll(matching: InputRules): string {
  return Object.entries(matching)
    .map(([name, rule]) => `${name}: ${textOf(rule)}`)
    .join(', ');
}

/** What `--remember`, `--for` and `--times` say. */
export function rememberIn({
  remember,
  for: time,
  times,
}: {
  readonly remember?: RememberBounds['within'];
  readonly for?: string;
  readonly times?: string;
}): Pick<ApprovalAnswer, 'remember'> {
  if (remember === undefined) {
    if (time === undefined && times === undefined) return {};
    throw new UserError('--for and --times need --remember');
  }
  if (remember !== 'run' && time === undefined && times === undefined) return { remember };
  if (times !== undefined && !/^\d+$/.test(times))
    throw new UserError('--times: expected a whole number, such as 3');
  if (time !== undefined && !/^[\d.]+ *(?:s|min|h|d)$/.test(time))
    throw new UserError("--for: expected a time, such as '30 min', '8 h' or '7 d'");
  return {
    remember: {
      within: remember,
      // The store checks it.
      ...(time !== undefined && { for: time.replace(/^([\d.]+)(s|min|h|d)$/, '$1 $2') as Duration }),
      ...(times !== undefined && { times: Number(times) }),
    },
  };
}

/** Forgets a remembered approval. The id may be shortened to a unique prefix. */
export async function forgetApproval(id: string, options: StoreOption, program: Program): Promise<number> {
  return inStore(options, program, async (store) => {
    const found = theOne(await listRememberedApprovals(store), id, 'remembered approvals');
    if (found === undefined || !(await forgetRemembered(store, found.id)))
      throw new UserError(
        '<id>: no remembered approval has this id; see "hooks approvals list --remembered"',
      );
    program.stdout.write(`forgotten: ${codesOf(found.toolName)} (${found.id})\n`);
    return 0;
  });
}

/** The pattern of `--matching`. */
export function patternIn(json: string): InputPattern {
  let pattern: unknown;
  try {
    pattern = JSON.parse(json);
  } catch {
    // Reported below.
  }
  const isPattern =
    typeof pattern === 'object' &&
    pattern !== null &&
    !Array.isArray(pattern) &&
    Object.values(pattern).every((each) => typeof each === 'string' || Array.isArray(each));
  if (isPattern) return pattern as InputPattern;
  throw new UserError(
    `--matching: expected a JSON object of arguments, each with a pattern or a list of values, like '{"command":"npm run *","env":["dev","test"]}'.`,
  );
}

/** What `--output` says: JSON, or else a text. */
export function jsonOrText(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}

const DONE = { allow: 'allowed', deny: 'denied', canceled: 'canceled', answer: 'answered' };

/** Answers a pending approval. The id may be shortened to a unique prefix. */
export async function answer(
  id: string,
  given: ApprovalAnswer,
  options: StoreOption,
  program: Program,
): Promise<number> {
  return inStore(options, program, async (store) => {
    const whole = await wholeId(store, id);
    const { toolName } = await answerApproval(store, whole, { by: program.env['USER'] || 'hooks', ...given });
    program.stdout.write(`${DONE[given.decision]}: ${codesOf(toolName)} (${whole})\n`);
    if (!(await answerReceived(store, whole)))
      program.stderr.write(
        'hooks: the process that asked has not read the answer yet; if it has ended, its call does not run\n',
      );
    return 0;
  });
}

/** A whole id, also of a request that is over: whose answer it would be is not to depend on when it comes. */
async function wholeId(store: Store, id: string): Promise<string> {
  const known = await requestIds(store);
  if (known.includes(id)) return id;
  if (known.length > 1) checkLength(id, SHORTEST_OF_MANY);
  const all = known.map((each) => ({ id: each }));
  const found = theOne(all, id, 'requests (with those that are over)');
  if (found !== undefined) return found.id;
  throw new UserError(
    '<id>: no request has this id; see "hooks approvals list". One that is over is forgotten after ten minutes.',
  );
}

/** How many characters of an id there have to be: with fewer, it may be that of something else that came since the person looked. */
const SHORTEST_ID = 4;
/** The same of a request that is not the only one. */
const SHORTEST_OF_MANY = 8;

function checkLength(id: string, least: number): void {
  if (id.length < least) throw new UserError(`<id>: too short; give at least ${least} characters`);
}

/** What has an id, or the only one whose id begins so. */
function theOne<T extends { readonly id: string }>(
  all: readonly T[],
  id: string,
  what: string,
): T | undefined {
  checkLength(id, SHORTEST_ID);
  const fitting = all.filter((each) => each.id.startsWith(id));
  if (fitting.length > 1)
    throw new UserError(`<id>: ${fitting.length} ${what} have ids that begin so; give more characters`);
  return fitting[0];
}
