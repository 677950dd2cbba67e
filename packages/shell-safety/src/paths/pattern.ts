/**
 * An expression for any of several paths in their normal form, joined by blanks: `*` is a part of a name, at most 255 characters long, `**` whatever
 * follows, `{a,b}` one or the other, and a slash at the end the folder and all in it. A path that does not begin with
 * `/`, `~` or a brace may stand in any folder.
 */
export function anyPath(list: string): RegExp {
  return new RegExp(list.trim().split(/\s+/).map(sourceOf).join('|'));
}

function sourceOf(glob: string): string {
  const start = /^[/~{]/.test(glob) ? '^' : '(?:^|/)';
  const end = glob.endsWith('/') ? '(?:/|$)' : glob.endsWith('/**') ? '/.' : '$';
  return (
    start +
    glob.replace(/\/(?:\*\*)?$/, '').replace(/\*\*|[*{},.+$()]/g, (char) => MEANS[char] ?? `\\${char}`) +
    end
  );
}

const MEANS: Readonly<Record<string, string>> = {
  '**': '.*',
  '*': '[^/]{0,255}',
  '{': '(?:',
  '}': ')',
  ',': '|',
};
