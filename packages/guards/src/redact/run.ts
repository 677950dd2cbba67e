/** The end of as many matches of a sticky expression as follow each other. */
export function endOfRun(some: RegExp, text: string, from: number): number {
  some.lastIndex = from;
  let end = from;
  while (some.test(text)) end = some.lastIndex;
  return end;
}

/** What a run is made of: sticky expressions for some of its characters, and for a unit that has characters of its own. */
export interface Run {
  readonly characters: RegExp;
  readonly unit: RegExp;
}

/** @param unit such as a template */
export function runOf(character: string, unit: string): Run {
  // Bounded, because an expression that repeats a group needs stack for each.
  return { characters: new RegExp(`(?:(?!${unit})${character}){1,500}`, 'y'), unit: new RegExp(unit, 'y') };
}

/**
 * Finds the end of a run that begins at a position. The positions grow from call to call, and each character is read
 * once, however many runs share their end.
 */
export function runEnds({ characters, unit }: Run, text: string): (from: number) => number {
  let start = 0;
  let end = 0;
  // Where units begin and end, one after the other.
  let units: number[] = [];
  let nth = 0;
  const read = (from: number): number => {
    units = [];
    nth = 0;
    let at = endOfRun(characters, text, from);
    for (unit.lastIndex = at; unit.test(text); unit.lastIndex = at) {
      units.push(at, unit.lastIndex);
      at = endOfRun(characters, text, unit.lastIndex);
    }
    return at;
  };
  return (from) => {
    if (from < start || from >= end) {
      start = from;
      end = read(from);
    }
    while ((units[nth + 1] ?? from + 1) <= from) nth += 2;
    const [unitStart = from, unitEnd = from] = units.slice(nth, nth + 2);
    if (from <= unitStart) return end;
    // What begins in a unit, `{{ password=x }}`, may end in it.
    const own = endOfRun(characters, text, from);
    return own < unitEnd ? own : end;
  };
}
