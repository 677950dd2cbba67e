import { type AnalyzeOptions, analyzeCommand } from './analyze.ts';
import { discards } from './dangers.ts';
import type { Category, Effect, Severity } from './effect.ts';

/** What to refuse. */
export interface Policy {
  /** The lowest severity to refuse in each category. A missing category is off. */
  readonly refuse: Readonly<Partial<Record<Category, Severity>>>;
  /** Returns whether the working tree of a folder has no uncommitted changes, so that no work can be lost there. */
  readonly isClean?: (folder: string) => boolean;
}

/** Why a command is refused. */
export interface CommandVerdict {
  /** Stable id, `<category>/<rule>`: `filesystem/delete`, `remote-code/execute`, … */
  readonly rule: string;
  readonly category: Category;
  readonly severity: Severity;
  /** The part of the command that broke the rule, at most 200 characters. */
  readonly part: string;
  /** What is wrong and what to do instead, for the model to read. */
  readonly reason: string;
}

const ESSENTIAL = {
  filesystem: 'high',
  device: 'high',
  permission: 'high',
  'system-file': 'high',
  'remote-code': 'high',
  backdoor: 'high',
  persistence: 'critical',
  'fork-bomb': 'high',
  'sensitive-file': 'critical',
  'secret-output': 'critical',
  unjudged: 'high',
} as const;

const RECOMMENDED = {
  ...ESSENTIAL,
  persistence: 'high',
  'git-hooks': 'high',
  docker: 'high',
  'sensitive-file': 'high',
  'secret-output': 'high',
  'lost-work': 'high',
  infrastructure: 'high',
} as const;

/**
 * Policies to start from. `essential` refuses what breaks a machine, opens it to others or sends secrets away. `recommended`
 * also refuses what loses work, shows secrets, skips git hooks or destroys infrastructure. `strict` also refuses what may be
 * fine but deserves a look.
 */
export const presets: Readonly<Record<'essential' | 'recommended' | 'strict', Policy>> = {
  essential: { refuse: ESSENTIAL },
  recommended: { refuse: RECOMMENDED },
  strict: {
    refuse: {
      ...RECOMMENDED,
      'git-hooks': 'low',
      persistence: 'low',
      permission: 'low',
      'secret-output': 'low',
      'lost-work': 'low',
      infrastructure: 'low',
      unjudged: 'low',
    },
  },
};

/**
 * The first effect that a policy refuses, if any.
 *
 * @example
 * ```ts
 * judge(analyzeCommand('git reset --hard').effects)?.rule; // 'lost-work/discard'
 * judge(analyzeCommand('git reset --hard').effects, presets.essential); // undefined
 * ```
 */
export function judge(
  effects: readonly Effect[],
  policy: Policy = presets.recommended,
): CommandVerdict | undefined {
  for (const { danger, part, cwd } of effects) {
    if (!danger) continue;
    const least = policy.refuse[danger.category];
    if (least === undefined || RANK[danger.severity] < RANK[least]) continue;
    // A clean working tree has nothing to lose.
    if (danger.rule === discards.rule && policy.isClean?.(cwd)) continue;
    const { rule, category, severity, reason } = danger;
    return { rule, category, severity, part, reason };
  }
  return undefined;
}

/**
 * Whether a policy refuses a command: {@link analyzeCommand} and {@link judge} in one.
 *
 * @example
 * ```ts
 * checkCommand('sudo bash -c "rm -rf /"')?.rule; // 'filesystem/delete'
 * checkCommand('echo "rm -rf /"'); // undefined
 * ```
 */
export function checkCommand(
  command: string,
  policy?: Policy,
  options?: AnalyzeOptions,
): CommandVerdict | undefined {
  return judge(analyzeCommand(command, options).effects, policy);
}

const RANK: Readonly<Record<Severity, number>> = { low: 0, medium: 1, high: 2, critical: 3 };
