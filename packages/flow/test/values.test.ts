import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReadText } from '../src/values/text.ts';
import { standsBelow, standsIn, valuesIn, valuesOf } from '../src/values/value.ts';

const now = new Date(2025, 0, 8, 12);

function stands(argument: unknown, text: string): boolean {
  const read = new ReadText(text, now);
  const values = valuesOf(argument);
  return values.every((value) => standsIn(value, read));
}

describe('a value stands in a text', () => {
  test.each<[unknown, string]>([
    ['Alice', 'Send it to Alice.'],
    ['Alice', "Look at Alice's calendar"],
    ['general', "Post it to the 'general' channel"],
    ['general', 'Post it to #general!'],
    ['ann', 'ask @ann, please'],
    [
      '1234 Elm Street, New York, NY 10001',
      'the new address: 1234 Elm Street,\nNew York, NY 10001 and update',
    ],
    ['bill-december-2023.txt', "pay the bill 'bill-december-2023.txt' for me"],
    ['GB29NWBK60161331926819', 'to GB29 NWBK 6016 1331 9268 19, please'],
    ['gb29 nwbk 6016 1331 9268 19', 'to GB29NWBK60161331926819'],
    ['Bob@Corp.com', 'mail bob@corp.com.'],
    ['bob@corp.com', 'mail Bob <bob@corp.com>'],
    ['Bob <bob@corp.com>, ann@corp.com', 'Tell ann@corp.com and Bob at bob@corp.com'],
    ['www.a-b.com', 'Post it to www.a-b.com.They sent it'],
    ['https://www.informations.com/', 'Read www.informations.com.'],
    ['www.informations.com', 'Read https://www.informations.com, please'],
    ['https://a.example/x?y=(1)', 'see (https://a.example/x?y=(1))'],
    ['+49 170 1234567', 'call +491701234567'],
    ['2025-01-11', 'on January 11th'],
    ['2025-01-11', 'on 11 January 2025'],
    ['2025-01-11T14:30:00', 'on January 11th at 2:30pm'],
    ['2025-01-09', 'tomorrow'],
    ['11 Jan 2025', 'on 2025-01-11'],
    ['2024-04-03', 'on 3/4/2024'],
    ['2024-04-03', 'on 03.04.2024'],
    [13, 'close #13'],
    [98.7, 'Total: 98.70'],
    [1234.5, 'pay $1,234.50 now'],
    [1234.5, 'zahle 1.234,50€'],
    [10, 'increased 10% this month'],
    ['/etc/hosts', 'show "/etc/hosts"'],
    ['re\u0301sume\u0301.pdf', 'open résumé.pdf'],
    ['张三', '请 给 张三 转账'],
    ['Bob', '给Bob转账'],
    ['', 'anything'],
    [null, 'anything'],
    ['true', 'set it to true'],
    ['12 May 2025', 'on 2025-05-12'],
    ['13', 'buy 13 apples'],
    ['2025-06-13', 'Termin am 13. Juni 2025'],
    ['2025-03-03', 'am 3. März'],
    ['2025-06-13T14:30:00', 'am 13. Juni 2025 um 14:30 Uhr'],
    ['2025-06-13', 'le 13 juin 2025'],
    ['2025-05-01', 'le 1er mai 2025'],
    ['2025-06-13', 'el 13 de junio de 2025'],
    ['équipe', 'Écris à l’équipe'],
    ['Anne', "le dossier d'Anne"],
    ['Ana', '¡Ana, ven!'],
    ['Ana', '¿Ana viene?'],
    ['Anna', 'Schreib ‚Anna‘'],
    ['42', 'le dossier n°42'],
    [42, 'pedido nº42'],
    [2500000, 'Überweise 2.500.000 Euro'],
    [1000, 'Zahle 1.000 €'],
    ['+491701234567', 'Ruf +49 (0)170 1234567 an'],
    ['3fa85f64-5717-4562-b3fc-2c963f66afa6', 'Delete 3FA85F64-5717-4562-B3FC-2C963F66AFA6'],
    ['BE68539007547034', 'Pay BE68 5390 0754 7034 500 EUR'],
    ['foo', 'Rename foo() to bar()'],
    ['ann', 'call pay(ann)'],
    ['/home/ann/my files', 'Delete "/home/ann/my files"'],
    ['git push', 'Run `git push` now'],
    ['src/a.ts', 'Run `npx tsc src/a.ts`'],
    ['it works', 'Reply "well, it works" to `Ann Lee`'],
    [1000, 'Verse 1 000 €'],
    [1500, 'Verse 1 500 euros'],
    ['C:\\temp\\', 'Delete C:\\temp\\ now'],
    ['my files/a.txt', 'Delete “my files/a.txt”'],
    ['src/a.ts', 'The error says "Cannot find the module src/a.ts here"'],
    ['git push', 'Run\n```sh\ngit add .\n$ git push\n```'],
    ['ann@a.example', 'Mail Ann(ann@a.example)'],
    ['ann@a.example; ', 'Mail ann@a.example'],
    ['2025-08-13T14:30', 'am 13. August 2025 um 14:30'],
    ['GB29NWBK60161331926819', 'Pay GB29-NWBK-6016-1331-9268-19.'],
    ['GB29NWBK60161331926819', 'Pay GB29.NWBK.6016.1331.9268.19, please'],
    ['2025-01-11', '(due:2025-01-11)'],
    ['2025-01-11', 'before 2025-01-11T10:00Z!'],
    ['2025-01-11', '在2025-01-11付款'],
    ['2025-01-11T10:00:00Z', 'at 2025-01-11T10:00+00:00'],
    ['2025-01-11T10:00:00+02:00', 'on January 11th at 10am'],
    ['2025-12-25', 'on 25.12.2025'],
    ['25.12.2025', 'on 2025-12-25'],
    ['25/12/2025', 'on December 25th'],
    ['11.01.2025', 'am 11.01.2025'],
    ['11.01.2025', 'on 11/01/2025'],
    ['12 500 €', 'Verse 12 500 €'],
    ['12 500', 'Verse 12 500 € à Anne'],
  ])('%j in %j', (argument, text) => {
    expect(stands(argument, text)).toBe(true);
  });

  test.each<[unknown, string]>([
    ['13', 'on June 13'],
    [13, 'the 13th of June 2024'],
    [13, 'on 2024-06-13'],
    ['2025-01-11T10:00:00+09:00', 'at 2025-01-11T10:00:00Z'],
    ['2025-01-11T10:00:00-08:00', 'at 2025-01-11T10:00:00+02:00'],
    ['2025-01-11T17:00:59', 'on January 11th at 5pm'],
    ['corp.com', 'bob@corp.com'],
    ['bob@corp.com', 'bob@corp.com.evil.com'],
    ['bob@corp.com', 'notbob@corp.com'],
    ['bob@corp.com', "o'bob@corp.com"],
    ['https://a.example', 'https://a.example/x'],
    ['https://a.example/x', 'https://a.example/x,y'],
    ['https://a.example/x', 'http://a.example/x'],
    ['https://a.example\\@evil.com', 'https://a.example'],
    ['https://a.example@evil.com', 'https://a.example'],
    ['https://evil.com#https://a.example', 'https://a.example'],
    ['/etc', '/etc/passwd'],
    ['passwd', '/etc/passwd'],
    ['1331', 'GB29 NWBK 6016 1331 9268 19'],
    [6016, 'GB29 NWBK 6016 1331 9268 19'],
    ['1234567', 'call +49 170 1234567'],
    ['Alice Bob', 'Bob and Alice'],
    ['alice', 'Alice'],
    ['al', 'Alice'],
    ['1', '1,000'],
    [1, '1,000'],
    ['000', '1,000'],
    [2, 'version 2.1'],
    ['7', '007'],
    ['GB29NWBK60161331926818', 'GB29NWBK60161331926819'],
    ['b\u043eb@corp.com', 'bob@corp.com'],
    ['bob\u200b@corp.com', 'bob@corp.com'],
    ['bob@corp.com', 'bob@corp.com\ufeffx'],
    ['bob@corp.com', 'bob@corp.com\u200b.evil.com'],
    ['ls\nrm x', 'ls rm x'],
    ['rm\u00a0x', 'rm x'],
    ['2025-01-12', 'on January 11th'],
    ['2026-01-11', 'on January 11th 2025'],
    ['2025-01-11T15:00:00', 'on January 11th at 2pm'],
    ['张', '张三丰'],
    [9007199254740992, 'id 9007199254740993'],
    ['bob@corp.com, evil@evil.com', 'bob@corp.com'],
    [true, 'yes'],
    ['12.5', 'on May 12'],
    ['3/4', 'on March 4th'],
    ['13', '6月13日'],
    ['13', 'am 13. Juni'],
    [13, 'le 13 juin'],
    ['13', 'el 13 de junio'],
    [13, '13 июня'],
    ['\u212aate', 'Kate'],
    ['2025-06-14', 'le 13 juin 2025'],
    ['2025-06-13', 'am 13. Juli 2025'],
    ['2026-06-13', 'el 13 de junio de 2025'],
    ['Artagnan', "Pay D'Artagnan"],
    ['Neil', "Pay O'Neil"],
    ['42', 'run°42'],
    [1, 'Zahle 1.000 €'],
    [1000, 'It weighs 1.000 kg'],
    [2.5, 'Überweise 2.500.000 Euro'],
    ['BE68539007547034500', 'Pay BE68 5390 0754 7034 500 EUR'],
    ['foo', 'Delete foo[1].txt'],
    ['foo', 'Delete foo(1).txt'],
    ['foo', 'Delete foo{a,b}'],
    ['.txt', 'Delete foo(1).txt'],
    ['https://a.example/x', 'Open https://a.example/x{id}'],
    ['files', 'Delete "/home/ann/my files"'],
    ['Documents/secret.txt', 'Delete "C:/Users/My Documents/secret.txt"'],
    ['b/c', "Delete '/a b/c d'"],
    ['rm -rf x', 'Explain `echo rm -rf x; ls`'],
    ['rm x', 'Explain `sudo -u ann rm x`'],
    ['rm x', 'Explain\n```\necho rm x\n```\n'],
    ['rm x', 'Explain ``echo rm x``'],
    ['https://a.example/x,', 'Open https://a.example/x'],
    ['https://a.example/x;', 'Open https://a.example/x'],
    [',https://a.example', 'Open https://a.example'],
    ['https://a.example\n;', 'Open https://a.example'],
    ['eve/x', "Delete /data/d'eve/x"],
    ['eve', "Delete /data/l'eve"],
    ['eve', "Delete note.d'eve"],
    ['12', 'Lis rue/n°12'],
    [12, 'Lis rue/n°12'],
    ['files/a', 'Delete ‘/home/ann/my files/a’'],
    ['files/a', 'Lösche „/home/ann/my files/a“'],
    ['files/a', 'Lösche ‚/home/ann/my files/a‘'],
    ['files/a', 'Supprime « /home/ann/my files/a »'],
    ['files/a', 'Delete:"/home/ann/my files/a"'],
    ['files/a', 'Delete ["/home/ann/my files/a", "b"]'],
    ['files/a', 'Delete path="/home/ann/my files/a"'],
    ['files/a.txt', 'Delete "my files/a.txt"'],
    ['files\\a.txt', "Delete 'my files\\a.txt'"],
    ['files/a', 'Delete /home/ann/my\\ files/a'],
    ['/home/ann/my\\', 'Delete /home/ann/my\\ files/a'],
    ['1', 'Delete foo(1).txt'],
    [1, 'Delete foo(1).txt'],
    ['b', 'Delete a{b,c}.txt'],
    ['c', 'Delete a{b,c}.txt'],
    ['old', 'Delete (old)a.txt'],
    [0, 'Verse 1 000 euros'],
    [1, 'Verse 1 000 euros'],
    [0, 'Keep 1 000 rows'],
    [1, 'Keep 1 000 rows'],
    [500, 'Verse 1 500 €'],
    [1, 'Verse 1 500 €'],
    [192168100200, 'Open 192.168.100.200'],
    ['2025-08-13T02:30', 'el 13 de agosto de 2025 a las 2:30 de la tarde'],
    ['2025-08-13T00:00', 'el 13 de agosto de 2025 a las 2:30 de la tarde'],
    ['2025-08-13T00:00', 'am 13. August 2025 um 14:30'],
    ['2025-01-11', 'Delete log-2025-01-11.txt'],
    ['2025-01-11', 'Delete /logs/2025-01-11'],
    ['2025-01-11', 'Read 2025-01-11.csv'],
    ['2025-01-11', 'Order A2025-01-11'],
    ['2025-01-11', 'Order 2025-01-11-b'],
    ['2025-01-11', 'Book 2025-01-11x'],
    ['2024-03-11', 'Book room_11 March 2024_b'],
    ['11.01.2025', 'on November 1 2025'],
    ['11.01.2025', 'on January 11 2025'],
    ['01/11/2025', 'on 2025-11-01'],
    ['3-4-2024', 'on March 4 2024'],
    ['12', 'Verse 12 500 €'],
    ['500', 'Verse 12 500 €'],
    ['500 €', 'Verse 12 500 €'],
    ['500 EUR', 'Verse 12 500,50 EUR'],
    ['GB29NWBK60161331926819', 'Pay GB29-NWBK-6016-1331-9268-19-X'],
    ['王小明', 'Pay 王小明\u0301'],
  ])('%j does not stand in %j', (argument, text) => {
    expect(stands(argument, text)).toBe(false);
  });

  test('a word is found wherever it stands on its own, and never within another', () => {
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}[A-Za-z0-9]$/);
    const around = fc.constantFrom(' ', '"', '(', ', ', '. ', '\n', '; ', '“', '|', "'");
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), around, word, (words, between, wanted) => {
        const text = words.join(between);
        expect(stands(wanted, text)).toBe(words.includes(wanted));
      }),
    );
  });

  test('what stands is a part of the text that letters do not continue', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '1', '.', ' ', ',', '-', '@', "'", 'é', '中', '\u200b'),
    });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (whole, from, length) => {
        const part = whole.slice(from % (whole.length + 1)).slice(0, 1 + (length % 6));
        if (!/[a-zé中1]/.test(part) || part !== part.trim() || !stands(part, whole)) return;
        const values = valuesOf(part);
        if (values.some(({ kind }) => kind !== 'text')) return;
        const wrapped = ` ${whole.normalize('NFC').replace(/\s+/g, ' ')} `;
        const places = [
          ...wrapped.matchAll(new RegExp(part.replace(/[.@-]/g, '\\$&').replace(/\s+/g, ' '), 'g')),
        ];
        const isFree = places.some(({ index }) => {
          const before = wrapped.charAt(index - 1);
          return !/[a-z1\u200b-]/.test(before) || /[中]/.test(part);
        });
        expect(isFree).toBe(true);
      }),
    );
  });

  test('an IBAN, an address and a number stand however they are written', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{4}\d{14}$/), (account) => {
        const digits = [...`${account}GB00`].map((letter) => Number.parseInt(letter, 36)).join('');
        const iban = `GB${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`;
        const groups = iban.replace(/.{4}(?=.)/g, '$& ');
        expect(stands(groups.toLowerCase(), `Pay ${iban}.`)).toBe(true);
        expect(stands(iban, `Pay ${groups}, please`)).toBe(true);
        expect(stands(`${iban.slice(0, -1)}x`, `Pay ${groups}`)).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (cents) => {
        const amount = cents / 100;
        const text = amount.toLocaleString('en-US', { minimumFractionDigits: 2 });
        expect(stands(amount, `the amount is ${text} now`)).toBe(true);
        expect(stands(amount + 1, `the amount is ${text} now`)).toBe(false);
      }),
    );
  });
});

