// The only file that knows the package under measurement. To measure something else, write a module with the
// same `refuses` and give it to score.ts with `--subject`.
import { analyzeCommand, judge } from '@hooks/shell-safety';
import type { Preset, Refusal, Row } from './score.ts';

/** Says whether the command is refused under the preset, and in which category of this set if that is known. */
export function refuses(
  row: Required<Pick<Row, 'command' | 'cwd' | 'home' | 'shell'>>,
  preset: Preset,
): Refusal {
  const { command, cwd, home, shell } = row;
  const verdict = judge(analyzeCommand(command, { cwd, home, shell }), preset);
  return { refused: verdict.refused, category: verdict.category };
}
