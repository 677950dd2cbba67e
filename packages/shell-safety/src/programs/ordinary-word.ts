import { sensitiveKind } from '../paths/check.ts';
import { normalizePath } from '../paths/normalize.ts';

/**
 * Whether a word is surely no file with secrets, seen from where the command starts, and no such file stands in it behind
 * an option, a marker or a host (`--file=x`, `@x`, `web:x`). It knows plain text and plain paths, and of whatever else
 * says no.
 */
export function isOrdinaryWord(word: string): boolean {
  if (TEXT.test(word)) return word.length < 10 || !KUBECONFIG.test(word);
  if (PATH.test(word)) return isOrdinaryPath(word);
  if (URL.test(word)) return isOrdinaryPath(word.slice(word.indexOf(':') + 1));
  return COMPOUND.test(word) ? isOrdinaryCompound(word.toLowerCase()) : PROSE.test(word);
}

/** Marks, and no letter that all names of such files have, but one. A round bracket may be code. */
const TEXT = /^[a-zA-Z0-9\s!"#$&',:;<=>@^`{|}~+\ue000-\ue007-]*$/;
const KUBECONFIG = /kubeconfig/i;
/** Nothing that has to be read twice: no patterns, no escapes, no empty parts. */
const PATH = /^(?:\.\.?|(?:~?\/|(?:\.\.?\/)+)?\.?\w[\w+-]*(?:\.[\w+-]+)*(?:\/\.?[\w+-]+(?:\.[\w+-]+)*)*\/?)$/;
const URL = /^https?:\/\/\w[\w.:-]*(?:\/[\w.+-]+)*\/?$/;
const COMPOUND = /^(?:--?\w[\w-]*=)?\w[\w+-]*(?:[./:=@,][\w+-]+)*\/?$/;
/** Words of which none is taken for a path: no marker stands before a slash. */
const PROSE =
  /^(?!include\s|source\s)[a-z][\w-]*(?:[,.]|:(?!\s[~/]))?\s(?:[\w\s.,;!|&#$+*~/-]|:(?!\s?[~/]))*$/i;

function isOrdinaryPath(path: string): boolean {
  return sensitiveKind(normalizePath(path)) === undefined;
}

/** Some names count in the working folder only, so that what stands in front of them matters. */
function isOrdinaryCompound(word: string): boolean {
  const parts = word.split(/[=:@]/);
  return [word, parts.join('/'), ...parts.slice(1)].every((path) => sensitiveKind(path) === undefined);
}
