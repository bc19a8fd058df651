import { z } from 'zod';
import {
  CONNECT_PROBLEMS,
  type ConnectProblemId,
} from '../../../../../domain/session/connect-problem.js';
import { linkError, product } from './link.model.js';
import { country } from './institution.model.js';
import { accountId, sessionId, timestamp } from './values.model.js';

/** Source: connect 4. */
export const connectInstitution = z
  .object({
    institution_id: z.string(),
    name: z.string(),
    country,
    domain: z.string().nullable(),
    color: z.string().nullable(),
    color_dark: z.string().nullable(),
    logo_url: z.string().nullable(),
    group: z.enum(['primary', 'secondary']),
    login: z.enum(['credentials', 'oauth', 'none']),
    health: z.enum(['operational', 'degraded', 'down']),
  })
  .meta({ id: 'ConnectInstitution' });

const base = z.object({
  id: z.string(),
  can_go_back: z.boolean(),
  message: z.string().nullable().describe("The bank's own message."),
  error: z
    .object({ code: z.string(), text: z.string() })
    .nullable()
    .describe('Why the last input was refused.'),
  attempts_left: z.int().nullable(),
  expires_at: timestamp.nullable(),
});
const step = <K extends string, S extends z.core.$ZodShape>(kind: K, fields: S) =>
  base.extend({ kind: z.literal(kind), ...fields });

const field = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(['text', 'password', 'email', 'tel', 'number', 'select']),
  required: z.boolean(),
  secret: z.boolean(),
  autocomplete: z.string(),
  max_length: z.int(),
  pattern: z.string().nullable(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).nullable(),
});
const selectable = z.object({
  ref: z.string(),
  name: z.string(),
  account_type: z.string(),
  account_mask: z.string().nullable(),
  balance: z.number().nullable(),
  currency: z.string().nullable(),
  selected: z.boolean(),
  locked: z.boolean(),
});

/** Source: connect 5. */
const steps = z
  .discriminatedUnion('kind', [
    step('select_institution', {}),
    step('form', {
      purpose: z.enum(['credentials', 'questions', 'details']),
      fields: z.array(field),
      help_url: z.string().nullable(),
      reset_url: z.string().nullable(),
    }),
    step('choice', {
      purpose: z.enum(['otp_device', 'option']),
      options: z.array(
        z.object({
          id: z.string(),
          label: z.string(),
          icon: z.enum(['sms', 'email', 'phone', 'app']).nullable(),
        }),
      ),
      max: z.int(),
    }),
    step('otp', {
      channel: z.enum(['sms', 'email', 'phone', 'app', 'other']),
      target: z.string().nullable(),
      length: z.int().nullable(),
      digits_only: z.boolean(),
      resend_after_seconds: z.number().nullable(),
    }),
    step('image', { image: z.string(), label: z.string(), description: z.string().nullable() }),
    step('redirect', { started: z.boolean() }),
    step('wait', {
      stage: z.enum(['connecting', 'waiting_for_approval', 'loading_accounts', 'finishing']),
      can_cancel: z.boolean(),
    }),
    step('select_accounts', {
      accounts: z.array(selectable),
      min: z.int(),
      max: z.int().nullable(),
      missing: z
        .array(
          z.object({
            ref: z
              .string()
              .nullable()
              .describe(
                'For `refs`: a chosen one is shared as soon as it can be read. Null = it cannot be chosen.',
              ),
            name: z.string().nullable().describe('Null = unknown.'),
            selected: z.boolean().describe('Without a `ref`: it was shared earlier and stays so.'),
          }),
        )
        .optional()
        .describe('Accounts that the bank cannot show now.'),
    }),
    step('consent', {
      products: z.array(
        z.object({
          product,
          reason: z.string().nullable(),
          required: z.boolean().describe('As requested by the session.'),
          granted: z.boolean(),
          locked: z
            .boolean()
            .describe(
              'Cannot be declined: it is required, needs permission, or was granted earlier.',
            ),
          already_granted: z
            .boolean()
            .describe('Granted in an earlier session; the input may omit it.'),
        }),
      ),
    }),
    step('success', {}),
    step('error', {
      error_id: z.enum(Object.keys(CONNECT_PROBLEMS) as [ConnectProblemId, ...ConnectProblemId[]]),
      displayed_message: z.string(),
      fault: z.enum(['user', 'institution', 'provider', 'service']),
      link_error: linkError.nullable(),
      actions: z.array(
        z.enum(['retry', 'choose_another', 'open_institution', 'connect_manually', 'exit']),
      ),
      institution_url: z.string().nullable(),
    }),
  ])
  .meta({ id: 'ConnectStep' });

const mode = z.enum(['link', 'relink']);

/** Source: connect 4, View. */
const viewFields = z.object({
  session_id: sessionId,
  mode,
  environment: z.enum(['sandbox', 'live']),
  expires_at: timestamp,
  seq: z.int(),
  app: z.object({ name: z.string(), logo_url: z.string().nullable() }),
  products: z.partialRecord(
    product,
    z.object({ required: z.boolean(), reason: z.string().nullable() }),
  ),
  countries: z.array(country),
  features: z.object({ connect_manually: z.boolean() }),
  theme: z.record(z.string(), z.unknown()).nullable(),
  redirect_uri: z.string().nullable(),
  institution: connectInstitution.nullable(),
  step: steps.nullable(),
  locale: z
    .string()
    .optional()
    .describe('Only for sessions of the compatibility layer: the requested language.'),
});
export const view = viewFields.meta({ id: 'ConnectView' });
export const openedView = viewFields
  .extend({ connect_token: z.string() })
  .meta({ id: 'OpenedConnectView' });

const completion = z
  .string()
  .nullable()
  .optional()
  .describe(
    'Only for hosted sessions: the address to which the hosted page redirects the browser.',
  );
export const exitResult = z.object({
  closed: z.literal(true),
  completion_redirect_uri: completion,
});

/** Source: connect 4, "Result of finish". */
export const sessionResult = z
  .object({
    mode,
    exchangeable_token: z.string().optional().describe('Only for a new link.'),
    confirmation_token: z
      .string()
      .optional()
      .describe(
        'Only for a relink whose session was continued without its token: the link changes when the back end exchanges it with `expected_customer_user_id`.',
      ),
    expires_in: z.int().optional(),
    public_token: z.string().optional().describe('Only for sessions of the compatibility layer.'),
    existing_link_id: z
      .string()
      .optional()
      .describe('Only if the session was for a new link and the user renewed an existing one.'),
    completion_redirect_uri: completion,
    session_id: sessionId,
    institution: connectInstitution.nullable(),
    accounts: z.array(
      z.object({
        account_id: accountId,
        account_type: z.string(),
        name: z.string(),
        account_mask: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ConnectResult' });
