import { COSTLY, DEAR, FORBIDDEN } from './arguments.ts';
import type { HostileCall, HostileConversation } from './random-model.ts';

/** What only part of a conversation says; the rest has defaults. */
export type Listed = Pick<HostileConversation, 'runs'> & Partial<Omit<HostileConversation, 'runs'>>;

const bad = `{"command":"${FORBIDDEN}"}`;
const good = '{"command":"ls"}';
const other = '{"command":"pwd"}';
const costly = `{"command":"${COSTLY}"}`;
const dear = `{"command":"${DEAR}"}`;
const tooDeep = `{"data":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;

/** JSON objects that a parser, a copy or a reader may take for something else. The name says how. */
const hiding: Readonly<Record<string, string>> = {
  'a prototype': `{"__proto__":${bad}}`,
  'a prototype beside a harmless field': `{"command":"ls","__proto__":${bad}}`,
  'a prototype with an escaped name': `{"\\u005f_proto__":${bad}}`,
  'a prototype with another escaped name': `{"__\\u0070roto__":${bad}}`,
  'a nested prototype': `{"command":"ls","data":{"__proto__":${bad}}}`,
  'a prototype of a prototype': `{"__proto__":{"__proto__":${bad}}}`,
  'a prototype in a list': `{"command":"ls","data":[{"__proto__":${bad}}]}`,
  'a list as prototype': `{"command":"ls","data":{"__proto__":["${FORBIDDEN}"]}}`,
  'no prototype': '{"command":"ls","__proto__":null}',
  'a prototype that needs approval': `{"command":"ls","__proto__":${costly}}`,
  'the prototype of a constructor': `{"constructor":{"prototype":${bad}},"command":"ls"}`,
  'a key twice, the bad one first': `{"command":"${FORBIDDEN}","command":"ls"}`,
  'a key twice, the bad one last': `{"command":"ls","command":"${FORBIDDEN}"}`,
  'a key twice, once escaped': `{"command":"ls","c\\u006fmmand":"${FORBIDDEN}"}`,
  'an escaped text': '{"command":"\\u0066orbidden"}',
  'its own toJSON': `{"command":"ls","data":{"toJSON":"x","command":"${FORBIDDEN}"}}`,
  'its own toString and valueOf': `{"command":"ls","toString":"${FORBIDDEN}","valueOf":1}`,
  'its own hasOwnProperty': `{"command":"${FORBIDDEN}","hasOwnProperty":1,"then":2,"length":0}`,
  'an infinite number': '{"command":"ls","data":1e400}',
  'a negative zero': '{"command":"ls","data":-0}',
  'a negative zero that a person is asked about': `{"command":"${COSTLY}","data":-0}`,
  'a large number': '{"command":"ls","data":123456789012345678901234567890}',
  'half a character': '{"command":"ls \\ud800"}',
  'half a character as key': '{"command":"ls","\\udc00":1}',
};

/** Texts that are no JSON object, or one that is too deep for many readers. */
const malformed: Readonly<Record<string, string>> = {
  nothing: '',
  space: ' ',
  'half an object': `{"command":"${FORBIDDEN}"`,
  'a trailing comma': `{"command":"${FORBIDDEN}",}`,
  'single quotes': `{'command':'${FORBIDDEN}'}`,
  'words around it': `Sure: ${bad} Done.`,
  'a block of Markdown': `\`\`\`json\n${bad}\n\`\`\``,
  'two objects': `${good}${bad}`,
  'a comment': `/* ${FORBIDDEN} */ ${good}`,
  'a byte order mark': `\uFEFF${bad}`,
  'a list': `[${bad}]`,
  'a text': JSON.stringify(bad),
  'a number': '42',
  null: 'null',
  '5,000 lists': `{"data":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  '5,000 objects': tooDeep,
};

/** Arguments that hide something from a reader, eight parallel calls in each run. */
export const hidingArguments: readonly Listed[] = inGroups(8, [
  ...Object.values(hiding).map((text, at) => call(`shell${at}`, text)),
  ...Object.values(hiding).map((text, at) => call(`note${at}`, `{"data":${text}}`, 'note')),
]).map((calls) => ({ runs: [[calls]] }));

/** Arguments that are no object of JSON. */
export const malformedArguments: readonly Listed[] = Object.values(malformed).map((text) => ({
  runs: [[[call('c1', text, text.length > 5_000 ? 'note' : 'shell')]]],
}));

/** Pairs of calls with an id. */
function pairsWith(id: string | null): readonly (readonly [HostileCall, HostileCall])[] {
  return [
    [call(id, good), call(id, bad)],
    [call(id, good), call(id, other)],
    [call(id, costly), call(id, dear)],
    [call(id, costly), call(id, `{"data":"${COSTLY}"}`, 'note')],
    [call(id, good), call(id, `{"data":"${FORBIDDEN}"}`, 'note')],
  ];
}

/** More pairs with one id. */
const morePairs: ReturnType<typeof pairsWith> = [
  [call('same', good), call('same', good)],
  [call('same', bad), call('same', good)],
  [call('same', good), call('same', '{"data":1}', 'note')],
  [call('same', bad), call('same', '{"data":1}', 'note')],
  [call('same', '{"data":1}', 'note'), call('same', good)],
  [call('same', '{}'), call('same', good)],
  [call('same', good), call('same', good, 'nobody')],
  [call('same', bad), call('same', 'not JSON')],
  [call('same', good), call('same', costly)],
  [call('same', costly), call('same', good)],
  [call('same', costly), call('same', bad)],
  [call('same', costly), call('same', costly)],
  [call('same', costly), call('same', `{"command":"more ${COSTLY}"}`)],
  [call('same', dear), call('same', costly)],
  [call('same', dear), call('same', good)],
  [call('same', hiding['a prototype beside a harmless field'] ?? ''), call('same', tooDeep, 'note')],
  [call('same', costly), call('same', `{"data":"${DEAR}"}`, 'note')],
];

/** Two calls with one id behind a call that pauses the run. A storage may keep less of the second one than the model wrote. */
const behindAPause = ['{"command":"ls","__proto__":{"command":"pwd"}}', '{"command":"ls","zero":-0}'].map(
  (text) => [call('c1', costly), call('same', '{"data":1}', 'note'), call('same', text)],
);

/** Calls of one answer with the same id, with an empty one, or without. */
export const equalIds: readonly Listed[] = [
  ...['same', '', null].flatMap(pairsWith),
  ...morePairs,
  ...behindAPause,
].map((calls) => ({ runs: [[calls]] }));

/** The same id again in a later answer of the run, and in a later run of the session. */
export const repeatedIds: readonly Listed[] = [...pairsWith('same'), ...morePairs].map(([one, two]) => ({
  runs: [
    [[one], [two]],
    [[one], [two]],
  ],
}));

/** Names of tools that an agent does not have, but that every object does; and names that look like one of its tools. */
const strangeNames: readonly Listed[] = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '', 'nobody', 'Shell'],
  ...['shell\n', ' shell', 'shell ', 'shell\nnote', 'sh\u0065ll\u200B', 'x'.repeat(300)],
].map((name) => ({ runs: [[[call('c1', bad, name), call('c2', good, name), call('c3', good)]]] }));

/** Ids that are no usual text. */
const strangeIds: readonly Listed[] = [
  ...['__proto__', 'constructor', 'toString', 'a\nb', 'ünï', '😀', 'x'.repeat(300), ' ', '"', "' OR 1=1"],
].map((id) => ({ runs: [[[call(id, good), call('c2', costly), call('c3', bad)]]] }));

/** Strange names and ids. */
export const strangeCalls: readonly Listed[] = [...strangeNames, ...strangeIds];

/** Answers with calls that need approval, beside others. */
export const pausedAnswers: readonly (readonly HostileCall[])[] = [
  ...[...pairsWith('same'), ...morePairs].filter((pair) =>
    pair.some((one) => one.arguments.includes(COSTLY)),
  ),
  Object.values(hiding)
    .filter((text) => text !== hiding['an infinite number'])
    .map((text, at) => call(`c${at}`, text.replace(FORBIDDEN, COSTLY))),
  Object.values(hiding).map((text, at) =>
    call(`c${at}`, `{"data":${text.replace(FORBIDDEN, COSTLY)}}`, 'note'),
  ),
];

/** 50 parallel calls, of which hooks let some run, some wait and refuse some. */
export const manyCalls: readonly Listed[] = [
  {
    runs: [
      [
        Array.from({ length: 50 }, (_, at) =>
          call(`c${at}`, `{"command":"${[`ls ${at}`, `${COSTLY} ${at}`, `${FORBIDDEN} ${at}`][at % 3]}"}`),
        ),
      ],
    ],
  },
];

function inGroups<T>(size: number, all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
}

function call(id: string | null, text: string, name = 'shell'): HostileCall {
  return { id, name, arguments: text };
}
