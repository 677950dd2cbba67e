/** A value whose placeholders are numbered in the order in which they first stand in it. */
export function numbered<T>(value: T): T {
  const seen: string[] = [];
  const json = JSON.stringify(value).replace(/(\[REDACTED:[\w-]+#)([\da-f]{8})\]/g, (_, head, digest) => {
    if (!seen.includes(digest)) seen.push(digest);
    return `${head}${seen.indexOf(digest) + 1}]`;
  });
  return JSON.parse(json);
}
