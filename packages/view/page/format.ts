import type { LeftOut } from '../src/api.ts';

/** `840 ms`, `2.41 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.round((ms % 60_000) / 1_000)];
  if (minutes < 60) return `${minutes} min ${seconds} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A round time on a ruler: `0`, `500 ms`, `2 s`. */
export function tick(ms: number): string {
  if (ms === 0) return '0';
  return ms < 1_000 || ms >= 60_000 ? duration(ms) : `${Number((ms / 1_000).toFixed(2))} s`;
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const number = new Intl.NumberFormat('en-GB');

/** `14:02:43` of today, `21 Nov 14:02:43` of other days. */
export function when(time: number, now: number = Date.now()): string {
  const today = new Date(now).toDateString() === new Date(time).toDateString();
  return today ? clock.format(time) : `${day.format(time)} ${clock.format(time)}`;
}

export function wholeTime(time: number): string {
  return whole.format(time);
}

export function count(value: number): string {
  return number.format(value);
}

/** `1 run`, `1,204 runs`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** What of an input is not shown: `1,204 values and 3 characters`. */
export function amountOf({ values, characters }: LeftOut): string {
  return [values > 0 && counted(values, 'value'), characters > 0 && counted(characters, 'character')]
    .filter(Boolean)
    .join(' and ');
}

/** `before_tool_call` for people: `Before tool call`. */
export function eventName(type: string): string {
  const words = type.replace(/^hooks\./, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Values as one line: `query: 4821, limit: 20`. */
export function inLine(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : JSON.stringify(value);
  if (Array.isArray(value)) return value.map((item) => inLine(item)).join(', ');
  const entries = Object.entries(value);
  const [first] = entries;
  // A single text needs no name: it is a command, a path or a query.
  if (entries.length === 1 && typeof first?.[1] === 'string') return first[1];
  return entries.map(([key, item]) => `${key}: ${inLine(item)}`).join(', ');
}
