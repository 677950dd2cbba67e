import { drawn } from '@hooks/testing/random';
import { expect, test, vi } from 'vitest';
import { createSecretRedactor, findPii, findSecrets } from '../src/index.ts';
import { fill, randomFrom } from './secret-samples.ts';
import { stepsPerCharacter } from './slow-texts.ts';

vi.setConfig({ testTimeout: 60_000 });

const random = randomFrom(42);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const clean = (text: string): string => createSecretRedactor().text(text);

/** What a value may stand between: quotes of all kinds, brackets, escapes, marks of other languages, and what separates fields. */
const DELIMITERS: readonly (readonly [open: string, close: string])[] = [
  ...[
    '“”',
    '‘’',
    '«»',
    '‹›',
    '「」',
    '『』',
    '【】',
    '⟨⟩',
    '（）',
    '＂＂',
    '„“',
    '→←',
    '••',
    '––',
    '§§',
    '¦¦',
    '密码',
    'éé',
  ],
  ...[
    '``',
    '**',
    '__',
    '||',
    '##',
    '!!',
    '^^',
    '~~',
    '++',
    ';;',
    ',,',
    '::',
    '??',
    '&&',
    '%%',
    '..',
    '{}',
    '[]',
    '()',
    '<>',
  ],
]
  .map(([open = '', close = '']) => [open, close] as [string, string])
  .concat([
    ['```', '```'],
    ['"""', '"""'],
    ["'''", "'''"],
    ['**', '**'],
    ['~~', '~~'],
    ['&quot;', '&quot;'],
    ['&#34;', '&#34;'],
    ['&lt;', '&gt;'],
    ['%22', '%22'],
    ['\\"', '\\"'],
    ["\\'", "\\'"],
    ['\\x22', '\\x22'],
    ['\\u0022', '\\u0022'],
    ['<b>', '</b>'],
    ['<![CDATA[', ']]>'],
    ['[[', ']]'],
    ['((', '))'],
    ['<<<', '>>>'],
    ['{"', '"}'],
    ["['", "']"],
    ["b'", "'"],
    ['r"', '"'],
    ["$'", "'"],
    ['->', '<-'],
    ['\u001b[31m', '\u001b[0m'],
    ['\u200b', '\u200b'],
  ]);

const NAMED: Readonly<Record<string, (value: string) => string>> = {
  'behind a colon': (value) => `password: ${value}`,
  'right behind a colon': (value) => `password:${value}`,
  'in a variable': (value) => `A=1\nAPI_KEY=${value}\nB=2`,
  'behind an arrow': (value) => `secret => ${value},`,
  'in double quotes': (value) => `password: "${value}"`,
  'in JSON': (value) => JSON.stringify({ password: value }),
  'in a block of YAML': (value) => `password: >\n  ${value}\n`,
  'in a query': (value) => `https://a.test/?api_key=${value}&x=1`,
  'in a header': (value) => `Authorization: Bearer ${value}`,
  'in another header': (value) => `X-Api-Key: ${value}`,
  'in a cookie': (value) => `Cookie: session_token=${value}; a=b`,
  'of an option': (value) => `deploy --password=${value} --now`,
  'in a sentence': (value) => `Your password: ${value}. Keep it.`,
  'in XML': (value) => `<password>${value}</password>`,
  'in a table': (value) => `| password | ${value} |`,
  'in a list': (value) => `tokens: [${value}]`,
};

const ADDRESSED: typeof NAMED = {
  'as the password of a URL': (value) => `postgres://app:${value}@db.test/app`,
  'as the user of a URL': (value) => `https://${value}@git.test/a.git`,
  'of curl': (value) => `curl -u app:${value} https://a.test`,
};

/** A generated secret of letters and digits that is found where nothing stands around it. */
function secretFor(place: (value: string) => string): string {
  for (let nth = 0; nth < 200; nth++) {
    const { text } = fill(
      pick(['<alnum:24>', '<alnum:32>', 'ghp_<alnum:36>', 'AKIA<b32:16>']),
      'benign',
      random,
    );
    if (!clean(place(text)).includes(text) && !clean(`api_token: ${text}`).includes(text)) return text;
  }
  throw new Error(`No secret is found in ${place('S')}.`);
}

/** The texts that still have their secret, of so many drawn ones. */
function leaks(
  times: number,
  draw: (secret: string, open: string, close: string) => string,
): readonly string[] {
  const places = Object.values({ ...NAMED, ...ADDRESSED });
  return Array.from({ length: times }, () => {
    const place = pick(places);
    const secret = secretFor(place);
    const text = place(draw(secret, ...pick(DELIMITERS)));
    return clean(text).includes(secret) ? [text] : [];
  }).flat();
}

