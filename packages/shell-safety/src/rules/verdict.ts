/** Why a command is refused. */
export interface CommandVerdict {
  /** Stable id, `<family>/<rule>`: `filesystem/delete`, `remote-code/pipe-to-shell`, … */
  readonly rule: string;
  /** The part of the command that the rule is about, at most 200 characters. */
  readonly part: string;
  /** What is wrong and what to do instead, written for a model to act on. */
  readonly reason: string;
}

/** What a rule found; the walk adds the part of the command. */
export interface Finding {
  readonly rule: string;
  readonly reason: string;
}

export function finding(rule: string, wrong: string, instead: string): Finding {
  return { rule, reason: `${wrong} ${instead}` };
}

export function verdict(found: Finding, part: string): CommandVerdict {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = part.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\ue000-\ue00f]/g, '?').trim();
  return { ...found, part: plain.length > 200 ? `${plain.slice(0, 199)}…` : plain };
}
