/**
 * Writes out the characters of HTML, of those that have names only the signs of addresses and links. A name needs its
 * semicolon: `?q=x&num=10` has none.
 */
export function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#0*(\d{1,7});?|#x0*([\da-f]{1,6});?|(colon|sol|period|commat|amp|lt|gt|quest|equals|num|lowbar|hyphen|dash|plus);)/gi,
    (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    },
  );
}

const NAMED: { readonly [entity: string]: string } = {
  colon: ':',
  sol: '/',
  period: '.',
  commat: '@',
  amp: '&',
  lt: '<',
  gt: '>',
  quest: '?',
  equals: '=',
  num: '#',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  plus: '+',
};
