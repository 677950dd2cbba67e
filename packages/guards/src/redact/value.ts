import { kindOfName, type NamedKind } from './name.ts';
import { withoutPlaceholderLike, withoutPlaceholders } from './own-placeholder.ts';
import { isPlaceholder, isSample, looksMade, MIXED, partsBeside } from './placeholder.ts';
import { looksRandom } from './randomness.ts';
import type { FindSecretsOptions } from './rule.ts';

/** A value with a name. */
export interface NamedValue {
  readonly text: string;
  readonly quoted: boolean;
  /** The separator: `=` or the like, ` is ` or a comma, or only a space. */
  readonly joined: 'sign' | 'words' | 'space';
}

/** Whether a value is a secret, given what its name reveals. */
export function isSecret(
  kind: NamedKind,
  { text: whole, quoted, joined }: NamedValue,
  { ignoreSamples = false }: FindSecretsOptions,
): boolean {
  // A placeholder excuses itself, not what stands beside it.
  const text = withoutPlaceholders(whole);
  const beside = withoutPlaceholderLike(text);
  if (beside !== text && isSecret(kind, { text: beside, quoted, joined }, { ignoreSamples })) return true;
  if (partsBeside(text).length > 1)
    return partsBeside(text).some(
      (part) =>
        looksMade(part.text) && isSecret(kind, { text: part.text, quoted, joined }, { ignoreSamples }),
    );
  if (
    isPlaceholder(whole) ||
    (ignoreSamples && isSample(text)) ||
    (!quoted && isPath(text, kind)) ||
    ADDRESS.test(text) ||
    VERSION.test(text) ||
    REGULAR_EXPRESSION.test(text)
  )
    return false;
  if (kind.id === 'password' && joined === 'sign') return looksChosen(text, quoted);
  // `password 'x'` of a build file, `the password is 'x'`: require a value that is not ordinary text.
  if (
    kind.id === 'password' &&
    text.length >= 8 &&
    (quoted ? MIXED : ODD).test(text) &&
    looksChosen(text, quoted)
  )
    return true;
  if (kind.id === 'token' && joined === 'sign' && /^\d{15,24}$/.test(text)) return true;
  if (text.length < (joined === 'space' ? 16 : 10) || !looksRandom(text)) return false;
  if (kind.qualified) return true;
  return joined === 'sign' && text.length >= 16 && !UUID.test(text) && !DIGEST.test(text);
}

/**
 * `config.auth.key`: an expression of a program. A token's parts would be longer and look random. A password may look
 * like this, unless it ends in a name: `resp.JSON201.Password`.
 */
function isPath(text: string, { id }: NamedKind): boolean {
  if (!/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(text)) return false;
  const parts = text.split('.');
  return parts.every((part) => part.length < 20) && (id !== 'password' || kindOfName(text) !== undefined);
}

/** A password that a person may have chosen: not only letters, and not an expression of a program. */
function looksChosen(text: string, quoted: boolean): boolean {
  if (text.length > 256 || /^0x[\da-f]{1,8}$/i.test(text)) return false;
  if (looksRandom(text)) return true;
  if (!/[A-Za-z]/.test(text) || !/[\d!@#$%^&*+=?~]/.test(text)) return false;
  if (quoted) return !/^[a-z]+(?:[-_. ][a-z]+)+\d?$/i.test(text) && !FILE_PATH.test(text);
  return /\d/.test(text) && !EXPRESSION.test(text);
}

/** A digit, a capital letter, a small letter and a symbol. */
export const ODD: RegExp = /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])(?=.*[!@#$%^&*?])/;
const FILE_PATH = /^\/?(?:[a-z][\w.@#:-]{0,60}\/){1,20}[a-z][\w.@#:-]{0,60}$/i;
/** A location or a hash. */
const ADDRESS = /^(?:(?:https?|file|s3|arn|urn|git|h1):|ssh-|sha(?:1|256|384|512)[-:])/;
/** A version as in a lock file: `npm:^4.0.0`, `workspace:*`, `@acme/a@1.0.0(react@18.2.0)`, `v0.0.0-20191109021931-daa7c04131f5`. */
const VERSION =
  /^(?:[a-z]{3,9}:)?(?:(?:@[\w.-]{1,80}\/)?[A-Za-z][\w.-]{0,80}@)?(?:[*^~]|[~^]?v?\d{1,5}\.\d{1,5}\.\d{1,5}(?:[-+.(][\w.+@()/-]{0,200})?)$/;
const REGULAR_EXPRESSION = /a-zA-Z|A-Za-z|A-Z0-9|a-z0-9|\(\?[:=!<]|\[(?:\^|a-z|A-Z|0-9)|\]\{\d{1,3}[,}]/;

/** `newPassword2`, `user.password`, `form.pass1`. */
const EXPRESSION = /^[A-Za-z_$]+\d?(?:\.[A-Za-z_$]+\d?)*$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const DIGEST = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i;
