/**
 * What a tool gives, or its timeout where that comes first: the SDK then answers in the tool's place and lets it run on,
 * so the call is over for hooks, too.
 */
export async function unlessTimedOut<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const aborted = (): void => {
    // For a tool whose run is aborted, or whose sibling has failed, the SDK waits.
    if (isTimeout(signal.reason)) reject(signal.reason);
  };
  signal.addEventListener('abort', aborted, { once: true });
  try {
    return await Promise.race([running, promise]);
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}

function isTimeout(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && 'toolName' in reason && 'timeoutMs' in reason;
}
