import { families, runScenario } from '@hooks/conformance';
import { harness } from './harness.ts';

const rules = families.flatMap((family) => family.scenarios);
const block = rules.find(({ rule }) =>
  rule.startsWith('Block: the tool does not run'),
);
if (block) await runScenario(block, harness, { stream: true });
