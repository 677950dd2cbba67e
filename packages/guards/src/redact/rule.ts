/** What counts as a secret. */
export interface FindSecretsOptions {
  /**
   * Let pass what vendors print in their documentation, such as `AKIAIOSFODNN7EXAMPLE`; false unless set, since a
   * sample has the form of a secret, and only its words say that it is none.
   */
  readonly ignoreSamples?: boolean;
}

/** One kind of secret that is known by its own form, wherever it stands. */
export interface SecretRule {
  /** Stable, lower case with hyphens; part of the placeholder. */
  readonly id: string;
  /** Texts of which one stands in every match (case matters). The expression is tried only at one of them. */
  readonly keywords: readonly string[];
  /**
   * Sticky, tried at each keyword. Every quantifier is bounded, so a try costs a bounded number of steps. The first
   * group, where there is one, is the secret; else the whole match is.
   */
  readonly pattern: RegExp;
  /** The keyword stands inside the token: what is before it, the expression looks for itself, as the group `before`. */
  readonly within?: true;
  /** The form is one that ordinary text can take too: the secret has to look random as well. */
  readonly random?: true;
}

/**
 * A token: a fixed beginning, then characters of an alphabet.
 *
 * @param body source of an expression for what follows the beginning
 */
export function token(id: string, start: string | readonly string[], body: string): SecretRule {
  const keywords = typeof start === 'string' ? [start] : start;
  const starts = keywords.map((keyword) => keyword.replace(/[.+/$]/g, '\\$&')).join('|');
  return { id, keywords, pattern: new RegExp(`(?:${starts})${body}`, 'y') };
}

/** A {@link token} whose beginning is short or common. */
export function loose(id: string, start: string | readonly string[], body: string): SecretRule {
  return { ...token(id, start, `${body}(?![\\w-])`), random: true };
}

/** A form that stands around the secret, which is the expression's first group. */
export function around(id: string, keyword: string | readonly string[], pattern: RegExp): SecretRule {
  const keywords = typeof keyword === 'string' ? [keyword] : keyword;
  return { id, keywords, pattern: new RegExp(pattern.source, `${pattern.flags}y`) };
}

/**
 * A token that is known by what stands in its middle.
 *
 * @param before source of an expression for what stands right before the keyword
 */
export function middle(
  id: string,
  keyword: string | readonly string[],
  before: string,
  pattern: RegExp,
): SecretRule {
  return { ...around(id, keyword, new RegExp(`(?<=(?<before>${before}))${pattern.source}`)), within: true };
}
