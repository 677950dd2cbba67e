/**
 * A pattern with `*` (any text, across lines and folders), `?` (one character), `[a-z]`, and `\` before a literal
 * character.
 */
export type Glob = readonly Token[];

type Token = '*' | ((character: string) => boolean);

/** @throws Error if a character class is invalid */
export function parseGlob(pattern: string): Glob {
  const tokens: Token[] = [];
  const parts = pattern.toLowerCase().matchAll(/\[(?:\\.|[^\]\\])*\]|\\.|./gsu);
  for (const [part] of parts) {
    if (part === '*') tokens.push('*');
    else if (part === '?') tokens.push(() => true);
    else if (part.length > 1 && part.startsWith('[')) tokens.push(parseClass(part));
    else {
      const literal = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
      tokens.push((character) => character === literal);
    }
  }
  return tokens;
}

/** Whether the whole text matches, ignoring case. Takes at most time proportional to pattern × text. */
export function globMatches(glob: Glob, text: string): boolean {
  const characters = [...text.toLowerCase()];
  let at = 0;
  let token = 0;
  let star = -1;
  let resume = 0;
  while (at < characters.length) {
    const current = glob[token];
    if (current === '*') {
      star = token++;
      resume = at;
    } else if (current?.(characters[at] ?? '')) {
      token++;
      at++;
    } else if (star >= 0) {
      // Let the last star match one character more; backtracking to earlier stars is never needed.
      token = star + 1;
      at = ++resume;
    } else return false;
  }
  return glob.slice(token).every((rest) => rest === '*');
}

function parseClass(text: string): Token {
  const [, not = '', members = ''] = /^\[(\^?)(.*)\]$/su.exec(text) ?? [];
  const source = members.replaceAll(/\\?(.)/gsu, (part, character: string) =>
    part === '-' ? part : character.replace(/[\\\]^[-]/, '\\$&'),
  );
  try {
    if (members === '') throw new SyntaxError('empty');
    const expression = new RegExp(`^[${not}${source}]$`, 'su');
    return (character) => expression.test(character);
  } catch (cause) {
    throw new Error('what stands in [ ] is not a character class; write "[a-z]", or "\\[" for a bracket', {
      cause,
    });
  }
}
