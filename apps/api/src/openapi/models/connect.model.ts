import { z } from 'zod';
import {
  CONNECT_PROBLEMS,
  type ConnectProblemId,
} from '../../../../../domain/session/connect-problem.js';
import { linkError, product } from './link.model.js';
import { country } from './institution.model.js';
import { linkSessionMode } from './link-session.model.js';
import { accountId, environment, money, sessionId, timestamp } from './values.model.js';

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
    group: z.enum(['primary', 'secondary']).meta({ id: 'ConnectInstitutionGroup' }),
    login: z.enum(['credentials', 'oauth', 'none']).meta({ id: 'ConnectLoginKind' }),
    health: z.enum(['operational', 'degraded', 'down']).meta({ id: 'InstitutionHealth' }),
  })
  .meta({ id: 'ConnectInstitution' });

const base = z.object({
  id: z.string(),
  can_go_back: z.boolean(),
  message: z.string().nullable().describe("The bank's own message."),
  error: z
    .object({ code: z.string(), text: z.string() })
    .meta({ id: 'ConnectStepError' })
    .nullable()
    .describe('Why the last input was refused.'),
  attempts_left: z.int().nullable(),
  expires_at: timestamp.nullable(),
});
const step = <K extends string, S extends z.core.$ZodShape>(id: string, kind: K, fields: S) =>
  base.extend({ kind: z.literal(kind), ...fields }).meta({ id });

const field = z
  .object({
    name: z.string(),
    label: z.string(),
    type: z
      .enum(['text', 'password', 'email', 'tel', 'number', 'select'])
      .meta({ id: 'ConnectFieldType' }),
    required: z.boolean(),
    secret: z.boolean(),
    autocomplete: z.string(),
    max_length: z.int(),
    pattern: z.string().nullable(),
    options: z
      .array(z.object({ value: z.string(), label: z.string() }).meta({ id: 'ConnectFieldOption' }))
      .nullable(),
  })
  .meta({ id: 'ConnectFormField' });
const selectable = z
  .object({
    ref: z.string(),
    name: z.string(),
    account_type: z.string(),
    account_mask: z.string().nullable(),
    balance: money.nullable(),
    currency: z.string().nullable(),
    selected: z.boolean(),
    locked: z.boolean(),
  })
  .meta({ id: 'ConnectSelectableAccount' });

/** Source: connect 5. */
const steps = z
  .discriminatedUnion('kind', [
    step('ConnectSelectInstitutionStep', 'select_institution', {}),
    step('ConnectFormStep', 'form', {
      purpose: z.enum(['credentials', 'questions', 'details']).meta({ id: 'ConnectFormPurpose' }),
      fields: z.array(field),
      help_url: z.string().nullable(),
      reset_url: z.string().nullable(),
    }),
    step('ConnectChoiceStep', 'choice', {
      purpose: z.enum(['otp_device', 'option']).meta({ id: 'ConnectChoicePurpose' }),
      options: z.array(
        z
          .object({
            id: z.string(),
            label: z.string(),
            icon: z
              .enum(['sms', 'email', 'phone', 'app'])
              .meta({ id: 'ConnectChoiceIcon' })
              .nullable(),
          })
          .meta({ id: 'ConnectChoiceOption' }),
      ),
      max: z.int(),
    }),
    step('ConnectOtpStep', 'otp', {
      channel: z.enum(['sms', 'email', 'phone', 'app', 'other']).meta({ id: 'ConnectOtpChannel' }),
      target: z.string().nullable(),
      length: z.int().nullable(),
      digits_only: z.boolean(),
      resend_after_seconds: z.number().nullable(),
    }),
    step('ConnectImageStep', 'image', {
      image: z.string(),
      label: z.string(),
      description: z.string().nullable(),
    }),
    step('ConnectRedirectStep', 'redirect', { started: z.boolean() }),
    step('ConnectWaitStep', 'wait', {
      stage: z
        .enum(['connecting', 'waiting_for_approval', 'loading_accounts', 'finishing'])
        .meta({ id: 'ConnectWaitStage' }),
      can_cancel: z.boolean(),
    }),
    step('ConnectSelectAccountsStep', 'select_accounts', {
      accounts: z.array(selectable),
      min: z.int(),
      max: z.int().nullable(),
      missing: z
        .array(
          z
            .object({
              ref: z
                .string()
                .nullable()
                .describe(
                  'For `refs`: a chosen one is shared as soon as it can be read. Null = it cannot be chosen.',
                ),
              name: z.string().nullable().describe('Null = unknown.'),
              selected: z
                .boolean()
                .describe('Without a `ref`: it was shared earlier and stays so.'),
            })
            .meta({ id: 'ConnectMissingAccount' }),
        )
        .optional()
        .describe('Accounts that the bank cannot show now.'),
    }),
    step('ConnectConsentStep', 'consent', {
      products: z.array(
        z
          .object({
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
          })
          .meta({ id: 'ConnectConsentProduct' }),
      ),
    }),
    step('ConnectSuccessStep', 'success', {}),
    step('ConnectErrorStep', 'error', {
      error_id: z
        .enum(Object.keys(CONNECT_PROBLEMS) as [ConnectProblemId, ...ConnectProblemId[]])
        .meta({ id: 'ConnectProblem' }),
      displayed_message: z.string(),
      fault: z.enum(['user', 'institution', 'provider', 'service']).meta({ id: 'ConnectFault' }),
      link_error: linkError.nullable(),
      actions: z.array(
        z
          .enum(['retry', 'choose_another', 'open_institution', 'connect_manually', 'exit'])
          .meta({ id: 'ConnectErrorAction' }),
      ),
      institution_url: z.string().nullable(),
    }),
  ])
  .meta({ id: 'ConnectStep' });

/** Source: connect 10. */
export const connectTheme = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ConnectTheme', description: 'The theme tokens of the session.' });

/** Source: connect 4, View. */
const viewFields = z.object({
  session_id: sessionId,
  mode: linkSessionMode,
  environment,
  expires_at: timestamp,
  seq: z.int(),
  app: z.object({ name: z.string(), logo_url: z.string().nullable() }).meta({ id: 'ConnectApp' }),
  products: z.partialRecord(
    product,
    z
      .object({ required: z.boolean(), reason: z.string().nullable() })
      .meta({ id: 'ConnectRequestedProduct' }),
  ),
  countries: z.array(country),
  features: z.object({ connect_manually: z.boolean() }).meta({ id: 'ConnectFeatures' }),
  theme: connectTheme.nullable(),
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
    mode: linkSessionMode,
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
      z
        .object({
          account_id: accountId,
          account_type: z.string(),
          name: z.string(),
          account_mask: z.string().nullable(),
        })
        .meta({ id: 'ConnectResultAccount' }),
    ),
  })
  .meta({ id: 'ConnectResult' });
