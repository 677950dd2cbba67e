import * as z from 'zod';
import { storeText } from '../file/hook.ts';

const names: z.ZodType<readonly string[]> = z.array(z.string().min(1)).min(1);
const path = z.string().regex(/^[^.]+(?:\.[^.]+)*$/, 'expected a path, such as items.id');
const paths: z.ZodType<readonly string[]> = z.array(path).min(1);

/** Nothing in it would have no effect, or, in `sinks`, guard nothing. */
export function notEmpty<Value extends object>(
  schema: z.ZodType<Value>,
  expected = 'an entry',
): z.ZodType<Value> {
  return schema.refine((value) => Object.keys(value).length > 0, `it is empty; expected ${expected}`);
}

const source: z.ZodType<FlowSource> = z.union(
  [z.enum(['trusted', 'untrusted', 'ifc_labels']), z.strictObject({ trusted: paths })],
  'expected trusted, untrusted, ifc_labels, or { trusted: [paths] }',
);

const sink: z.ZodType<FlowSink> = z.union(
  [
    z.literal('untouched'),
    z
      .strictObject({
        from: paths.exactOptional(),
        below: paths.exactOptional(),
        text: paths.exactOptional(),
        untouched: z.literal(true).exactOptional(),
      })
      .refine((value) => Object.keys(value).length > 0, 'expected from, below, text or untouched'),
  ],
  'expected untouched, or { from: [paths], below: [paths], text: [paths], untouched: true }',
);

/** `flow:` of a file. */
export const flowSchema: z.ZodType<FlowArguments> = z
  .strictObject({
    sources: notEmpty(z.record(z.string().min(1), source)).exactOptional(),
    sinks: notEmpty(z.record(z.string().min(1), sink)).exactOptional(),
    otherwise: z.enum(['ask', 'deny', 'report']).exactOptional(),
    store: storeText.exactOptional(),
    trusted_servers: names.exactOptional(),
    known_read_only: names.exactOptional(),
    ignore: notEmpty(z.record(z.string().min(1), paths)).exactOptional(),
  })
  .superRefine(({ sinks, ...known }, context) => {
    for (const field of ['trusted_servers', 'known_read_only', 'ignore'] as const)
      if (sinks !== undefined && known[field] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [field],
          message: 'it has no effect with sinks, which say what is checked; leave out one',
        });
  });

/** What `flow:` of a file has. */
export interface FlowArguments {
  readonly sources?: Readonly<Record<string, FlowSource>>;
  readonly sinks?: Readonly<Record<string, FlowSink>>;
  readonly otherwise?: 'ask' | 'deny' | 'report';
  /** A file, relative to the working directory; under `hooks run`, to the file of hooks. */
  readonly store?: string;
  readonly trusted_servers?: readonly string[];
  readonly known_read_only?: readonly string[];
  readonly ignore?: Readonly<Record<string, readonly string[]>>;
}

type FlowSource = 'trusted' | 'untrusted' | 'ifc_labels' | { readonly trusted: readonly string[] };

type FlowSink =
  | 'untouched'
  | {
      readonly from?: readonly string[];
      readonly below?: readonly string[];
      readonly text?: readonly string[];
      readonly untouched?: true;
    };
