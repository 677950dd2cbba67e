// A command hook: the call as JSON on stdin, and on stdout what is to run instead.
import { text } from 'node:stream/consumers';

const { tool_input: input } = JSON.parse(await text(process.stdin));
const command = input.command.replace(/^(ls|grep)\b(?!.*--color)/, '$1 --color=never');
if (command !== input.command) {
  console.log(JSON.stringify({ hook_specific_output: { updated_input: { ...input, command } } }));
}
