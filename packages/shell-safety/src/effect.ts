/** What the command does to the target of an effect. */
export type EffectKind =
  | 'read'
  | 'write'
  | 'delete'
  | 'move'
  | 'mode'
  | 'owner'
  | 'send'
  | 'execute'
  | 'listen'
  | 'account'
  | 'print-secret'
  | 'lose-work'
  | 'destroy'
  | 'skip-check'
  | 'fork'
  | 'unjudged';

/** How bad an effect would be if it were a mistake. */
export type Severity = 'critical' | 'high' | 'medium' | 'low';

/** The category of a danger. A policy turns each category on or off. */
export type Category =
  | 'filesystem'
  | 'device'
  | 'permission'
  | 'system-file'
  | 'remote-code'
  | 'backdoor'
  | 'persistence'
  | 'fork-bomb'
  | 'git-hooks'
  | 'docker'
  | 'sensitive-file'
  | 'secret-output'
  | 'lost-work'
  | 'infrastructure'
  | 'unjudged';

/** Why an effect is dangerous. */
export interface Danger {
  /** Stable id, `<category>/<rule>`: `filesystem/delete`, `remote-code/execute`, … */
  readonly rule: string;
  readonly category: Category;
  readonly severity: Severity;
  /** What is wrong and what to do instead, for the model to read. */
  readonly reason: string;
}

/** One thing that a command would do. */
export interface Effect {
  readonly kind: EffectKind;
  /** The program that does it, without its folder: `rm`. */
  readonly program: string;
  /** The affected file or folder, in the form of {@link normalizePath}. */
  readonly path?: string;
  /** The other machine, if one is involved. */
  readonly host?: string;
  /** `certain` if it happens whenever this part of the command runs; `possible` if it depends on something unknown. */
  readonly certainty: 'certain' | 'possible';
  /** The folder where it happens. `.` is the folder where the command started. */
  readonly cwd: string;
  /** The part of the command that causes it, at most 200 characters. */
  readonly part: string;
  readonly danger?: Danger;
}

/** What a rule found. */
export interface Finding extends Danger {
  readonly kind: EffectKind;
}

/** Effects in the order in which they were found, without duplicates. */
export class Effects {
  readonly #found = new Map<string, Effect>();
  readonly #weigh: (danger: Danger, kind: EffectKind) => Danger;

  /** @param weigh - Says how bad a danger is where the command runs. */
  constructor(weigh: (danger: Danger, kind: EffectKind) => Danger) {
    this.#weigh = weigh;
  }

  add(found: Effect): void {
    const danger = found.danger && this.#weigh(found.danger, found.kind);
    const effect = danger ? { ...found, danger } : found;
    const part = shown(effect.part);
    const { kind, program, path, host, cwd } = effect;
    const key = [kind, program, path, host, cwd, part, danger?.rule, danger?.severity].join('\0');
    if (!this.#found.has(key)) this.#found.set(key, { ...effect, part });
  }

  get all(): readonly Effect[] {
    return [...this.#found.values()];
  }
}

/** A part of a command for display: shortened, without control characters and marks. */
function shown(part: string): string {
  const text = part.trim();
  const cut = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return cut.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\ue000-\ue00f]/g, '?');
}
