import { casual as de } from 'chrono-node/de';
import { casual, GB, type ParsedResult } from 'chrono-node/en';
import { casual as es } from 'chrono-node/es';
import { casual as fr } from 'chrono-node/fr';

/** A date in a text. What the text leaves open is undefined. */
export interface WrittenDate {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number;
  /** `14:30`, or `14:30:59`. */
  readonly time: string | undefined;
  /** How far the time is from that in Greenwich, in minutes. */
  readonly zone: number | undefined;
}

/** The longest line that is read, and how much of a text is: dates beyond it are not found. */
const LONGEST_LINE = 480;
/** The longest date that is found where a long line is cut. */
const LONGEST_DATE = 60;
const MOST = 16_384;

/** Whether what stands between two places of a line is no part of a longer word. */
type IsWhole = (line: string, start: number, end: number) => boolean;

/**
 * The dates in a text, in English, German, French or Spanish, or as numbers. Numbers such as 3/4/2024 are read both ways.
 *
 * @param isWhole says which are dates on their own, and not a part of a name such as `log-2025-01-11.txt`
 */
export function findDates(text: string, now: Date, isWhole: IsWhole): readonly WrittenDate[] {
  const dates: WrittenDate[] = [];
  let left = MOST;
  for (const { line, from, to } of linesOf(withHours(text))) {
    if (!/\d|day|month|week|year|morrow|night/i.test(line)) continue;
    left -= to - from;
    if (left < 0) break;
    for (const { index, text: date, start, end } of parse(line, now)) {
      const until = index + date.length;
      if (index < from || until > to || !isWhole(line, index, until)) continue;
      for (const part of [start, end]) {
        const written = part && writtenDate(part);
        if (written) dates.push(written);
      }
    }
  }
  return dates;
}

/** The dates that a text may be as a whole: two where services read the day first, or the month. */
export function datesOf(text: string, now: Date): readonly WrittenDate[] {
  if (text.length > 60 || !/\d/.test(text)) return [];
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d)(?::00(?:\.0+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text);
  if (iso) {
    const [, year, month, day, time, zone] = iso;
    return [{ year: Number(year), month: Number(month), day: Number(day), time, zone: minutesOf(zone) }];
  }
  const readings = /^\d{1,2}[./-]\d/.test(text) ? [casual, GB] : [casual];
  return readings.flatMap((parser) => wholeDate(parser.parse(text, now), text) ?? []);
}

function wholeDate([only, ...more]: readonly ParsedResult[], text: string): WrittenDate | undefined {
  if (only === undefined || more.length > 0 || only.text.length !== text.length || only.end) return undefined;
  // 12.5 is a number, and 3/4 may be one.
  if (!only.start.isCertain('year') && !/\p{L}{3}/u.test(text)) return undefined;
  return writtenDate(only.start);
}

function minutesOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  if (zone === 'Z') return 0;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes));
}

/** Whether the text says this date. It may leave out the year, the zone, and the time of a date at midnight. */
export function isSameDate(said: WrittenDate, argument: WrittenDate): boolean {
  if (said.month !== argument.month || said.day !== argument.day) return false;
  if (said.year !== undefined && said.year !== argument.year) return false;
  if (said.zone !== undefined && argument.zone !== undefined && said.zone !== argument.zone) return false;
  return argument.time === undefined || (said.time ?? '00:00') === argument.time;
}

/** Whether a number at a place in a text is a part of a date, as 13 in June 13. */
export function isInDate(text: string, start: number, end: number): boolean {
  const before = /(\p{L}+)\.?\s+(?:\p{L}{2,3}\s+)?$/u.exec(text.slice(Math.max(0, start - 24), start));
  const after = /^\p{L}{0,2}[.ºª]?\s*(?:\p{L}{2,3}\s+)?(\p{L}+)/u.exec(text.slice(end, end + 24));
  if ([before, after].some((match) => monthNames().has(match?.[1]?.toLowerCase() ?? ''))) return true;
  const from = Math.max(0, start - 40);
  const around = text.slice(from, end + 40);
  const places = [...casual.parse(around), ...GB.parse(around)].map(
    ({ index, text: date, start: about }) => ({
      start: from + index,
      end: from + index + date.length,
      isDate: about.isCertain('day') || about.isCertain('month') || about.isCertain('weekday'),
    }),
  );
  return places.some(
    (date) => date.isDate && date.start <= start && date.end >= end && date.end - date.start > end - start,
  );
}

