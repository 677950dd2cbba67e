import { describe, expect, it } from 'vitest';
import { mapTexts } from '../src/map-texts.ts';

/** Maps a value, and counts the texts that it looks at. */
function mapped(value: unknown) {
  const seen: string[] = [];
  const copy = mapTexts(value, (text) => (seen.push(text), text.replace('secret', '***')));
  return { copy, seen };
}

describe('the texts of a value', () => {
  it('are each looked at once, also where an object stands in several places', () => {
    let shared: object = { text: 'a secret' };
    for (let level = 0; level < 40; level++) shared = { left: shared, right: shared };
    const { copy, seen } = mapped(shared);
    expect(seen).toHaveLength(1 + 1 + 2 * 40);
    expect((copy as { left: object; right: object }).left).toBe(
      (copy as { left: object; right: object }).right,
    );
  });

  it('are as many looks as texts, in a table of any length', () => {
    const rows = Array.from({ length: 1000 }, (_, id) => ({ id, name: `n${id}`, tags: ['a', 'b'] }));
    const { copy, seen } = mapped(rows);
    expect(copy).toBe(rows);
    expect(seen).toHaveLength(1000 * (3 + 1 + 2));
  });

  it('stand in fields of errors, enumerable or not, which stay so', () => {
    const error = Object.assign(new Error('a secret', { cause: 'one more secret' }), { detail: 'a secret' });
    const copy = mapped(error).copy as typeof error;
    expect([copy.message, copy.cause, copy.detail]).toEqual(['a ***', 'one more ***', 'a ***']);
    expect(Object.keys(copy)).toEqual(['detail']);
    const shown = Object.defineProperty(new Error('a secret'), 'message', { enumerable: true });
    const shownCopy = mapped(shown).copy as Error;
    expect([shownCopy.message, Object.keys(shownCopy)]).toEqual(['a ***', ['message']]);
  });

  it.each(['name', 'message', 'stack', 'cause', 'errors'])(
    'stand in the hidden field %s of an error',
    (field) => {
      const error = Object.defineProperty(new Error('none'), field, { value: 'a secret', enumerable: false });
      expect(Reflect.get(mapped(error).copy as Error, field)).toBe('a ***');
    },
  );

  it('are those of the pairs, in an object that says it is a form', () => {
    const form = { [Symbol.toStringTag]: 'FormData', entries: () => [['name', 'a secret']] };
    expect(mapped(form).copy).toEqual([['name', 'a ***']]);
  });

  it('are those of its JSON, in an object that has one', () => {
    expect(mapped({ toJSON: () => ({ text: 'a secret' }) }).copy).toEqual({ text: 'a ***' });
  });
});
