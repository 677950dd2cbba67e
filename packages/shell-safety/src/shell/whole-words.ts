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
  for (const word of [...assigned, ...(node.name ? [node.name, ...node.args] : [])]) {
    const before = words.at(-1);
    const joined = before?.end === word.pos && word.type === 'Word' ? join(before, word) : undefined;
    if (joined) words[words.length - 1] = joined;
    else words.push(word);
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

function join(before: CommandArgument, { text, value, end, parts }: Word): CommandArgument | undefined {
  if (before.type === 'Word') {
    const all = [...partsOf(before), ...partsOf({ value, parts })];
    return {
      type: 'Word',
      text: before.text + text,
      value: before.value + value,
      pos: before.pos,
      end,
      parts: all,
    };
  }
  if (before.value.type !== 'Word') return undefined;
  const joined = join(before.value, { type: 'Word', text, value, pos: before.end, end, parts });
  const { name, append, index, pos } = before;
  return joined?.type === 'Word'
    ? { type: 'Assignment', name, append, index, pos, end, text: before.text + text, value: joined }
    : undefined;
}

function partsOf({ value, parts }: Pick<Word, 'value' | 'parts'>): readonly WordPart[] {
  return parts ?? [{ type: 'Literal', value, text: value, pos: 0, end: 0 }];
}
