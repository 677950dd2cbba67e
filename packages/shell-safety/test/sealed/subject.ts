// The only file that knows the package under measurement. To measure something else, write a module with the
// same `refuses` and give it to score.ts with `--subject`.
import { analyzeCommand, judge, presets } from '@hooks/shell-safety';
import type { Preset, Refusal, Row } from './score.ts';

/** Our categories in the words of this set. */
const CATEGORIES: Readonly<Record<string, string>> = {
  filesystem: 'destroy',
  device: 'destroy',
  'fork-bomb': 'destroy',
  'system-file': 'sensitive-write',
  'sensitive-file': 'secrets',
  'secret-output': 'secrets',
  'remote-code': 'remote-code',
  backdoor: 'reverse-shell',
  permission: 'privilege',
  'lost-work': 'lost-work',
  infrastructure: 'infrastructure',
};

/** Says whether the command is refused under the preset, and in which category of this set if that is known. */
export function refuses(
  { command, cwd, home, shell }: Required<Pick<Row, 'command' | 'cwd' | 'home' | 'shell'>>,
  preset: Preset,
): Refusal {
  const { effects } = analyzeCommand(command, { cwd, home, shell: shell === 'bash' ? 'posix' : shell });
  const verdict = judge(effects, presets[preset]);
  return verdict === undefined
    ? { refused: false }
    : { refused: true, category: CATEGORIES[verdict.category] ?? verdict.category };
}
