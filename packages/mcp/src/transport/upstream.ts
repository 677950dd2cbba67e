import { HooksError } from '@hooks/core';

/** An MCP server to reach over HTTP. */
export interface HttpUpstream {
  readonly url: string | URL;
  /** Sent with each request, for example `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Checks what no request could be made with.
 * @throws HooksError `CONFIG_INVALID`, without the secret that may be in it
 */
export function checkUpstream({ url, headers = {} }: HttpUpstream, at: string): void {
  const check = (isRight: boolean, problem: string): void => {
    if (!isRight) throw new HooksError('CONFIG_INVALID', `${at}.${problem}`);
  };
  const text = String(url);
  const { protocol, username, password } = new URL(URL.canParse(text) ? text : 'none:');
  check(/^https?:$/.test(protocol), 'url: expected a URL that begins with https: or http:');
  check(
    username === '' && password === '',
    'url: a user and password in a URL are not sent: set the header `authorization`',
  );
  for (const [name, value] of Object.entries(headers)) {
    check(isHeader(name, ''), 'headers: a name has characters that no header can have');
    check(isHeader(name, value), `headers.${name}: the value has characters that no header can have`);
  }
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}
