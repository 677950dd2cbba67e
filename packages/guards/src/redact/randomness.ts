/**
 * Whether a text looks generated: mixed characters and no words. Recognizes words by their letter pairs, since natural
 * language and code use few.
 */
export function looksRandom(text: string): boolean {
  if (WRITTEN_NAME.test(text) || CAMEL_CASE.test(text)) return false;
  if (!/\d/.test(text)) return text.length >= 12 && entropy(text) >= 3 && lettersLookRandom(text);
  if (/^[\d.,:/_+-]*$/.test(text)) return false;
  if (HEX.test(text)) return entropy(text) >= (text.length < 16 ? 2.2 : 2.7);
  if (entropy(text) < (text.length < 16 ? 2.5 : 3)) return false;
  return wordiness(text) < 0.5;
}

/** Without a digit, joined words are far likelier, so the pairs of the whole text count. */
function lettersLookRandom(text: string): boolean {
  const letters = text.toLowerCase().replace(/[^a-z]+/g, '');
  return !/^[A-Z]+(?:_[A-Z]+)+$/.test(text) && commonPairs(letters) / (letters.length - 1) < 0.58;
}

/** The share of a text, 0 to 1, that is words. */
function wordiness(text: string): number {
  let inWords = 0;
  for (const [run] of text.matchAll(/[A-Z]?[a-z]{2,}|[A-Z]{3,}/g)) {
    const pairs = run.length - 1;
    if (run.length >= 3 && commonPairs(run.toLowerCase()) / pairs >= 0.7) inWords += run.length;
  }
  return inWords / text.length;
}

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  COUNTS.fill(0);
  // Other characters share the slots of ASCII, so such a text counts as less random than it is.
  for (let i = 0; i < text.length; i++) {
    const slot = text.charCodeAt(i) & 127;
    COUNTS[slot] = (COUNTS[slot] ?? 0) + 1;
  }
  let saved = 0;
  for (let slot = 0; slot < 128; slot++) {
    const count = COUNTS[slot] ?? 0;
    if (count > 1) saved += count * Math.log2(count);
  }
  return Math.log2(text.length) - saved / text.length;
}

const COUNTS = new Uint32Array(128);

/**
 * A name as people write it, of three words or more, or two short ones, with short numbers: `ssh2_auth_pubkey_file`,
 * `AES-256-GCM`, `HMAC-SHA256`, `/v1/tokens`, `opt,name=key,proto3`.
 */
const WRITTEN_NAME = (() => {
  const join = '[-_/.,=]';
  const word = '(?:[a-z]{1,14}|[A-Z][a-z]{1,13}|[A-Z]{1,14}[a-z]?)\\d{0,4}';
  const part = `(?:${word}|\\d{1,4})`;
  const short = '[A-Za-z]{1,5}\\d{0,4}';
  return new RegExp(`^[_/.-]{0,3}(?:${word}(?:${join}${part}){2,12}|${short}${join}${short})/?$`);
})();

/** `Ed25519PublicKey`, `readKeyCmplx`. */
const CAMEL_CASE = /^[a-z]{0,14}(?:[A-Z][a-z]{1,13}\d{0,5}){2,8}$/;

const HEX = /^(?=.*\d)(?=.*[a-f])[\da-f]+(?:-[\da-f]+)*$|^(?=.*\d)(?=.*[A-F])[\dA-F]+(?:-[\dA-F]+)*$/;

function commonPairs(word: string): number {
  let common = 0;
  for (let i = 1; i < word.length; i++) if (PAIRS.has(word.slice(i - 1, i + 1))) common++;
  return common;
}

/** The 228 most common letter pairs (93 %) in the words of a few hundred README files, by first letter. */
const PAIRS: ReadonlySet<string> = new Set(
  (
    'a:bcdgilmnprstuvy b:aeilorsu c:acehiklortu d:aeilosu e:abcdefglmnpqrstvx f:aefiloru g:ehinrsu h:aeiort ' +
    'i:abcdefglmnoprstvz j:s k:eis l:adeilostuy m:abeimopsu n:acdefgiknostuv o:abcdgiklmnoprstuvw p:aehiloprstu ' +
    'q:u r:acdegiklmnorstuy s:acehilopstuy t:acehilorstuy u:abcegilmnprst v:aei w:aehio x:pt y:p z:e'
  )
    .split(' ')
    .flatMap((row) => [...row.slice(2)].map((second) => `${row[0]}${second}`)),
);
