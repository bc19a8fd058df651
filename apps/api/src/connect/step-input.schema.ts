import { z } from 'zod';
import { invalid, type ValidationIssue } from '../../../../domain/errors/api-errors.js';
import type { StepInput } from '../../../../domain/session/connect-step.js';
import { productName } from '../schemas/products.schema.js';
import { text } from '../schemas/text.schema.js';
import { OWN_MESSAGES } from '../schemas/issue-messages.js';
import { toIssues } from '../http/input/validation-issues.js';

const MAX_ANSWER_LENGTH = 4_096;
const MAX_CHOICES = 1_000;
const id = text(1, 200);
const kind = <Kind extends string>(name: Kind) =>
  z.literal(name).describe('The kind of input, which is that of the step.');

/** The inputs of the step protocol. Source: connect 5, `Input`. */
const INPUTS = {
  select_institution: z
    .object({
      kind: kind('select_institution'),
      institution_id: id.describe('The chosen institution.'),
    })
    .meta({ id: 'ConnectSelectInstitutionInput', description: 'The chosen institution.' }),
  form: z
    .object({
      kind: kind('form'),
      values: z
        .record(id, text(0, MAX_ANSWER_LENGTH))
        .describe('Values by the names of their fields.'),
    })
    .meta({ id: 'ConnectFormInput', description: 'The values of a form.' }),
  choice: z
    .object({
      kind: kind('choice'),
      option_ids: z.array(id).max(MAX_CHOICES).describe('The ids of the chosen options.'),
    })
    .meta({ id: 'ConnectChoiceInput', description: 'The chosen options.' }),
  image: z
    .object({
      kind: kind('image'),
      answer: text(0, MAX_ANSWER_LENGTH).describe('The answer.'),
    })
    .meta({ id: 'ConnectImageInput', description: 'The answer to a picture.' }),
  redirect: z
    .object({
      kind: kind('redirect'),
      cancel: z.literal(true).describe('Returns to the step before.'),
    })
    .meta({ id: 'ConnectRedirectInput', description: 'Ends the redirect.' }),
  wait: z
    .object({
      kind: kind('wait'),
      cancel: z.literal(true).describe('Returns to the step before.'),
    })
    .meta({ id: 'ConnectWaitInput', description: 'Ends the wait.' }),
  select_accounts: z
    .object({
      kind: kind('select_accounts'),
      refs: z.array(id).max(MAX_CHOICES).describe('The `ref` of each account that is shared.'),
    })
    .meta({ id: 'ConnectSelectAccountsInput', description: 'The shared accounts.' }),
  consent: z
    .object({
      kind: kind('consent'),
      granted: z.array(productName).describe('The products that are granted.'),
    })
    .meta({ id: 'ConnectConsentInput', description: 'The granted products.' }),
  error: z
    .object({
      kind: kind('error'),
      action: z
        .enum(['retry', 'choose_another'])
        .meta({ id: 'ConnectErrorInputAction', description: 'A way on that the service takes.' })
        .describe('The way on.'),
    })
    .meta({ id: 'ConnectErrorInput', description: 'The way on from a problem.' }),
  back: z
    .object({ kind: kind('back') })
    .meta({ id: 'ConnectBackInput', description: 'Returns to the step before.' }),
};
const code = text(0, 256);
const SHAPES: { [Kind in StepInput['kind']]: z.ZodType<Extract<StepInput, { kind: Kind }>> } = {
  ...INPUTS,
  otp: z.union([
    z.object({ kind: kind('otp'), resend: z.literal(true) }),
    z.object({ kind: kind('otp'), code }),
  ]),
};

/** The documentation of an input: its alternatives have one kind each. */
export const stepInput = z
  .discriminatedUnion('kind', [
    ...(Object.values(INPUTS) as [typeof INPUTS.back]),
    z
      .object({
        kind: kind('otp'),
        code: code.optional().describe('The code.'),
        resend: z.literal(true).optional().describe('Instead of a code: sends another one.'),
      })
      .meta({ id: 'ConnectOtpInput', description: 'A code, or the request for another one.' }),
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
  const result = schema.safeParse(given, OWN_MESSAGES);
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
