/** Maximum bytes of a response. */
export const MAX_BODY_BYTES: number = 1024 * 1024;

/** The text of a response; undefined if it is too long or not UTF-8. */
export async function readBody(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) return undefined;
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError && error.name === 'TypeError' && 'code' in error) return undefined;
    throw error;
  }
}

/** Like `fetch`, with a limit on the body. Does not follow redirects, which would send the event elsewhere. */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  const body = await readBody(response);
  if (body === undefined) throw new Error(`the response was over ${MAX_BODY_BYTES} bytes or not UTF-8`);
  const { status, statusText, headers } = response;
  return new Response(body || null, { status, statusText, headers });
}
