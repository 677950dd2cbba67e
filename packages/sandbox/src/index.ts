export type { ExecuteOptions, SandboxCommand, SandboxCommandOptions, SandboxOutput } from './command.ts';
export { SandboxError, type SandboxErrorCode } from './error.ts';
export { type LocalSandboxOptions, localSandbox } from './local/local-sandbox.ts';
export type { SandboxProvider, SandboxSession } from './provider.ts';
export { type FormatOptions, formatResult, type SandboxResult } from './result.ts';
export { type RouteCommandsOptions, routeCommands } from './route-commands.ts';
export { type RoutedCommand, type RouteToOptions, routeTo } from './route-to.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
export { DEFAULT_RESOURCES, type SandboxResources, type SandboxSpec, type SandboxWorkspace } from './spec.ts';
