import type { Approver, Hooks } from '@hooks/core';
import { sharedOptions } from '@hooks/core/adapter';
import { needed, type OptionChecks, optionCheck, optionKinds } from '@hooks/core/options';

/** Options of both {@link proxy} and {@link gateway}. */
export interface CommonOptions {
  /** Decide about every tool call and its result. */
  readonly hooks: Hooks;
  /** Answers approvals if the client cannot show a form. Without it, such calls are denied. */
  readonly approval?: Approver | undefined;
  /** Event types that may have hooks although they never fire here. */
  readonly allowUnsupported?: readonly string[] | undefined;
  /** Called with warnings for the operator. Default: writes to stderr. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

export const OF_ALL: OptionChecks<CommonOptions> = {
  hooks: needed(
    optionCheck('a registry (createHooks)', (value) => typeof Object(value).dispatch === 'function'),
  ),
  approval: optionKinds.callback,
  allowUnsupported: sharedOptions.allowUnsupported,
  onWarning: optionKinds.callback,
};

/** Warns the operator. What the other side says stays on its line and does not control the terminal. */
export function warningsTo(onWarning: CommonOptions['onWarning']): (text: string) => void {
  const warn = onWarning ?? ((text) => process.stderr.write(`hooks mcp: ${text}\n`));
  return (text) => void warn(visible(text).slice(0, LONGEST_WARNING));
}

const LONGEST_WARNING = 2_000;

/** Makes hidden characters visible: control characters, and those that reverse text. */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}
