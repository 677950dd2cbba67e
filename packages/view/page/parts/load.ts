import { useEffect, useState } from 'preact/hooks';

/** A value that the server computes, and recomputes on request. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: string;
  readonly busy: boolean;
  again(): void;
}

/** Loads a value when the view opens. */
export function useLoaded<T>(first: () => Promise<T>, again: () => Promise<T>): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(true);
  const load = async (ask: () => Promise<T>): Promise<void> => {
    setBusy(true);
    try {
      setValue(await ask());
      setError('');
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setBusy(false);
  };
  // Once, when the view opens.
  useEffect(() => {
    void load(first);
  }, []);
  return { value, error, busy, again: () => void load(again) };
}
