import type { ModelCall, Script, ScriptedModel } from '../model/scripted-model.ts';

/** Where an agent is started. */
export interface Folders {
  /** Its working directory. */
  readonly workspace: string;
  readonly home: string;
  /** The arguments of Node for an MCP server named `stations`, if there is one. */
  readonly server?: readonly string[];
}

/** How a real agent is started against a model on the loopback. */
export interface RealAgent {
  /** Where it reads its hooks, below the home or the workspace. */
  readonly settings: (folders: Folders) => string;
  /** What stands there beside the hooks. */
  readonly ownSettings: object;
  /** What it calls the moments at which it asks hooks. */
  readonly events: Readonly<Record<string, string>>;
  /** The call of its shell, given the tools that it offers. */
  readonly shell: (command: string, tools: readonly string[]) => ModelCall;
  /** The call of a tool of the MCP server. */
  readonly mcp: (tool: string, input: object, tools: readonly string[]) => ModelCall;
  readonly startModel: (script: Script) => Promise<ScriptedModel>;
  /** Writes what else it has to find in its home. */
  readonly prepare?: (url: string, folders: Folders) => void;
  /** Where the agent `asks`, tools need an approval, and nobody is there to give it; not in every agent. */
  readonly args: (prompt: string, asks: boolean, folders: Folders) => readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
}
