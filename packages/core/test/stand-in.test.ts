import { standIn } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';

interface Member {
  readonly name: string;
  run(): string;
}

const secret = Symbol('secret');

class Base {
  readonly name = 'own';
  inherited(): string {
    return this.name;
  }
}

class PrivateFields extends Base {
  readonly #word = 'private';
  get word(): string {
    return this.#word;
  }
  run(): string {
    return `${this.name} ${this.#word} ${this.word} ${this.inherited()}`;
  }
}

class ArrowField extends Base {
  readonly #word = 'arrow';
  readonly run = (): string => `${this.name} ${this.#word}`;
}

class FunctionField extends Base {
  readonly #word = 'function';
  run = function run(this: FunctionField): string {
    return `${this.name} ${this.#word}`;
  };
}

/** Objects that have a member `run`, in every form that JavaScript has. */
const forms: Readonly<Record<string, () => Member>> = {
  'an own function': () => ({ name: 'own', run: () => 'done' }),
  'an own method that uses `this`': () => ({
    name: 'own',
    run() {
      return this.name;
    },
  }),
  'an accessor': () => ({
    name: 'own',
    get run() {
      return () => this.name;
    },
  }),
  'a method of a class with private fields': () => new PrivateFields(),
  'an arrow function of a class with private fields': () => new ArrowField(),
  'a function in a field of a class with private fields': () => new FunctionField(),
  'a property that is not enumerable': () =>
    Object.defineProperty({ name: 'own' } as Member, 'run', { value: () => 'hidden' }),
  'a frozen object': () =>
    Object.freeze({
      name: 'own',
      run() {
        return this.name;
      },
    }),
  'an object without a prototype': () =>
    Object.assign(Object.create(null), { name: 'own', run: () => 'bare' }),
  'an object that inherits from another': () => Object.create({ name: 'own', run: () => 'inherited' }),
};

describe('a stand-in', () => {
  test.each(Object.entries(forms))('has the members of %s', (_form, make) => {
    const original = make();
    const copy = standIn(original, { added: true });
    expect(copy.run()).toBe(original.run());
    expect(copy.name).toBe('own');
    expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf(original));
    expect(Object.keys(copy)).toEqual([...Object.keys(original), 'added']);
    expect('run' in copy).toBe(true);
  });

  test.each(Object.entries(forms))(
    'replaces a member of %s and leaves the original as it was',
    (_form, make) => {
      const original = make();
      const before = original.run();
      const copy = standIn(original, { run: () => 'replaced' });
      expect([copy.run(), original.run()]).toEqual(['replaced', before]);
    },
  );

  test('is of the same class and gives the same function each time', () => {
    const original = new PrivateFields();
    const copy = standIn(original, {});
    expect(copy).toBeInstanceOf(PrivateFields);
    expect(copy.constructor).toBe(PrivateFields);
    expect(copy.run).toBe(copy.run);
  });

  test('keeps symbols, and functions that have properties, such as some schemas, as they are', () => {
    const schema = Object.assign(() => 'parsed', { '~standard': { version: 1 } });
    const copy = standIn({ schema, [secret]: 'kept' }, {});
    expect(copy.schema).toBe(schema);
    expect(copy[secret]).toBe('kept');
    expect(standIn(copy, { [secret]: 'replaced' })[secret]).toBe('replaced');
  });

  test('shows what changes in the original later, and writes to it', () => {
    const original = { count: 1, next: () => ++original.count };
    const copy = standIn(original, {});
    expect([copy.next(), copy.count]).toEqual([2, 2]);
    copy.count = 5;
    expect(original.count).toBe(5);
  });

  test('of a stand-in runs methods on the first original', () => {
    const copy = standIn(standIn(new PrivateFields(), { one: 1 }), { two: 2 });
    expect(copy.run()).toBe(new PrivateFields().run());
    expect(copy).toMatchObject({ one: 1, two: 2 });
  });
});
