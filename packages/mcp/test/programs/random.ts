/** Random texts of hostile clients and servers, the same for the same seed. */

/** What a redaction has to take out of everything that a client reads. */
export const MARKER = 'SECRET';

export interface Draw {
  /** A whole number from 0 up to, but not including, a limit. */
  below(limit: number): number;
  oneOf<T>(choices: readonly [T, ...T[]]): T;
  /** Whether a thing that happens once in so many times happens. */
  onceIn(times: number): boolean;
}

/** Numbers by mulberry32. */
export function drawFrom(seed: number): Draw {
  let state = seed | 0;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    below,
    oneOf: (choices) => choices[below(choices.length)] ?? choices[0],
    onceIn: (times) => below(times) === 0,
  };
}

/** A JSON text, with keys and values that parsers or policies trip over. */
export function randomJson(draw: Draw, depth = 0): string {
  const { below, oneOf } = draw;
  const kind = below(depth > 3 ? 6 : 10);
  if (kind < 2)
    return JSON.stringify(
      oneOf(['a', '', 'ls', MARKER, `${MARKER}\n`, '\u2028', 'é', '"', '\\', '{"id":1}']),
    );
  if (kind < 4)
    return oneOf([
      '0',
      '1',
      '-0',
      '1.0',
      '1e2',
      '9007199254740993',
      '1e400',
      '1e-400',
      '12345678901234567890',
    ]);
  if (kind < 6) return oneOf(['true', 'null', '[]', '{}', `"\\u0053ECRET"`]);
  const items = Array.from({ length: below(4) }, () => randomJson(draw, depth + 1));
  return kind < 7
    ? `[${items.join(',')}]`
    : `{${items.map((item) => `${randomKey(draw)}:${item}`).join(',')}}`;
}

function randomKey({ oneOf }: Draw): string {
  return oneOf([
    ...([
      '"a"',
      '"A"',
      '"b"',
      '"path"',
      '"Path"',
      '"\\u0070ath"',
      '"__proto__"',
      '"\\u005f_proto__"',
    ] as const),
    ...([
      '"constructor"',
      '"toString"',
      '"id"',
      '"method"',
      '"name"',
      '"arguments"',
      '"SECRET"',
      '""',
    ] as const),
    ...(['"isError"', '"content"', '"text"', '"type"'] as const),
  ]);
}

const ID = [
  '1',
  '2',
  '3',
  '"1"',
  '"a"',
  'null',
  '1.5',
  '-1',
  '9007199254740993',
  '{}',
  '[1]',
  'true',
  '1.0',
  '1e0',
] as const;

/** A text of a client: a request, a response, something like it, or nothing of the kind. */
export function clientText(draw: Draw, id: number): string {
  const { oneOf, onceIn } = draw;
  const method = oneOf([
    ...(['tools/call', 'tools/call', 'tools/call', 'tools/call', 'tools/list', 'resources/read'] as const),
    ...(['prompts/get', 'ping', 'vendor/x', 'notifications/cancelled', 'Tools/Call', 'tools/call '] as const),
    ...(['tools\\/call', 'tasks/result', 'notifications/initialized', 'completion/complete'] as const),
  ]);
  const name = oneOf([
    'safe',
    'safe',
    'danger',
    ' danger',
    'danger\\n',
    'Danger',
    '__proto__',
    'safe\\u0000',
  ]);
  const args = `{${draw.below(3) > 0 ? `"n":${id}` : ''}}`;
  const input = onceIn(2) ? args : randomJson(draw);
  const meta = onceIn(6)
    ? `,"_meta":{"progressToken":${oneOf(['1', '"a"', String(id)])},"threadId":${oneOf(['"t"', '1'])}}`
    : '';
  const fields = [
    `"jsonrpc":${onceIn(20) ? randomJson(draw) : '"2.0"'}`,
    ...(onceIn(12) ? [] : [`"id":${onceIn(4) ? oneOf(ID) : id}`]),
    `"method":"${method}"`,
    `"params":{"name":"${name}","uri":"u:1","arguments":${input},"requestId":${id - 1}${meta}}`,
  ];
  if (onceIn(10))
    fields.push(oneOf(['"result":{}', '"error":{}', '"method":"ping"', '"id":7', '"Method":"tools/call"']));
  if (onceIn(10)) fields.push(`${randomKey(draw)}:${randomJson(draw)}`);
  if (onceIn(12)) fields.push('"params":{"name":"danger"}');
  if (onceIn(12)) fields.splice(2, 1);
  const text = `{${shuffled(draw, fields).join(onceIn(6) ? ' ,\r' : ',')}}`;
  // The secret is the server's.
  return mangled(draw, text).replaceAll(/SECRET|\\u0053ECRET/g, 'mine');
}

