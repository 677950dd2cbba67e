import * as z from 'zod';
import { messageOf } from '../error-message.ts';
import { knownGoFields } from '../model/fields.ts';
import { parseTemplate } from '../model/template.ts';
import { suggest } from './suggest.ts';

/** `provider/model`. */
export const modelName: z.ZodType<string> = z
  .string()
  .regex(/^[^/]+\/.+$/, 'expected provider/model, like openai/gpt-4o-mini');

/** A prompt: a valid template over existing fields. */
export const promptTemplate: z.ZodType<string> = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const wrong = (message: string): void => context.addIssue({ code: 'custom', message });
    try {
      const known = knownGoFields();
      for (const field of parseTemplate(text).fields) {
        if (!known.includes(field)) wrong(`unknown field .${field}; ${suggest(field, known)}`);
      }
    } catch (error) {
      wrong(`not a template: ${messageOf(error)}`);
    }
  });
