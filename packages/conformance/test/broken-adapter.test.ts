import { expect, test } from 'vitest';
import { families, runScenario } from '../src/index.ts';
import type { Fault } from './reference/faults.ts';
import { referenceHarness } from './reference/harness.ts';

/** Which rule catches which fault, by the beginning of its sentence. */
const caughtBy: Readonly<Record<Fault, string>> = {
  'drops a modified input': 'Modify of input: the tool runs with it',
  'does not check a modified input': 'Modify of input: it is checked by the schema',
  'runs blocked tools': 'Block: the tool does not run',
  'hides the reason of a block': 'Block: the tool does not run',
  'runs tools of failed hooks': 'a hook that throws before a call',
  'drops a modified output': 'AfterToolCall, Modify of output: the model reads',
  'swallows Retry': 'Retry of an output',
  'words tool errors its own way': 'a tool that throws: the run goes as without hooks',
  'asks hooks about invalid input': 'an input that does not fit the schema',
  'asks only about the first of parallel calls': 'each is decided for itself',
  'asks no hooks in a stream': 'Block: the tool does not run',
  'asks twice where attached twice': 'the same registry attached twice is asked once',
  'attaches the later registry inside': 'two registries nest: both are obeyed',
  'ignores hooks that come after attaching': 'a hook that comes later',
  'lets a run option displace the hooks': 'options of a single run',
  'adds an event where no hook is registered': 'with no hooks registered: the same requests',
  'streams the output before hooks saw it': 'an output replaced in TransformToolResult',
  'keeps the raw output in memory': 'an output replaced in AfterToolCall',
  'goes on after stop': 'Block with stop',
  'leaves a sibling unanswered': 'Block with stop',
  'takes every block for the result': 'a Block without stop is not the result',
  'ignores an abort': 'an abort while a hook is asked',
  'asks the model about a blocked prompt': 'Block: no model is called',
  'keeps a blocked prompt': 'Block: no model is called',
  'keeps the original of a rewritten prompt': 'Modify of prompt',
  'keeps context in memory': 'Modify of context: it is in every model call of this run',
  'tells context once a run': 'context from SessionStart',
  'forgets a run’s metadata': 'Modify of metadata',
  'never ends a session': 'a run without a session has its own',
  'starts a session for each run': "a session has the framework's id",
  'shares one context among sessions': 'runs at the same time keep their sessions',
  'leaves a bare tool unhooked': 'Block: it does not run, and the caller',
};

test.each(Object.entries(caughtBy))('an adapter that %s is caught by "%s…"', async (fault, rule) => {
  const scenario = scenarioOf(rule);
  const harness = referenceHarness(fault as Fault);
  const stream = fault === 'asks no hooks in a stream';
  await runScenario(scenario, referenceHarness(), { stream });
  await expect(runScenario(scenario, harness, { stream })).rejects.toThrow();
});

function scenarioOf(rule: string) {
  const found = families.flatMap(({ scenarios }) => scenarios).filter((one) => one.rule.startsWith(rule));
  if (found.length === 1 && found[0]) return found[0];
  throw new Error(`${found.length} rules begin with "${rule}".`);
}
