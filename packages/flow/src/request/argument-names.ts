import { SECRETS, wordsOf } from '../words.ts';

/** Arguments that a request sends, wherever it goes. */
const SENT =
  words(`header headers cookie cookies param params parameter parameters variables auth authorization bearer token
  username password useragent referer referrer`);
/** The same in one word with others: `httpheaders`. */
const SENT_AT_END = /(?:headers?|cookies?|params?|parameters?|variables)$/;
/** The body of a request. What has one is no `GET`. */
const BODIES = words('body data json form payload multipart');
/** What stands behind the host of a URL. */
export const BEHIND_HOST: ReadonlySet<string> = words('fragment hash segments endpoint route querystring qs');
/** What stands behind the host of a URL, but beside a host alone is what the tool looks for there. */
export const QUERIES: ReadonlySet<string> = words('query search q');
/** The parts of a URL as standards name them. Two of them are a URL in pieces. */
export const URL_PARTS: ReadonlySet<string> = words(
  'protocol scheme host hostname origin subdomain domain tld port path pathname',
);
/** Those of them that say which host. */
export const HOST_PARTS: ReadonlySet<string> = words('host hostname origin subdomain tld');
/** Arguments whose value is a link, whatever it looks like. */
export const URLS: ReadonlySet<string> = words('url urls uri uris href ip');
/** Arguments whose value is a link where it is a host in any form. */
export const LINKS: ReadonlySet<string> = new Set([
  ...URLS,
  ...words('host hosts hostname domain domains website'),
]);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Whether an argument, or one that it is a field of, has one of these names: `queryParams`, `options.headers.accept`. */
export function isPartOf(path: string, names: ReadonlySet<string>): boolean {
  return path.split('.').some((field) => hasName(field, names));
}

/** Whether a field has one of these names, with or without words before it. */
export function hasName(field: string, names: ReadonlySet<string>): boolean {
  const own = wordsOf(field);
  return names.has(own.at(-1) ?? '') || names.has(own.join(''));
}

/** Whether an argument, or one that it is a field of, is sent. */
export function isSentPart(path: string): boolean {
  return path.split('.').some(isSentPartName);
}

function isSentPartName(field: string): boolean {
  return hasName(field, SENT) || SENT_AT_END.test(wordsOf(field).at(-1) ?? '');
}

/** Whether any word in the name of a field says that it is sent. */
export function saysSent(field: string): boolean {
  return isSentPartName(field) || wordsOf(field).some((word) => SENT.has(word) || SECRETS.has(word));
}

/** Whether an argument is the body of a request, or stands in it. */
export function isInBody(path: string): boolean {
  return path.split('.').some(isBody);
}

/** Whether an argument is a field of a body. The field's name is sent, whatever its value is. */
export function isFieldOfBody(path: string): boolean {
  return path.split('.').slice(0, -1).some(isBody);
}

/** Whether a field is the body of a request: `body_text`, `payloadBase64`. */
export function isBody(field: string): boolean {
  return hasName(field, BODIES) || wordsOf(field).some((word) => word === 'body' || word === 'payload');
}