/** A text of a server that got a request with this id, or something like an id. */
export function serverText(draw: Draw, id: string): string {
  const { oneOf, onceIn } = draw;
  const secret = oneOf([
    `"a ${MARKER}"`,
    `"${MARKER}"`,
    '"\\u0053\\u0045CRET"',
    `{"${MARKER}":1}`,
    `["${MARKER}"]`,
  ]);
  const part = oneOf([
    `{"type":"text","text":${secret}}`,
    `{"type":"image","data":${secret}}`,
    `{"type":"text","text":"x","_meta":{"a":${secret}}}`,
    secret,
  ]);
  const result = oneOf([
    `{"content":[${part}]}`,
    `{"content":[${part}],"isError":true}`,
    `{"content":[],"structuredContent":{"a":${secret}},"isError":${oneOf(['true', 'false', '"true"'])}}`,
    `{"_meta":{"a":${secret}},"content":${secret}}`,
    `{"resultType":"input_required","inputRequests":{"a":${secret}}}`,
    `{"resultType":${secret}}`,
    `{"task":{"taskId":${secret}}}`,
    `{"tools":[{"name":"safe","description":${secret},"inputSchema":{}}]}`,
    `{"__proto__":{"a":${secret}},"content":[]}`,
    `{"contents":[${secret}],"messages":[${secret}],"prompts":[${secret}]}`,
    randomJson(draw).replace(/^[^{].*$/s, `{"a":${secret}}`),
  ]);
  const error = `{"code":${oneOf(['-1', '"x"', secret])},"message":${secret},"data":${secret}}`;
  const of = onceIn(5) ? oneOf(ID) : id;
  const body = oneOf([
    ...([
      `"id":${of},"result":${result}`,
      `"id":${of},"result":${result}`,
      `"id":${of},"result":${result}`,
    ] as const),
    ...([
      `"id":${of},"error":${error}`,
      `"id":null,"error":${error}`,
      `"id":${of},"result":${result},"error":${error}`,
    ] as const),
    ...([`"method":"notifications/message","params":{"data":${secret}}`] as const),
    ...([
      `"method":"notifications/progress","params":{"progressToken":${of},"progress":1,"message":${secret}}`,
    ] as const),
    ...([`"id":${of},"method":"sampling/createMessage","params":{"messages":[${secret}]}`] as const),
    ...([
      `"id":${of},"method":"ping","result":${result}`,
      `"id":${of},"result":${result},"vendor":${secret}`,
    ] as const),
  ]);
  return mangled(draw, `{"jsonrpc":${onceIn(20) ? secret : '"2.0"'},${body}}`);
}

/** Sometimes breaks a text, or wraps it in something else. */
function mangled(draw: Draw, text: string): string {
  switch (draw.below(24)) {
    case 0:
      return `[${text}]`;
    case 1:
      return `[${text},${text}]`;
    case 2:
      return text.slice(0, draw.below(text.length));
    case 3:
      return `${text}${text}`;
    case 4:
      return `\ufeff${text}`;
    case 5:
      return `{"jsonrpc":"2.0","method":"vendor/n","params":\r${text}\r}`;
    case 6:
      return ` \t${text}\r`;
    case 7:
      return `${text}\r${text}`;
    case 8:
      return text.replaceAll(':', ' :\r ');
    default:
      return text;
  }
}

function shuffled<T>(draw: Draw, items: readonly T[]): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(draw.below(left.length), 1));
}
