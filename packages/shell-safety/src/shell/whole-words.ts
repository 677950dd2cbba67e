import type { Assignment, Command, CommandArgument, Redirection, Word, WordPart } from 'unbash';

/** A command in its parts. */
interface Parts {
  readonly name: Word | undefined;
  readonly prefix: readonly (Assignment | Redirection)[];
  readonly args: readonly CommandArgument[];
}

/** The parts of a command as bash reads them: the parser ends a word in front of `<(…)`, so `A=<(x) ls` is `A=` and a program for it. */
export function wholeWords(node: Command): Parts {
  if (!isSubstitution(node.name) && !node.args.some(isSubstitution)) return node;
  const redirects = node.prefix.filter((item): item is Redirection => item.type !== 'Assignment');
  const assigned = node.prefix.filter((item): item is Assignment => item.type === 'Assignment');
  const words: CommandArgument[] = [];
  const all = [...assigned, ...(node.name ? [node.name, ...node.args] : [])];
  for (let i = 0; i < all.length; ) {
    let next = i + 1;
    while (all[next]?.type === 'Word' && all[next]?.pos === all[next - 1]?.end) next++;
    words.push(...joined(all.slice(i, next)));
    i = next;
  }
  const from = words.findIndex(({ type }) => type === 'Word');
  const prefix = words.slice(0, from === -1 ? words.length : from);
  const [name, ...args] = words.slice(prefix.length);
  return {
    name: name?.type === 'Word' ? name : undefined,
    prefix: [...redirects, ...prefix.filter((word): word is Assignment => word.type === 'Assignment')],
    args,
  };
}

function isSubstitution(word: CommandArgument | undefined): boolean {
  return word !== undefined && /^[<>]\(/.test(word.text);
}

/** Words that stand next to each other, as one. */
function joined(words: readonly CommandArgument[]): readonly CommandArgument[] {
  const [first, ...rest] = words;
  const value = first?.type === 'Assignment' ? first.value : first;
  if (first === undefined || rest.length === 0 || value?.type !== 'Word') return words;
  const all = [value, ...rest.filter((word): word is Word => word.type === 'Word')];
  const end = words.at(-1)?.end ?? first.end;
  const whole: Word = {
    type: 'Word',
    text: all.map(({ text }) => text).join(''),
    value: all.map((word) => word.value).join(''),
    pos: value.pos,
    end,
    parts: all.flatMap(partsOf),
  };
  if (first.type === 'Word') return [whole];
  const { name, append, index, pos, text } = first;
  return [
    {
      type: 'Assignment',
      name,
      append,
      index,
      pos,
      end,
      text: text.slice(0, value.pos - pos) + whole.text,
      value: whole,
    },
  ];
}

function partsOf({ value, parts }: Pick<Word, 'value' | 'parts'>): readonly WordPart[] {
  return parts ?? [{ type: 'Literal', value, text: value, pos: 0, end: 0 }];
}
