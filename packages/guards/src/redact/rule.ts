import { type Checks, flag } from '../options.ts';
import { type Ignored, ignored } from './ignore.ts';

/** What counts as a secret. */
export interface FindSecretsOptions {
  /**
   * Ignores the sample keys of vendors' documentation, such as `AKIAIOSFODNN7EXAMPLE`. Default: false, because a sample
   * has the form of a secret.
   */
  readonly ignoreSamples?: boolean;
  /** Texts that are no secrets, whatever they look like: as they are, or a pattern for the whole of one. */
  readonly ignore?: Ignored;
}

/** The checks of {@link FindSecretsOptions}. */
export const FIND: Checks<FindSecretsOptions> = { ignoreSamples: flag, ignore: ignored };

/** A kind of secret with a known form. */
export interface SecretRule {
  /** Stable id, lower case with hyphens. Part of the placeholder. */
  readonly id: string;
  /** Every match contains one of these texts (case-sensitive). The expression is only tried where one occurs. */
  readonly keywords: readonly string[];
  /**
   * Sticky, tried at each keyword. Every quantifier is bounded, so each try takes a bounded number of steps. The secret
   * is the first group if there is one, otherwise the whole match.
   */
  readonly pattern: RegExp;
  /** The keyword is inside the token: the expression looks behind, with the group `before`. */
  readonly within?: true;
  /** Ordinary text can have this form, so the secret also has to look random. */
  readonly random?: true;
}

/**
 * A token: a fixed beginning, then characters of an alphabet.
 * @param body source of an expression for what follows the beginning
 */
export function token(id: string, start: string | readonly string[], body: string): SecretRule {
  const keywords = typeof start === 'string' ? [start] : start;
  const starts = keywords.map((keyword) => keyword.replace(/[.+/$]/g, '\\$&')).join('|');
  return { id, keywords, pattern: new RegExp(`(?:${starts})${body}`, 'y') };
}

/** A {@link token} with a short or common beginning. */
export function loose(id: string, start: string | readonly string[], body: string): SecretRule {
  return { ...token(id, start, `${body}(?![\\w-])`), random: true };
}

/** A form around the secret, which is the expression's first group. */
export function around(id: string, keyword: string | readonly string[], pattern: RegExp): SecretRule {
  const keywords = typeof keyword === 'string' ? [keyword] : keyword;
  return { id, keywords, pattern: new RegExp(pattern.source, `${pattern.flags}y`) };
}

/**
 * A token with a known middle.
 * @param before source of an expression for the part right before the keyword
 */
export function middle(
  id: string,
  keyword: string | readonly string[],
  before: string,
  pattern: RegExp,
): SecretRule {
  return { ...around(id, keyword, new RegExp(`(?<=(?<before>${before}))${pattern.source}`)), within: true };
}
