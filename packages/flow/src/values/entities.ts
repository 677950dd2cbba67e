/** Writes out the characters of HTML, of those that have names only the signs of addresses and links. */
export function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(colon|sol|period|commat|amp|quest|equals|num|lowbar|hyphen|plus));?/gi,
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
  quest: '?',
  equals: '=',
  num: '#',
  lowbar: '_',
  hyphen: '-',
  plus: '+',
};
