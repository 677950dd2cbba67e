import { withTools } from '@hooks/language-model';
import { expect, test } from 'vitest';

const tool = { type: 'tool', toolName: 'read' };
const required = { type: 'required' };

test.each([
  [required, [], undefined],
  [tool, [], undefined],
  [tool, [{ name: 'write' }], undefined],
  [tool, [{ name: 'read' }], tool],
  [required, [{ name: 'write' }], required],
  [undefined, [], undefined],
])('a choice of %j stays only with a tool to choose among %j', (toolChoice, tools, left) => {
  const offered = [{ name: 'read' }, { name: 'write' }];
  expect(withTools({ temperature: 1, toolChoice, tools: offered }, tools)).toEqual({
    temperature: 1,
    toolChoice: left,
    tools,
  });
});