test('a path stands below a folder, and does not climb out of it', () => {
  const below = (argument: string, text: string): boolean =>
    valuesOf(argument).every((value) => standsBelow(value, new ReadText(text, now)));
  expect(below('/data/in/a.csv', 'Clean up /data/in')).toBe(true);
  expect(below('/data/in/deep/a.csv', 'Clean up /data/in/')).toBe(true);
  expect(below('https://a.example/docs/x', 'Read https://a.example/docs/')).toBe(true);
  for (const path of [
    '/data/in/../x',
    '/data/in/./x',
    '/data/in//x',
    '/data/inner/x',
    '/data/x',
    '/data/in/%2e%2e/x',
    '/data/in/..\\x',
    '/data/in/.. /x',
    '/data/in/.../x',
    '/data/in/..;/x',
    '/data/in/$HOME',
    '/data/in/*',
    '/data/in/a b;c',
    '/data/in/`id`',
    '/data/in/a?x',
    "/data/in/a'",
    '/data/in/\uff0e\uff0e/x',
    '/data/in/a /etc',
    '/data/in/a, /etc',
    '/data/in/a,/etc',
    '/data/in/a -rf',
    '/data/in/a ~',
    '/data/in/{a,b}',
    '/data/in/\u202ex',
  ])
    expect(below(path, 'Clean up /data/in'), path).toBe(false);
  for (const url of [
    'https://a.example/docs/%2e%2e/x',
    'https://a.example/docs/%252e%252e/x',
    'https://a.example/docs/%25x',
    'https://a.example/docs/..;/x',
    'https://a.example.evil.com/docs/x',
    'https://a.example/docsx',
  ])
    expect(below(url, 'Read https://a.example/docs/'), url).toBe(false);
});

