import { jsonStringsIn } from '../redact/json-strings.ts';

/**
 * Finds text that speaks to the model instead of the reader: orders to drop its instructions, made-up roles, requests to hide
 * something from the user, and invisible characters that only a model reads; also in strings of JSON. A simple list of
 * expressions that run in linear time: it finds the usual, and somebody who knows it gets around it.
 *
 * @returns a short quote of what it found, or undefined
 */
export function findInjection(text: string): string | undefined {
  let said: string | undefined = text;
  for (let depth = 0; said !== undefined && depth <= DEEPEST; depth++) {
    const found = foundIn(said);
    if (found !== undefined) return found;
    said = jsonStringsIn(said)?.text;
  }
  return undefined;
}

/** JSON in JSON in JSON. */
const DEEPEST = 3;

function foundIn(whole: string): string | undefined {
  const invisible = /[\u{e0020}-\u{e007e}]{4,}/u.exec(whole);
  if (invisible !== null) return 'invisible characters';
  // As a model reads it: without what has no width, and in plain letters.
  const text = whole.normalize('NFKC').replace(/[\xad\u200b-\u200f\u2060-\u2064\ufeff]/g, '');
  for (const pattern of PATTERNS) {
    const match = pattern.exec(text);
    if (match !== null) return match[0].replace(/\s+/g, ' ').slice(0, 80);
  }
  return undefined;
}

const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\s{1,4}(?:all\s{1,4})?(?:of\s{1,4})?(?:the\s{1,4}|your\s{1,4}|any\s{1,4}|my\s{1,4})?(?:previous|prior|above|earlier|preceding|former|system|original)\s{1,4}(?:instructions?|prompts?|rules?|guidelines?|messages?|context|directions?)/i,
  /\b(?:ignore|disregard|forget)\s{1,4}(?:everything|all)\s{1,4}(?:above|before|you\s{1,4}(?:were|have\s{1,4}been)\s{1,4}told)/i,
  /<\/?(?:system|important|instructions?|admin)(?:_?(?:prompt|message|override))?>/i,
  /<\|(?:im_start|system|endoftext)\|?>|\[\/?INST\]|<<SYS>>/,
  /\b(?:new|updated|real|actual)\s{1,4}(?:system\s{1,4})?(?:instructions?|prompt)\s{0,4}(?:for\s{1,4}(?:the\s{1,4})?(?:assistant|ai|model|agent))?\s{0,4}:/i,
  /\b(?:do\s{1,4}not|don'?t|never|without)\s{1,4}(?:tell|telling|inform|informing|alert|mention\s{1,4}(?:this|it)\s{1,4}to|notify|notifying)\s{1,4}(?:the\s{1,4})?user/i,
  /\b(?:reveal|print|repeat|show|output)\s{1,4}(?:me\s{1,4})?(?:your|the)\s{1,4}(?:system\s{1,4}prompt|hidden\s{1,4}instructions?|initial\s{1,4}instructions?)/i,
  /\byou\s{1,4}are\s{1,4}now\s{1,4}(?:in\s{1,4})?(?:dan\b|developer\s{1,4}mode|jailbroken|unrestricted|an?\s{1,4}unrestricted)/i,
  /\b(?:attention|important|note)\W{1,6}(?:to\s{1,4})?(?:the\s{1,4})?(?:ai|llm|assistant|language\s{1,4}model|agent)s?\b\W{0,4}(?:you\s{1,4}must|please|reading)/i,
];
