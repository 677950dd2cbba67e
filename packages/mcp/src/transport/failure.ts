/** A failed request to a server, in words of the proxy. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
}

/**
 * A failure without the text of its error, which may quote the server, or a URL or header of the operator: the model
 * reads it.
 */
export function failureOf(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const { name, code, cause } = Object(error);
  const why = [code, Object(cause).code, name].find(
    (each) => typeof each === 'string' && /^\w{1,60}$/.test(each),
  );
  return new TransportFailure(`the exchange with the server failed${why === undefined ? '' : ` (${why})`}`);
}
