/** How a text was written out of sight. */
export type Encoding = 'base64' | 'hex';

/** A text in plain letters; nothing where it is none. */
export function decode(text: string, encoding: Encoding): string | undefined {
  const plain = bytesOf(text.replace(/\s+/g, ''), encoding);
  return plain !== undefined && /^[\t\n\r\x20-\x7e]+$/.test(plain) ? plain : undefined;
}

function bytesOf(text: string, encoding: Encoding): string | undefined {
  if (encoding === 'base64') {
    try {
      return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    } catch {
      return undefined;
    }
  }
  const digits = text.replace(/^0x/, '');
  if (!/^(?:[\da-f]{2})+$/i.test(digits)) return undefined;
  return digits.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
}
