import * as z from 'zod';
import { messageOf } from '../error-message.ts';
import { parseOverFields } from '../model/fields.ts';

/** `provider/model`. */
export const modelName: z.ZodType<string> = z
  .string()
  .regex(/^[^/]+\/.+$/, 'expected provider/model, like openai/gpt-4o-mini');

/** A prompt: a valid template over existing fields. */
export const promptTemplate: z.ZodType<string> = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    try {
      parseOverFields(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: `not a template: ${messageOf(error)}` });
    }
  });
