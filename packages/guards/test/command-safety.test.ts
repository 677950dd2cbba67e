import { expect, test } from 'vitest';
import { checkCommand } from '../src/index.ts';
import { figures, load } from './labelled.ts';

const blocks = ({ command }: { command: string }): boolean => checkCommand(command) !== undefined;

test('every command that the rules were made from is judged as it is labelled', () => {
  const { missed, mistaken } = figures(load('commands.made-from'), blocks);
  expect(missed.map(({ command }) => command)).toEqual([]);
  expect(mistaken.map(({ command }) => command)).toEqual([]);
});

test('recall and precision on commands that the rules were not made from', () => {
  const { recall, precision } = figures(load('commands.held-out'), blocks);
  expect(recall).toBeGreaterThanOrEqual(0.97);
  expect(precision).toBeGreaterThanOrEqual(0.98);
});
