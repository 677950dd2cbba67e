import type { ModelCall, Script, ScriptedModel } from '../model/scripted-model.ts';

/** Where an agent is started. */
export interface Folders {
  /** Its working directory. */
  readonly workspace: string;
  readonly home: string;
}

/** How a real agent is started against a model on the loopback. */
export interface RealAgent {
  /** Where it reads its hooks, below the home or the workspace. */
  readonly settings: (folders: Folders) => string;
  /** What stands there beside the hooks. */
  readonly ownSettings: object;
  readonly events: readonly string[];
  /** The call of its shell, given the tools that it offers. */
  readonly shell: (command: string, tools: readonly string[]) => ModelCall;
  readonly startModel: (script: Script) => Promise<ScriptedModel>;
  /** Writes what else it has to find in its home. */
  readonly prepare?: (url: string, folders: Folders) => void;
  readonly args: (prompt: string) => readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
}
