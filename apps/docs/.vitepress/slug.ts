/** The anchor of a heading, as GitHub makes it, so that a link works on the site and in the repository. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .trim()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
