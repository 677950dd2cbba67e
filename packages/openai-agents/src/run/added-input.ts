import type { SdkState } from '../internals.ts';
import { ownToolUse } from '../tool/final-output.ts';

type AddInput = (this: SdkState, ...input: Parameters<SdkState['addInput']>) => void;

const adjusted: WeakSet<object> = new WeakSet();

/**
 * Users may add input to a paused run, unless its agent may end it with the output of a tool that waits. The SDK tells by
 * what the agent itself has said of its tools, so that is what it is shown; for all states of the class at once.
 */
export function allowInput(state: SdkState): void {
  const states: object = Object.getPrototypeOf(state);
  if (adjusted.has(states)) return;
  adjusted.add(states);
  const original: AddInput = Reflect.get(states, 'addInput');
  const value: AddInput = function addInput(...input) {
    const { _currentAgent: agent } = this;
    const { toolUseBehavior } = agent;
    try {
      agent.toolUseBehavior = ownToolUse(toolUseBehavior);
      original.apply(this, input);
    } finally {
      agent.toolUseBehavior = toolUseBehavior;
    }
  };
  Object.defineProperty(states, 'addInput', { value, configurable: true, writable: true });
}