test('a generated secret is found between any delimiters, and where only one of them stands', () => {
  const found = leaks(drawn(4_000), (secret, open, close) =>
    pick([open + secret + close, open + secret, secret + close]),
  );
  expect(found).toEqual([]);
});

const TEMPLATES = [
  '{{ x }}',
  '$' + '{X}',
  '<%= x %>',
  '%X%',
  '@X@',
  '$(cat x)',
  '{x}',
  '[[x]]',
  '***',
  '[REDACTED]',
];

test('of secrets between delimiters in and beside templates, one in a hundred at most is not found', () => {
  const times = drawn(4_000);
  const found = leaks(times, (secret, open, close) => {
    const template = pick(TEMPLATES);
    return pick([
      template + open + secret + close,
      open + secret + close + template,
      open + template + secret + close,
    ]);
  });
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(times / 100);
});

test.each(['“', '「', '&quot;', '\\x22', "['", '<<', '"""', '[', '('])(
  'a password with a digit, both cases and a sign is found between delimiters, too: %s',
  (open) => {
    for (const before of ['password: ', 'DB_PASSWORD=', 'X=1\n<password>', 'passphrase => '])
      expect(clean(`${before}${open}Correct7Horse!`)).not.toContain('Correct7Horse');
  },
);

test.each([
  'const password = ["username", "password1"];',
  'password: (see the documentation, section 4)',
  'token = [[x for x in tokens if x.startswith("v2")]]',
  'password: “your password here”',
  'key: «the key of the table, such as user_id2»',
  'api_key = ["primary-key-of-table", "v1.2.3"]',
  'secret => <<secret>>, other',
  'tokens: [1024, 2048, 4096]',
  'password = {user.password2}',
  "token: ['<your-token>']",
  'commit: «a94a8fe5ccb19ba61c4c0873d391e987982fbbd3»',
  'https://a.test:443/@scope/pkg@1.2.3',
  'see “https://github.com/acme/web-application-frontend@2.0.0”',
])('nothing is found in %s', (text) => {
  expect(findSecrets(text)).toEqual([]);
});

const PERSONAL = [
  'ann.smith@acme.dev',
  '+41 44 668 18 00',
  '(415) 555-0132',
  '4242 4242 4242 4242',
  '5555555555554444',
  'DE89 3704 0044 0532 0130 00',
  'GB29NWBK60161331926819',
  '203.0.113.7',
  '2001:db8::8a2e:370:7334',
];

test('personal data is found between any delimiters, but for a dot, a plus or a colon right beside a number', () => {
  const places = [
    (value: string) => value,
    (value: string) => `to=${value}`,
    (value: string) => JSON.stringify({ to: value, b: 1 }),
    (value: string) => `https://a.test/?to=${value}&x=1`,
    (value: string) => `Please contact ${value}, thanks.`,
    (value: string) => `| ${value} |`,
    (value: string) => `[${value}, 1]`,
  ];
  const delimiters = DELIMITERS.filter(([open]) => !'.+:'.includes(open));
  for (let nth = 0; nth < drawn(2_000); nth++) {
    const value = pick(PERSONAL);
    const [open, close] = pick(delimiters);
    const text = pick(places)(pick([open + value + close, open + value, value + close]));
    const found = findPii(text).map(({ start, end }) => text.slice(start, end));
    expect(
      found.some((one) => one.includes(value)),
      text,
    ).toBe(true);
  }
});

test.each([
  'password=«',
  'password=[[',
  "key=''",
  'password=***',
  'key=$' + '{a}',
  '://[REDACTED]',
  'curl -u a:{"',
  '\\x22',
])('a text takes a limited number of steps per character: many %j', (unit) => {
  expect(stepsPerCharacter(unit, findSecrets)).toBeLessThan(800);
});

test.each(['“”', '„“', '‘’', '«»', '‹›', '「」', '""', "''"])(
  'a value between %s is known where it stands without them',
  ([open = '', close = '']) => {
    const redactor = createSecretRedactor();
    const named = redactor.text(
      `password: ${open}Kx9v2LqPz71MwQ${close} and password=${open}Kx9v2LqPz71MwQ${close}.`,
    );
    const [placeholder = ''] = /\[REDACTED:[^\]]*\]/.exec(named) ?? [];
    expect(named).toBe(`password: ${open}${placeholder}${close} and password=${open}${placeholder}${close}.`);
    expect(redactor.text('Log in with Kx9v2LqPz71MwQ.')).toBe(`Log in with ${placeholder}.`);
  },
);
