import { useEffect, useState } from 'preact/hooks';
import type { Overview, Remembered, RunSummary, Waiting } from '../src/api.ts';
import { client, listen, RequestError } from './client.ts';

/** The state of the page, kept up to date while it is open. */
export interface Known {
  readonly overview: Overview | undefined;
  /** The newest first; undefined until they are loaded. */
  readonly runs: readonly RunSummary[] | undefined;
  readonly approvals: readonly Waiting[];
  /** Remembered approvals, the newest first. */
  readonly remembered: readonly Remembered[];
  readonly connection: 'connecting' | 'live' | 'lost';
  /** An error message for the page. */
  readonly problem: string | undefined;
  /** Whether the token is wrong, so that nothing can be shown. */
  readonly locked: boolean;
}

const RETRY_MS = 2_000;

/** Loads the server's data and follows its events. */
export function useKnown(): Known {
  const [known, setKnown] = useState<Known>({
    overview: undefined,
    runs: undefined,
    approvals: [],
    remembered: [],
    connection: 'connecting',
    problem: undefined,
    locked: false,
  });
  useEffect(() => {
    const controller = new AbortController();
    const tell = (part: Partial<Known>): void => setKnown((before) => ({ ...before, ...part }));
    let isLoaded = true;
    const all = new Map<string, RunSummary>();
    const take = (runs: readonly RunSummary[]): readonly RunSummary[] => {
      for (const run of runs) all.set(run.id, run);
      return [...all.values()].sort((one, other) => other.start - one.start);
    };
    const load = async (): Promise<void> => {
      const [runs, approvals, remembered] = await Promise.all([
        client.runs(),
        client.approvals(),
        client.remembered(),
      ]);
      const overview = await client.overview();
      isLoaded = overview.loaded;
      tell({ runs: take(runs), overview, approvals, remembered, connection: 'live', problem: undefined });
    };
    /** Runs that began before the newest day have other ids when all days are read. */
    const reload = async (): Promise<void> => {
      all.clear();
      await load();
    };
    const follow = async (): Promise<void> => {
      while (!controller.signal.aborted) {
        try {
          await listen(
            load,
            (event, data) => {
              if (event === 'runs') tell({ runs: take(data as readonly RunSummary[]) });
              if (event === 'approvals') tell({ approvals: data as readonly Waiting[] });
              if (event === 'remembered') tell({ remembered: data as readonly Remembered[] });
              if (event === 'overview') {
                const overview = data as Overview;
                tell({ overview, problem: undefined });
                // Where this fails, the next change of the overview tries again.
                if (!isLoaded && overview.loaded) reload().catch(() => {});
              }
              if (event === 'problem') tell({ problem: (data as { readonly message: string }).message });
            },
            controller.signal,
          );
        } catch (error) {
          if (controller.signal.aborted) return;
          if (error instanceof RequestError && error.status === 401) return tell({ locked: true });
          const problem = error instanceof RequestError && error.status !== 0 ? error.message : undefined;
          tell({ connection: 'lost', problem });
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    };
    void follow();
    return () => controller.abort();
  }, []);
  return known;
}

/** The location in the page: `#/runs/4f1c?call=call_1`. */
export interface Route {
  readonly name: string;
  readonly id: string;
  readonly query: URLSearchParams;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(routeNow);
  useEffect(() => {
    const moved = (): void => setRoute(routeNow());
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  return route;
}

function routeNow(): Route {
  const [path = '', query] = location.hash.replace(/^#\/?/, '').split('?');
  const [name = '', id = ''] = path.split('/');
  return { name: name || 'runs', id, query: new URLSearchParams(query) };
}

/** The current time, updated every second while `ticking`. */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}

/** Whether the window fits a media query. */
export function useMedia(query: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const changed = (): void => setFits(list.matches);
    list.addEventListener('change', changed);
    return () => list.removeEventListener('change', changed);
  }, [query]);
  return fits;
}

export const NARROW = '(max-width: 860px)';
