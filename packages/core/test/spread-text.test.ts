import { besideText, spreadParts, spreadText } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';

describe('a changed text is written over the texts that it was joined from', () => {
  test.each<readonly [string, readonly string[], string, readonly (string | undefined)[]]>([
    ['one text', ['a'], 'b', ['b']],
    ['the first of several', ['a', 'b', 'c'], 'x\nb\nc', ['x', 'b', 'c']],
    ['one in the middle', ['a', 'b', 'c'], 'a\nx\nc', ['a', 'x', 'c']],
    ['the last', ['a', 'b', 'c'], 'a\nb\nx', ['a', 'b', 'x']],
    ['one that gets more lines', ['a', 'b'], 'a\nb\nmore', ['a', 'b\nmore']],
    ['text in front', ['a', 'b'], 'more\na\nb', ['more\na', 'b']],
    ['all of it', ['a', 'b', 'c'], 'x', ['x', undefined, undefined]],
    ['two neighbours', ['a', 'b', 'c', 'd'], 'a\nx\nd', ['a', 'x', undefined, 'd']],
    ['two neighbours with as many lines', ['a', 'b\nc', 'd'], 'x\ny\nz\nd', ['x', 'y\nz', 'd']],
    ['each of them', ['a', 'b', 'c'], 'x\ny\nz', ['x', 'y', 'z']],
    ['one that is gone', ['a', 'b', 'c'], 'a\nc', ['a', undefined, 'c']],
    ['the first, which is gone', ['a', 'b'], 'b', [undefined, 'b']],
    ['the last, which is gone', ['a', 'b'], 'a', ['a', undefined]],
    ['all, which are gone', ['a', 'b'], '', [undefined, undefined]],
    ['nothing', ['a', 'b'], 'a\nb', ['a', 'b']],
    ['texts of several lines', ['a\nb', 'c'], 'a\nb\nx', ['a\nb', 'x']],
    ['equal texts', ['a', 'a', 'a'], 'a\nx\na', ['a', 'x', 'a']],
  ])('%s', (_what, texts, text, spread) => {
    expect(spreadText(texts, '\n', text)).toEqual(spread);
    expect(spread.filter((one) => one !== undefined).join('\n')).toBe(text);
  });

  test('without a separator', () => {
    expect(spreadText(['ab', 'cd'], '', 'abXd')).toEqual(['ab', 'Xd']);
    expect(spreadText(['ab', 'cd'], '', 'aXcd')).toEqual(['aX', 'cd']);
    expect(spreadText(['ab', 'cd'], '', 'wxyz')).toEqual(['wxyz', undefined]);
  });

  test('no text has no place for one', () => {
    expect(spreadText([], '\n', 'a')).toEqual([]);
  });
});

describe('a changed text is written over the parts of a message', () => {
  const image = { type: 'image' };
  const part = (text: string) => ({ type: 'text', text });
  const marked = { ...part('a'), mark: 'cached' };

  test.each<readonly [string, readonly object[], string, readonly object[]]>([
    ['behind an image', [marked, image, part('b')], 'a\nx', [marked, image, part('x')]],
    ['with a mark of its own', [marked, image], 'x', [{ ...marked, text: 'x' }, image]],
    ['that have none', [image], 'x', [part('x'), image]],
    ['that all go', [part('a'), part('b')], '', [part('')]],
    ['of which one goes', [part('a'), image, part('b')], 'b', [image, part('b')]],
    ['of which one is empty', [part(''), part('a')], 'x', [part(''), part('x')]],
  ])('%s', (_what, parts, text, left) => {
    expect(spreadParts(parts as { type: string }[], text, '\n')).toEqual(left);
  });
});

test('a message has other parts and the further fields of its texts besides its text', () => {
  const image = { type: 'image', url: 'data:' };
  const text = { type: 'text', text: 'Hi.', cache: true };
  expect(besideText([text, image])).toEqual([{ cache: true }, image]);
  expect(besideText([{ type: 'input_text', text: 'Hi.' }], 'input_text')).toEqual([{}]);
  expect(besideText('Hi.')).toEqual([]);
});
