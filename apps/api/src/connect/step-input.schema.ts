import { z } from 'zod';
import { invalid, type ValidationIssue } from '../../../../domain/errors/api-errors.js';
import type { StepInput } from '../../../../domain/session/connect-step.js';
import { PRODUCTS } from '../../../../domain/link/products.js';
import { text } from '../schemas/text.schema.js';
import { toIssues } from '../http/input/validation-issues.js';

const MAX_ANSWER_LENGTH = 4_096;
const MAX_CHOICES = 1_000;
const id = text(1, 200);

/** The inputs of the step protocol. Source: connect 5, `Input`. */
const SHAPES: { [Kind in StepInput['kind']]: z.ZodType<Extract<StepInput, { kind: Kind }>> } = {
  select_institution: z.object({ kind: z.literal('select_institution'), institution_id: id }),
  form: z.object({ kind: z.literal('form'), values: z.record(id, text(0, MAX_ANSWER_LENGTH)) }),
  choice: z.object({ kind: z.literal('choice'), option_ids: z.array(id).max(MAX_CHOICES) }),
  otp: z.union([
    z.object({ kind: z.literal('otp'), resend: z.literal(true) }),
    z.object({ kind: z.literal('otp'), code: text(0, 256) }),
  ]),
  image: z.object({ kind: z.literal('image'), answer: text(0, MAX_ANSWER_LENGTH) }),
  redirect: z.object({ kind: z.literal('redirect'), cancel: z.literal(true) }),
  wait: z.object({ kind: z.literal('wait'), cancel: z.literal(true) }),
  select_accounts: z.object({
    kind: z.literal('select_accounts'),
    refs: z.array(id).max(MAX_CHOICES),
  }),
  consent: z.object({ kind: z.literal('consent'), granted: z.array(z.enum(PRODUCTS)) }),
  error: z.object({ kind: z.literal('error'), action: z.enum(['retry', 'choose_another']) }),
  back: z.object({ kind: z.literal('back') }),
};

/** Parses the input of any step. `checkStepInput` decides whether it fits the current step. */
export function readStepInput(given: {
  kind: string;
}): { input: StepInput } | { issues: ValidationIssue[] } {
  const schema = Object.hasOwn(SHAPES, given.kind)
    ? SHAPES[given.kind as StepInput['kind']]
    : undefined;
  if (schema === undefined)
    return {
      issues: [invalid(['body', 'input', 'kind'], 'There is no input of this kind.')],
    };
  const result = schema.safeParse(given, { reportInput: true });
  if (result.success) return { input: result.data };
  return {
    issues: toIssues('body', result.error).map(
      ({ location: [part = 'body', ...path], ...issue }) => ({
        ...issue,
        location: [part, 'input', ...path],
      }),
    ),
  };
}
