import { diffLines } from 'diff';
import { useState } from 'preact/hooks';
import { linesOf, type ValueLine } from './value-lines.ts';

const SHOWN = 200;

/** A recorded value, with a line for each part that hooks replaced. */
export function Value({
  value,
  replaced = [],
  label,
}: {
  readonly value: unknown;
  readonly replaced?: readonly string[];
  readonly label: string;
}) {
  return <Lines label={label} lines={linesOf(value, replaced)} />;
}

/** The differences between two recorded values. */
export function ValueDiff({
  before,
  after,
  label,
}: {
  readonly before: unknown;
  readonly after: unknown;
  readonly label: string;
}) {
  const text = (value: unknown): string =>
    linesOf(value, [])
      .map((line) => line.indent + line.text)
      .join('\n');
  const lines: ValueLine[] = diffLines(`${text(before)}\n`, `${text(after)}\n`).flatMap(
    ({ value, added, removed }) =>
      value
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => ({ indent: '', text: line, sign: added ? '+' : removed ? '−' : '' }) as const),
  );
  return <Lines label={label} lines={lines} />;
}

function Lines({ lines, label }: { readonly lines: readonly ValueLine[]; readonly label: string }) {
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(0, SHOWN);
  const signed = lines.some(({ sign }) => sign !== '');
  return (
    <div class={`value ${signed ? 'signed' : ''}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to for the keyboard too */}
      <div class="lines" role="group" aria-label={withCodes(label)} tabIndex={0}>
        <pre>
          {shown.map(({ indent, text, sign, isText }, index) => (
            <span key={index} class={`line ${SIGNS[sign]}`}>
              {signed && <span class="sign">{sign || ' '}</span>}
              {sign === '+' && <span class="hidden">added: </span>}
              {sign === '−' && <span class="hidden">removed: </span>}
              {indent}
              <span class={isText ? 'text' : undefined}>
                <Text text={text} />
              </span>
              {'\n'}
            </span>
          ))}
        </pre>
      </div>
      {lines.length > shown.length && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          Show all {lines.length.toLocaleString('en-GB')} lines
        </button>
      )}
    </div>
  );
}

const SIGNS = { '': '', '+': 'added', '−': 'removed' } as const;

/**
 * Characters that nobody sees, or that change how others look, as in the tables of `hooks approvals`. Shown as codes, so that an input
 * cannot look like another.
 */
const UNSEEN =
  /((?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs})/u;

export function Text({ text }: { readonly text: string }) {
  const parts = text.split(UNSEEN);
  if (parts.length === 1) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span key={index} class="unseen">
            {codeOf(part)}
          </span>
        ),
      )}
    </>
  );
}

/** The same where there can be nothing but text: in a list to choose from, or a label. */
export function withCodes(text: string): string {
  return text
    .split(UNSEEN)
    .map((part, index) => (index % 2 === 0 ? part : codeOf(part)))
    .join('');
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
