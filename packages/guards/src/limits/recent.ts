/** Sets an entry as the most recent one of a map. Keeps the 100 most recent, because providers do not see a run end. */
export function setRecent<Value>(map: Map<string, Value>, key: string, value: Value): Value {
  map.delete(key);
  const oldest = map.size >= KEPT ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
  return value;
}

const KEPT = 100;