test('links, addresses and IBANs are found in a free text', () => {
  const found = (text: string): readonly string[] => valuesIn(text).map((value) => value.text);
  expect(
    found('See [it](https://evil.com/x), or www.b.example, c.io/y (d@e.org): GB29 NWBK 6016 1331 9268 19.'),
  ).toEqual(['https://evil.com/x', 'www.b.example', 'c.io/y', 'd@e.org', 'GB29 NWBK 6016 1331 9268 19']);
  expect(found('see evil。com or DE89.3704.0044.0532.0130.00')).toEqual([
    'evil.com',
    'DE89.3704.0044.0532.0130.00',
  ]);
  expect(found('see evil\u200b.com and evil．com/x')).toEqual(['evil.com', 'evil.com/x']);
  expect(found('{ data:x, file:y } 1.2.3 of localhost, a tel: none')).toEqual([]);
  expect(found('The file bill.txt, e.g. v1.2.3 of index.ts. It is and/or. So')).toEqual([]);
});

test.each([
  ['letters', 'a'],
  ['digits', '1'],
  ['at signs', '@'],
  ['dots', '.'],
  ['hash signs', '#'],
  ['colons and slashes', 'a://'],
  ['short names', 'a.'],
  ['grouped digits', '1.111'],
  ['groups of an IBAN', 'GB29 NWBK '],
  ['dates', 'June 13, '],
  ['words', 'word '],
  ['brackets', '('],
  ['URLs', 'https://a.example/x '],
  ['IP addresses', '1.1.1.1.'],
  ['Han', '中文'],
  ['quoted paths', '"a/b word" '],
  ['quoted commands', '`word a word` '],
])('a megabyte of %s is read in linear time', (_, unit) => {
  const cost = (size: number): number => {
    const text = unit.repeat(Math.ceil(size / unit.length));
    const begin = performance.now();
    const read = new ReadText(text, now);
    for (const argument of ['13', 13, 'a', '中', 'word', 'a@b.example', 'https://a.example/y', '2025-01-11'])
      for (const value of valuesOf(argument)) standsIn(value, read);
    valuesIn(text);
    return performance.now() - begin;
  };
  // The best of three: others use the machine, too.
  const best = (size: number): number => Math.min(cost(size), cost(size), cost(size));
  const small = Math.max(best(100_000), 20);
  expect(best(1_000_000)).toBeLessThan(small * 50);
});
