import { type Fields, fold, isFields } from './message.ts';

/** Two names of one field, for a parser that ignores case. */
export interface OtherSpelling {
  readonly given: string;
  readonly other: string;
}

/**
 * Finds a name, at any depth, that is another spelling of one beside it or of one in the schema: Go's parser takes `Path`
 * for `path`, and of both the later one.
 */
export function otherSpelling(value: unknown, schema: unknown): OtherSpelling | undefined {
  const open: { readonly value: unknown; readonly schema: unknown }[] = [{ value, schema }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { properties, items }: Fields = isFields(next.schema) ? next.schema : {};
    if (Array.isArray(next.value)) {
      for (const item of next.value) open.push({ value: item, schema: items });
      continue;
    }
    if (!isFields(next.value)) continue;
    const declared = isFields(properties) ? properties : {};
    const spellings = new Map(Object.keys(declared).map((name) => [fold(name), name]));
    for (const [given, inner] of Object.entries(next.value)) {
      const other = spellings.get(fold(given)) ?? given;
      if (other !== given && !Object.hasOwn(declared, given)) return { given, other };
      spellings.set(fold(given), given);
      open.push({ value: inner, schema: declared[given] });
    }
  }
  return undefined;
}
