import type { CompoundList, While } from 'unbash';

/** A loop that nothing in its condition ends. */
export function isEndless(node: While, source: string): boolean {
  const clause = source
    .slice(node.clause.pos, node.clause.end)
    .replace(/[\s;]+/g, ' ')
    .trim();
  const negated = clause.startsWith('! ');
  const plain = negated ? clause.slice(2) : clause;
  return (node.kind === 'while') === negated ? /^(?:\/\S*\/)?false$/.test(plain) : ALWAYS_TRUE.test(plain);
}

/** A loop's head that says it goes round ten thousand times or more. */
export function isLong(head: string): boolean {
  return /\b\d{5,}\b/.test(head);
}

const ALWAYS_TRUE =
  /^(?:(?:\/\S*\/)?true|:|\[ 1 \]|\(\( ?1 ?\)\)|\[\[ (?:1|true) \]\]|\[ true \]|test 1|sleep 0)$/;

/** A body that starts something in the background and has nothing that would hold the loop back. */
export function spawnsOnly(body: CompoundList, source: string): boolean {
  const text = (node: { readonly pos: number; readonly end: number }): string =>
    source.slice(node.pos, node.end);
  const spawns = body.commands.some(({ background, command }) => background || /&\s*\)$/.test(text(command)));
  if (!spawns || /\b(?:wait|break|exit|return)\b/.test(text(body))) return false;
  const foreground = body.commands.filter(
    ({ background, command }) => !background && command.type !== 'Subshell',
  );
  return !foreground.some(({ command }) => /\b(?:sleep|read|inotifywait|curl|select)\b/.test(text(command)));
}
