/** How a command ended. A command that fails is a result, not an error; errors are the sandbox's own failures. */
export interface SandboxResult {
  /** `null` if the command was killed before it exited. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It exceeded its `timeoutMs`. */
  readonly timedOut: boolean;
  /** It was canceled, or its session was closed. */
  readonly canceled: boolean;
  /** The limit that killed it, in words. Time and cancellation have their own fields. */
  readonly limit?: string;
  /** Output was longer than `maxOutputBytes`. */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** Files written in the workspace since the session began, if the command asked for them. */
  readonly artifacts?: readonly string[];
}

/** Options of {@link formatResult}. */
export interface FormatOptions {
  /** Maximum characters of stdout and of stderr each. Default: 8000. */
  readonly maxChars?: number;
}

/**
 * What the model reads by default: `SANDBOX_RESULT: {"exitCode":0,"stdout":"…","stderr":""}`, plus `timedOut`,
 * `canceled`, `limit` and `artifacts` if they apply. Keeps the beginning and the end of a long stream.
 */
export function formatResult(result: SandboxResult, options: FormatOptions = {}): string {
  const max = options.maxChars ?? 8000;
  return `SANDBOX_RESULT: ${JSON.stringify({
    exitCode: result.exitCode,
    stdout: shorten(result.stdout, max),
    stderr: shorten(result.stderr, max),
    ...(result.timedOut && { timedOut: true }),
    ...(result.canceled && { canceled: true }),
    ...(result.limit !== undefined && { limit: result.limit }),
    ...(result.artifacts !== undefined && { artifacts: result.artifacts }),
  })}`;
}

function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = Math.ceil(max / 2);
  const tail = max - head;
  return `${text.slice(0, head)}\n[${text.length - max} characters left out]\n${text.slice(text.length - tail)}`;
}