let months: ReadonlySet<string> | undefined;

/** The names of months in languages in which a day stands beside them. Dates are read in few of them, but a day is no number. */
function monthNames(): ReadonlySet<string> {
  if (months) return months;
  const names = new Set<string>();
  for (const language of LANGUAGES)
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, timeZone: 'UTC' });
      for (let nth = 0; nth < 12; nth++) {
        const part = format.formatToParts(Date.UTC(2025, nth, 15)).find(({ type }) => type === 'month');
        const name = part?.value.toLowerCase().replace(/\.$/, '') ?? '';
        if (/^\p{L}+$/u.test(name)) names.add(name);
      }
    }
  months = names;
  return names;
}

const LANGUAGES =
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro bg hr sr sl uk ru el tr id vi ca lt lv et'.split(' ');

/** `2:30 de la tarde`, `2h30 du soir`: the date library reads the hours without what follows them. */
const AFTERNOON =
  /(?<!\d)(\d|1[01])(?:[:h](\d\d)| ?h(?:eures?)?)? (?:de la (?:tarde|noche)|de l['’]après-midi|du soir)(?!\p{L})/giu;

function withHours(text: string): string {
  return text.replace(AFTERNOON, (_, hour: string, minute = '00') => `${Number(hour) + 12}:${minute}`);
}

function parse(line: string, now: Date): readonly ParsedResult[] {
  const american = casual.parse(line, now);
  const english = /\d[./]\d/.test(line) ? [...american, ...GB.parse(line, now)] : american;
  const words = new Set(line.toLowerCase().match(/\p{L}+/gu));
  // Only with the whole name of a month: the short forms are words of other languages.
  const others = OTHERS.filter(({ months }) => months.some((month) => words.has(month)));
  const found = others.flatMap(({ parser }) => parser.parse(line, now));
  // English has found a month without a day in `13. August 2025`.
  const dates = found.filter(({ start }) => start.isCertain('day') && start.isCertain('month'));
  return [
    ...english.filter(({ index, text }) => !dates.some((one) => covers(one, index, text.length))),
    ...dates,
  ];
}

function covers({ index, text }: ParsedResult, start: number, length: number): boolean {
  return index <= start && index + text.length >= start + length;
}

const OTHERS = (
  [
    ['de', de],
    ['fr', fr],
    ['es', es],
  ] as const
).map(([language, parser]) => ({
  parser,
  months: Array.from({ length: 12 }, (_, nth) =>
    new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
      .format(Date.UTC(2025, nth, 15))
      .toLowerCase(),
  ),
}));

function writtenDate(about: ParsedResult['start']): WrittenDate | undefined {
  const says = (part: 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'timezoneOffset'): boolean =>
    about.isCertain(part);
  const isDay = says('day') && says('month');
  if (!isDay && !says('weekday')) return undefined;
  const [year, month, day] = [about.get('year'), about.get('month'), about.get('day')];
  if (month === null || day === null) return undefined;
  const two = (part: number | null): string => String(part ?? 0).padStart(2, '0');
  const seconds = about.get('second') ? `:${two(about.get('second'))}` : '';
  return {
    // The year of a day of the week is that of the week.
    year: isDay && !says('year') ? undefined : (year ?? undefined),
    month,
    day,
    time: says('hour') ? `${two(about.get('hour'))}:${two(about.get('minute'))}${seconds}` : undefined,
    zone: says('timezoneOffset') ? (about.get('timezoneOffset') ?? undefined) : undefined,
  };
}

/** A line, or a part of a long one. Only dates between `from` and `to` count: elsewhere, the cut may be in the middle of one. */
interface Line {
  readonly line: string;
  readonly from: number;
  readonly to: number;
}

function* linesOf(text: string): Iterable<Line> {
  // Without the year behind a line break, it would be that day of any year.
  for (const line of text.replace(/[ \r]{0,8}\n[ \t]{0,8}(?=\d{4}(?!\d))/g, ' ').split(/[\n\ufdd0]/))
    for (let at = 0; at === 0 || at < line.length; at += LONGEST_LINE - 3 * LONGEST_DATE) {
      const part = line.slice(at, at + LONGEST_LINE);
      const isLast = at + LONGEST_LINE >= line.length;
      yield { line: part, from: at === 0 ? 0 : LONGEST_DATE, to: part.length - (isLast ? 0 : LONGEST_DATE) };
      if (isLast) break;
    }
}
