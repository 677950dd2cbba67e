import type { ModelCall, Script, ScriptedModel } from '../../src/drive/scripted-model.ts';

/** The folders of an agent. */
export interface Folders {
  /** Its working directory. */
  readonly workspace: string;
  readonly home: string;
  /** Node's arguments for an MCP server named `stations`, if there is one. */
  readonly server?: readonly string[];
}

/** How to run a real agent against a model on loopback. */
export interface RealAgent {
  /** The path of its settings, in the home or the workspace. */
  readonly settings: (folders: Folders) => string;
  /** Its other settings. */
  readonly ownSettings: object;
  /** Its form of a hook. Default: Claude Code's. */
  readonly entry?: (command: string) => object;
  /** Its names of the moments at which it runs hooks. */
  readonly events: Readonly<Record<string, string>>;
  /** A call of its shell, given the tools that it offers. */
  readonly shell: (command: string, tools: readonly string[]) => ModelCall;
  /** A call of a tool of the MCP server. */
  readonly mcp: (tool: string, input: object, tools: readonly string[]) => ModelCall;
  readonly startModel: (script: Script) => Promise<ScriptedModel>;
  /** Writes the other files that it needs in its home. */
  readonly prepare?: (url: string, folders: Folders) => void;
  /** With `asks`, tools need an approval that nobody gives. Not every agent supports this. */
  readonly args: (prompt: string, asks: boolean, folders: Folders) => readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
}
