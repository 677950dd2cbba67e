/**
 * Marks a part of a prompt that the user did not write: a pasted mail, a retrieved document, the text of a form. Its values
 * do not count as the user's words. The marks stay in the prompt, where they also tell the model what is quoted.
 *
 * @example
 * ```ts
 * await agent.run(`Answer this mail politely: ${untrusted(mail.body)}`);
 * ```
 */
export function untrusted(text: string): string {
  // Nobody can guess it, so the text cannot close its own mark.
  const id = crypto.randomUUID();
  return `<untrusted-${id}>${text}</untrusted-${id}>`;
}

/** A prompt in its parts. */
export interface PromptParts {
  /** What the user wrote, part by part. */
  readonly words: readonly string[];
  /** What was marked as untrusted. */
  readonly quoted: readonly string[];
}

/** Takes a prompt apart. A mark that is not closed reaches to the end. */
export function promptParts(prompt: string): PromptParts {
  const words: string[] = [];
  const quoted: string[] = [];
  let from = 0;
  for (const match of prompt.matchAll(/<untrusted-([\da-f-]{36})>/g)) {
    // A mark within another is a part of what is quoted.
    if (match.index < from) continue;
    words.push(prompt.slice(from, match.index));
    const begin = match.index + match[0].length;
    const close = `</untrusted-${match[1]}>`;
    const end = prompt.indexOf(close, begin);
    quoted.push(prompt.slice(begin, end === -1 ? undefined : end));
    from = end === -1 ? prompt.length : end + close.length;
  }
  words.push(prompt.slice(from));
  return { words: words.filter((part) => part.trim() !== ''), quoted };
}
