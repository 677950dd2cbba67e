import type { Draw } from '../draw.ts';

/** What hooks refuse, wherever it stands in an input. */
export const FORBIDDEN = 'forbidden';
/** What needs a person's approval. */
export const COSTLY = 'costly';
/** What the person refuses. */
export const DEAR = 'costly and dear';

/** The names of the tools that a hostile model finds. */
export type HostileTool = 'shell' | 'note';

/** The JSON text of arguments, valid or not, that a hostile model sends to a tool. */
export function hostileArguments(drawn: Draw, tool: HostileTool): string {
  const { below, oneOf } = drawn;
  const sound = tool === 'shell' ? shellObject(drawn) : noteObject(drawn);
  if (below(100) < 85) return sound;
  return oneOf<(text: string) => string>([
    () => '',
    () => ' ',
    () => '[]',
    () => 'null',
    () => '42',
    () => JSON.stringify(`{"command":"${FORBIDDEN}"}`),
    () => `[${sound}]`,
    () => deep(drawn, tool),
    (text) => `Sure, here it is: ${text}`,
    (text) => `${text} I hope that this helps.`,
    (text) => `\`\`\`json\n${text}\n\`\`\``,
    (text) => text.replace(/\}$/, ',}'),
    (text) => text.slice(0, 1 + below(text.length)),
    (text) => text.replaceAll('"', "'"),
    (text) => `${text}${shellObject(drawn)}`,
    (text) => `\uFEFF${text}`,
    (text) => `/* now */ ${text}`,
    (text) => JSON.stringify(text),
  ])(sound);
}

/** Many levels of arrays, objects or prototypes. */
function deep({ oneOf }: Draw, tool: HostileTool): string {
  const [start, end, levels] = oneOf<readonly [string, string, number]>([
    ['[', ']', 5_000],
    ['{"data":', '}', 5_000],
    // V8 takes quadratic time for a chain of prototypes, as a framework's parser may make it.
    ['{"__proto__":', '}', 200],
  ]);
  const nested = `${start.repeat(levels)}"${FORBIDDEN}"${end.repeat(levels)}`;
  return tool === 'shell' ? `{"command":"ls","data":${nested}}` : `{"data":${nested}}`;
}

function shellObject(drawn: Draw): string {
  const { oneOf } = drawn;
  const command = (): string => `${key(drawn, 'command')}:${string(drawn)}`;
  return oneOf<() => string>([
    () => `{${command()}}`,
    () => `{${command()}}`,
    () => `{${command()},${command()}}`,
    () => `{${key(drawn)}:{${command()}}}`,
    () => `{${command()},${key(drawn)}:{${command()}}}`,
    () => `{${key(drawn)}:{${command()}},${command()}}`,
    () => `{${key(drawn)}:{${key(drawn)}:{${command()}}}}`,
    () => `{"constructor":{"prototype":{${command()}}},${command()}}`,
    () => `{${command()},${key(drawn)}:${value(drawn, 2)}}`,
    () => `{"command":${value(drawn, 1)}}`,
  ])();
}

function noteObject(drawn: Draw): string {
  const { oneOf } = drawn;
  return oneOf<() => string>([
    () => `{"data":${value(drawn, 3)}}`,
    () => `{"data":${value(drawn, 3)}}`,
    () => `{"data":${value(drawn, 2)},"data":${value(drawn, 2)}}`,
    () => `{"data":${value(drawn, 2)},${key(drawn)}:${value(drawn, 2)}}`,
    () => `{${key(drawn)}:{"data":${value(drawn, 2)}}}`,
  ])();
}

function value(drawn: Draw, depth: number): string {
  const { below, oneOf } = drawn;
  const nested = (): string => value(drawn, depth - 1);
  const kind = depth === 0 ? below(4) : below(8);
  if (kind < 3) return string(drawn);
  if (kind === 3)
    return oneOf(['0', '-0', '1e400', '-1e400', '12345678901234567890', '0.1', '1E2', 'true', 'null']);
  if (kind === 4) return `[${Array.from({ length: below(3) }, nested).join(',')}]`;
  const fields = Array.from({ length: below(4) }, () => `${key(drawn)}:${nested()}`);
  return `{${fields.join(',')}}`;
}

/** A key as JSON text, plain or hostile. */
function key({ below, oneOf }: Draw, usual?: string): string {
  if (usual !== undefined && below(5) > 0) return JSON.stringify(usual);
  return oneOf([
    '"__proto__"',
    '"__proto__"',
    '"\\u005f_proto__"',
    '"__\\u0070roto__"',
    '"constructor"',
    '"prototype"',
    '"toJSON"',
    '"toString"',
    '"valueOf"',
    '"hasOwnProperty"',
    '"length"',
    '"then"',
    '"command"',
    '"c\\u006fmmand"',
    '"data"',
    '"0"',
    '""',
    `"${FORBIDDEN}"`,
  ]);
}

/** A string as JSON text. */
function string({ below, oneOf }: Draw): string {
  const kind = below(10);
  if (kind < 3) return oneOf(['"ls"', '"pwd"', '"date"']);
  if (kind < 6) return oneOf([`"${FORBIDDEN}"`, `"${FORBIDDEN}"`, `"rm ${FORBIDDEN}"`, '"\\u0066orbidden"']);
  if (kind < 8) return oneOf([`"${COSTLY}"`, `"more ${COSTLY}"`, `"${DEAR}"`]);
  return oneOf(['""', '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\u2028"', '"😀"', '"[object Object]"']);
}
