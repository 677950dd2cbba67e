/** Tests texts against a shell pattern (`*`, `?`, `[…]`). `*` stops at a slash. Time is at most length × length. */
export function globOf(pattern: string): (text: string) => boolean {
  const tokens = tokensOf(pattern);
  // Most pairs differ in their last letter.
  const last = pattern.at(-1) ?? '';
  const end = '*?]'.includes(last) ? '' : last;
  return (text) => text.endsWith(end) && matches(tokens, text);
}

function matches(tokens: readonly string[], text: string): boolean {
  let t = 0;
  let star = -1;
  let starAt = 0;
  let i = 0;
  while (i < text.length) {
    const token = tokens[t];
    if (token === '*') {
      star = t++;
      starAt = i;
    } else if (token !== undefined && matchesOne(token, text[i] ?? '')) {
      t++;
      i++;
    } else if (star !== -1 && text[starAt] !== '/') {
      t = star + 1;
      i = ++starAt;
    } else return false;
  }
  return tokens.slice(t).every((token) => token === '*');
}

function tokensOf(pattern: string): string[] {
  const tokens: string[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] ?? '';
    const close = char === '[' ? pattern.indexOf(']', i + 2) : -1;
    if (close !== -1) {
      tokens.push(pattern.slice(i, close + 1));
      i = close;
    } else if (char !== '*' || tokens.at(-1) !== '*') tokens.push(char);
  }
  return tokens;
}

function matchesOne(token: string, char: string): boolean {
  if (token === '?') return char !== '/';
  if (token.length < 3) return token === char;
  const negated = /^\[[!^]/.test(token);
  const set = token.slice(negated ? 2 : 1, -1);
  return inSet(set, char) !== negated;
}

function inSet(set: string, char: string): boolean {
  for (let i = 0; i < set.length; i++) {
    const from = set[i] ?? '';
    const to = set[i + 1] === '-' ? set[i + 2] : undefined;
    if (to === undefined ? char === from : char >= from && char <= to) return true;
    if (to !== undefined) i += 2;
  }
  return false;
}
