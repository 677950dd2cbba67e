import { fail } from '../error.ts';
import { type Run, type Session, type SessionKey, sessionKey } from './session.ts';

type Values = Map<string, unknown>;

/** The values of a session's runs. */
interface RunValues {
  /** Of runs that have not ended. */
  readonly live: Map<string, Values>;
  /** Of the last ones that have: a tool or an observer may still be at work for them. */
  readonly over: Map<string, Values>;
}

const RUNS: SessionKey<RunValues> = sessionKey('@hooks/core/runs');

/** The maximum of runs of a session that have not ended, and of those that have. */
const MAX_LIVE = 10_000;
const MAX_OVER = 100;

/** Reads and writes the values of a run. */
export function valuesOf(session: Session, id: string): Pick<Run, 'get' | 'set'> {
  const find = (): Values | undefined => {
    const runs = session.get(RUNS);
    return runs?.live.get(id) ?? runs?.over.get(id);
  };
  const set = <T>({ name }: SessionKey<T>, value: T): void => {
    (find() ?? add(session, id)).set(name, value);
  };
  function get<T>(key: SessionKey<T>): T | undefined;
  function get<T>(key: SessionKey<T>, initial: () => T): T;
  function get<T>(key: SessionKey<T>, initial?: () => T): T | undefined {
    if (initial && !find()?.has(key.name)) set(key, initial());
    return find()?.get(key.name) as T | undefined;
  }
  return { get, set };
}

function add(session: Session, id: string): Values {
  const { live } = session.get(RUNS, () => ({ live: new Map(), over: new Map() }));
  // A live run that is forgotten would begin its budgets anew.
  if (live.size >= MAX_LIVE)
    fail(
      'INVALID_INPUT',
      `Session "${session.id}" has ${MAX_LIVE} runs that have not ended. Call forgetRun when a run ends, or close the session`,
    );
  const values: Values = new Map();
  live.set(id, values);
  return values;
}

/** Notes that a run has ended. Its values are forgotten once {@link MAX_OVER} others have ended, too. */
export function endValues(session: Session, id: string): void {
  const runs = session.get(RUNS);
  const values = runs?.live.get(id);
  if (runs === undefined || values === undefined) return;
  runs.live.delete(id);
  runs.over.set(id, values);
  for (const oldest of runs.over.keys()) {
    if (runs.over.size <= MAX_OVER) return;
    runs.over.delete(oldest);
  }
}

/** Notes that a run goes on, which may have ended before. */
export function resumeValues(session: Session, id: string): void {
  const runs = session.get(RUNS);
  const values = runs?.over.get(id);
  if (runs === undefined || values === undefined) return;
  runs.over.delete(id);
  runs.live.set(id, values);
}
