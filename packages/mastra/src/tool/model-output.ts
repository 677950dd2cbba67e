import { canonicalJson } from '@hooks/core/adapter';

type ToModelOutput = (output: unknown) => unknown;

/** How many outputs of a tool are kept. Mastra asks for the model's form of an output when its call is over. */
const KEPT = 1000;

/**
 * The outputs that other tools gave for calls of a tool, because a hook renamed them. They are known by what they say: Mastra
 * does not tell of which call an output is, and may have copied it.
 */
export class ForeignOutputs {
  readonly #known: string[] = [];

  note(output: unknown): void {
    this.#known.push(textOf(output));
    if (this.#known.length > KEPT) this.#known.shift();
  }

  /** The tool's `toModelOutput`, for its own outputs. Of another tool's, the model reads the output as it is. */
  withoutThese(own: ToModelOutput): ToModelOutput {
    return (output) => {
      const at = this.#known.length === 0 ? -1 : this.#known.indexOf(textOf(output));
      if (at < 0) return own(output);
      this.#known.splice(at, 1);
      return undefined;
    };
  }
}

function textOf(output: unknown): string {
  try {
    return canonicalJson(output);
  } catch {
    return String(output);
  }
}
