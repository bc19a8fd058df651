import { z } from 'zod';
import { invalid, type ValidationIssue } from '../../../../domain/errors/api-errors.js';
import type { StepInput } from '../../../../domain/session/connect-step.js';
import { productName } from '../schemas/products.schema.js';
import { text } from '../schemas/text.schema.js';
import { toIssues } from '../http/input/validation-issues.js';

const MAX_ANSWER_LENGTH = 4_096;
const MAX_CHOICES = 1_000;
const id = text(1, 200);

/** The inputs of the step protocol. Source: connect 5, `Input`. */
const INPUTS = {
  select_institution: z
    .object({ kind: z.literal('select_institution'), institution_id: id })
    .meta({ id: 'ConnectSelectInstitutionInput' }),
  form: z
    .object({ kind: z.literal('form'), values: z.record(id, text(0, MAX_ANSWER_LENGTH)) })
    .meta({ id: 'ConnectFormInput' }),
  choice: z
    .object({ kind: z.literal('choice'), option_ids: z.array(id).max(MAX_CHOICES) })
    .meta({ id: 'ConnectChoiceInput' }),
  image: z
    .object({ kind: z.literal('image'), answer: text(0, MAX_ANSWER_LENGTH) })
    .meta({ id: 'ConnectImageInput' }),
  redirect: z
    .object({ kind: z.literal('redirect'), cancel: z.literal(true) })
    .meta({ id: 'ConnectRedirectInput' }),
  wait: z
    .object({ kind: z.literal('wait'), cancel: z.literal(true) })
    .meta({ id: 'ConnectWaitInput' }),
  select_accounts: z
    .object({ kind: z.literal('select_accounts'), refs: z.array(id).max(MAX_CHOICES) })
    .meta({ id: 'ConnectSelectAccountsInput' }),
  consent: z
    .object({ kind: z.literal('consent'), granted: z.array(productName) })
    .meta({ id: 'ConnectConsentInput' }),
  error: z
    .object({
      kind: z.literal('error'),
      action: z.enum(['retry', 'choose_another']).meta({ id: 'ConnectErrorInputAction' }),
    })
    .meta({ id: 'ConnectErrorInput' }),
  back: z.object({ kind: z.literal('back') }).meta({ id: 'ConnectBackInput' }),
};
const code = text(0, 256);
const SHAPES: { [Kind in StepInput['kind']]: z.ZodType<Extract<StepInput, { kind: Kind }>> } = {
  ...INPUTS,
  otp: z.union([
    z.object({ kind: z.literal('otp'), resend: z.literal(true) }),
    z.object({ kind: z.literal('otp'), code }),
  ]),
};

/** The documentation of an input: its alternatives have one kind each. */
export const stepInput = z
  .discriminatedUnion('kind', [
    ...(Object.values(INPUTS) as [typeof INPUTS.back]),
    z
      .object({
        kind: z.literal('otp'),
        code: code.optional(),
        resend: z.literal(true).optional().describe('Instead of a code: sends another one.'),
      })
      .meta({ id: 'ConnectOtpInput' }),
  ])
  .meta({
    id: 'ConnectStepInput',
    description: 'Its kind is that of the current step, or `back`.',
  });

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
