export { type CommandRunner, type CommandRunnerOptions, createCommandRunner } from './command/runner.ts';
export type { CommandRequest, CommandResult } from './command/execute.ts';
