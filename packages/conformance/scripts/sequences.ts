// Writes the events of each conversation, as the reference adapter fires them: `pnpm generate`.
import { writeFileSync } from 'node:fs';
import { conversations } from '../src/sequences/conversations.ts';
import { linesOf } from '../src/sequences/record.ts';
import { Stage } from '../src/stage.ts';
import { referenceHarness } from '../test/reference/harness.ts';

const texts: string[] = [];
for (const { name, play, leaveOut = [] } of conversations) {
  await using stage = new Stage(referenceHarness(), false);
  const events = stage.events();
  await play(stage);
  await stage.hooks.close();
  const lines = linesOf(events, { leaveOut }).map((line) => `    ${quoted(line)},\n`);
  texts.push(`  ${quoted(name)}: [\n${lines.join('')}  ],\n`);
}
writeFileSync(
  new URL('../src/sequences/expected.ts', import.meta.url),
  `/**
 * The expected events of each conversation, by name. Run \`pnpm generate\` to rebuild this file from the reference
 * adapter.
 */
export const sequences: { readonly [conversation: string]: readonly string[] } = {
${texts.join('')}};
`,
);

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
