export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
