// Says at the end of `pnpm test` what was not run on this machine, and why: tests have it in their names.
import { globSync, readFileSync } from 'node:fs';

interface Results {
  readonly testResults: readonly { readonly assertionResults: readonly Test[] }[];
}

interface Test {
  readonly fullName: string;
  readonly status: string;
}

const files = globSync('{packages,apps,apps/examples}/*/.turbo/test-results.json');
const tests = files.flatMap((file) => {
  const { testResults }: Results = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ assertionResults }) => assertionResults);
});
const counts = new Map<string, number>();
for (const { fullName, status } of tests) {
  const reason = /\bnot run: (.*?)(?:\)(?: |$)|$)/.exec(fullName)?.[1];
  if (status !== 'passed' && status !== 'failed' && reason !== undefined)
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
}
for (const [reason, count] of counts)
  console.log(`${count} ${count === 1 ? 'test was' : 'tests were'} not run: ${reason}`);
const { HOOKS_RANDOM: times = '0.2', HOOKS_PART: part = '0' } = process.env;
if (Number(times) < 1)
  console.log(
    `Of samples, part ${part} was drawn: HOOKS_PART=${part} draws it again, HOOKS_RANDOM=1 draws all`,
  );
