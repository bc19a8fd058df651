import { z } from 'zod';
import {
  CONNECT_PROBLEMS,
  type ConnectProblemId,
} from '../../../../../domain/session/connect-problem.js';
import { linkError, product } from './link.model.js';
import { country } from './institution.model.js';
import { announcedOutcome, linkSessionMode } from './link-session.model.js';
import { accountId, environment, money, sessionId, timestamp } from './values.model.js';

/** Source: connect 4. */
export const connectInstitution = z
  .object({
    institution_id: z.string().describe('A readable id, such as `sandbox-oauth-bank`.'),
    name: z.string().describe('As its customers know it.'),
    country,
    domain: z.string().nullable().describe('The domain of its website.'),
    color: z.string().nullable().describe('The color of its brand on light backgrounds.'),
    color_dark: z.string().nullable().describe('The color of its brand on dark backgrounds.'),
    logo_url: z.string().nullable().describe('The address of its logo at this service.'),
    group: z
      .enum(['primary', 'secondary'])
      .meta({ id: 'ConnectInstitutionGroup', description: 'The rank of an institution in a list.' })
      .describe('`primary` ones are shown before others.'),
    login: z
      .enum(['credentials', 'oauth', 'none'])
      .meta({ id: 'ConnectLoginKind', description: 'The way in which users sign in.' })
      .describe('How its users sign in.'),
    health: z
      .enum(['operational', 'degraded', 'down'])
      .meta({ id: 'InstitutionHealth', description: 'Whether logins succeed at the moment.' })
      .describe('Whether logins succeed at the moment.'),
  })
  .meta({ id: 'ConnectInstitution', description: 'An institution as Connect shows it.' });

const base = z.object({
  id: z.string().describe('The id of the step, which changes with each step.'),
  can_go_back: z.boolean().describe('The input `back` is accepted.'),
  message: z.string().nullable().describe("The bank's own message."),
  error: z
    .object({
      code: z.string().describe('The reason, for programs.'),
      text: z.string().describe('The reason, for the user.'),
    })
    .meta({ id: 'ConnectStepError', description: 'Why the last input was refused.' })
    .nullable()
    .describe('Why the last input was refused.'),
  attempts_left: z.int().nullable().describe('The inputs that are left; null = without a limit.'),
  expires_at: timestamp.nullable().describe('When the step ends; null = with the session.'),
});
const step = <K extends string, S extends z.core.$ZodShape>(id: string, kind: K, fields: S) =>
  base.extend({ kind: z.literal(kind).describe('The kind of screen.'), ...fields }).meta({ id });

const field = z
  .object({
    name: z.string().describe('The name of the value in the input.'),
    label: z.string().describe('For the user.'),
    type: z
      .enum(['text', 'password', 'email', 'tel', 'number', 'select'])
      .meta({ id: 'ConnectFieldType', description: 'The kind of field, as HTML names it.' })
      .describe('The kind of field.'),
    required: z.boolean().describe('It must not be empty.'),
    secret: z.boolean().describe('The text is hidden.'),
    autocomplete: z.string().describe('A value of the HTML attribute `autocomplete`.'),
    max_length: z.int().describe('The characters that it accepts.'),
    pattern: z
      .string()
      .nullable()
      .describe('A regular expression that the whole value matches; null = any text.'),
    options: z
      .array(
        z
          .object({
            value: z.string().describe('The value for the input.'),
            label: z.string().describe('For the user.'),
          })
          .meta({ id: 'ConnectFieldOption', description: 'A choice of a field.' }),
      )
      .nullable()
      .describe('The choices of a `select`; null for other fields.'),
  })
  .meta({ id: 'ConnectFormField', description: 'A field of a form.' });
const selectable = z
  .object({
    ref: z.string().describe('The name of the account in the input.'),
    name: z.string().describe('As the institution names it.'),
    account_type: z.string().describe('A kind and a type, such as `depository.checking`.'),
    account_mask: z.string().nullable().describe('Trailing digits of the account number.'),
    balance: money.nullable().describe('The balance; null = unknown.'),
    currency: z.string().nullable().describe('The currency of the balance.'),
    selected: z.boolean().describe('Preselected.'),
    locked: z.boolean().describe('Cannot be deselected.'),
  })
  .meta({ id: 'ConnectSelectableAccount', description: 'An account that the user may share.' });

/** Source: connect 5. */
const steps = z
  .discriminatedUnion('kind', [
    step('ConnectSelectInstitutionStep', 'select_institution', {}),
    step('ConnectFormStep', 'form', {
      purpose: z
        .enum(['credentials', 'questions', 'details'])
        .meta({ id: 'ConnectFormPurpose', description: 'The purpose of a form.' })
        .describe('What the fields are for.'),
      fields: z.array(field).describe('The fields, in their order.'),
      help_url: z.string().nullable().describe('A page of the institution that helps.'),
      reset_url: z.string().nullable().describe('A page of the institution for a new password.'),
    }),
    step('ConnectChoiceStep', 'choice', {
      purpose: z
        .enum(['otp_device', 'option'])
        .meta({ id: 'ConnectChoicePurpose', description: 'The purpose of a choice.' })
        .describe('What is chosen.'),
      options: z.array(
        z
          .object({
            id: z.string().describe('The id of the option in the input.'),
            label: z.string().describe('For the user.'),
            icon: z
              .enum(['sms', 'email', 'phone', 'app'])
              .meta({ id: 'ConnectChoiceIcon', description: 'A picture of an option.' })
              .nullable()
              .describe('A picture for it; null = none.'),
          })
          .meta({ id: 'ConnectChoiceOption', description: 'An option that can be chosen.' }),
      ),
      max: z.int().describe('The number of options that may be chosen.'),
    }),
    step('ConnectOtpStep', 'otp', {
      channel: z
        .enum(['sms', 'email', 'phone', 'app', 'other'])
        .meta({ id: 'ConnectOtpChannel', description: 'The way of a code to the user.' })
        .describe('How the code reaches the user.'),
      target: z.string().nullable().describe('The masked number or address that it is sent to.'),
      length: z.int().nullable().describe('The characters of the code; null = unknown.'),
      digits_only: z.boolean().describe('The code consists of digits.'),
      resend_after_seconds: z
        .number()
        .nullable()
        .describe('The wait before another code can be sent; null = none can.'),
    }),
    step('ConnectImageStep', 'image', {
      image: z.string().describe('A `data:` URL of a PNG or JPEG.'),
      label: z.string().describe('The question about the picture.'),
      description: z.string().nullable().describe('The picture in words.'),
    }),
    step('ConnectRedirectStep', 'redirect', {
      started: z.boolean().describe('The user is at the institution.'),
    }),
    step('ConnectWaitStep', 'wait', {
      stage: z
        .enum(['connecting', 'waiting_for_approval', 'loading_accounts', 'finishing'])
        .meta({ id: 'ConnectWaitStage', description: 'What the user waits for.' })
        .describe('What is going on.'),
      can_cancel: z.boolean().describe('The input `cancel` is accepted.'),
    }),
    step('ConnectSelectAccountsStep', 'select_accounts', {
      accounts: z.array(selectable).describe('The accounts, in the order of the institution.'),
      min: z.int().describe('The number of accounts to choose at least.'),
      max: z.int().nullable().describe('The number of accounts to choose at most; null = all.'),
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
            .meta({
              id: 'ConnectMissingAccount',
              description: 'An account that the bank cannot show now.',
            }),
        )
        .optional()
        .describe('Accounts that the bank cannot show now.'),
    }),
    step('ConnectConsentStep', 'consent', {
      products: z
        .array(
          z
            .object({
              product: product.describe('The product.'),
              reason: z.string().nullable().describe('The reason that the app gives; null = none.'),
              required: z.boolean().describe('As requested by the session.'),
              granted: z.boolean().describe('Preselected.'),
              locked: z
                .boolean()
                .describe(
                  'Cannot be declined: it is required, needs permission, or was granted earlier.',
                ),
              already_granted: z
                .boolean()
                .describe('Granted in an earlier session; the input may omit it.'),
            })
            .meta({
              id: 'ConnectConsentProduct',
              description: 'A product that the user may grant.',
            }),
        )
        .describe('The products that the session asks for.'),
    }),
    step('ConnectSuccessStep', 'success', {}),
    step('ConnectErrorStep', 'error', {
      error_id: z
        .enum(Object.keys(CONNECT_PROBLEMS) as [ConnectProblemId, ...ConnectProblemId[]])
        .meta({ id: 'ConnectProblem', description: 'Why linking stopped.' })
        .describe('The problem, for programs.'),
      displayed_message: z.string().describe('The problem, for the user.'),
      fault: z
        .enum(['user', 'institution', 'provider', 'service'])
        .meta({ id: 'ConnectFault', description: 'The party at which a problem lies.' })
        .describe('The party at which it lies.'),
      link_error: linkError.nullable().describe('The error of the link, if it has one now.'),
      actions: z
        .array(
          z
            .enum(['retry', 'choose_another', 'open_institution', 'connect_manually', 'exit'])
            .meta({ id: 'ConnectErrorAction', description: 'A way on from a problem.' }),
        )
        .describe('The ways on.'),
      institution_url: z
        .string()
        .nullable()
        .describe('The page of the institution that solves it.'),
    }),
  ])
  .meta({ id: 'ConnectStep', description: 'The screen that the user is at.' });

/** Source: connect 10. */
export const connectTheme = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ConnectTheme', description: 'The theme tokens of the session.' });

const connectApp = z
  .object({
    name: z.string().describe('The name of the app.'),
    logo_url: z.string().nullable().describe('The address of its logo.'),
  })
  .meta({ id: 'ConnectApp', description: 'The app that asks for access.' });

/** Source: connect 4, View. */
const viewFields = z.object({
  session_id: sessionId,
  mode: linkSessionMode.describe('For a new link, or for an existing one.'),
  environment: environment.describe('Sandbox or Live.'),
  expires_at: timestamp.describe('The end of the session unless the user goes on.'),
  seq: z.int().describe('Grows with each change of the step; inputs name it.'),
  app: connectApp.describe('The app that asks.'),
  products: z
    .partialRecord(
      product,
      z
        .object({
          required: z.boolean().describe('The user cannot decline it.'),
          reason: z.string().nullable().describe('The reason that the app gives; null = none.'),
        })
        .meta({
          id: 'ConnectRequestedProduct',
          description: 'A product that the session asks for.',
        }),
    )
    .describe('The products that the session asks for.'),
  countries: z.array(country).describe('The countries of the institutions, in their order.'),
  features: z
    .object({
      connect_manually: z.boolean().describe('It offers a way for users whose bank is missing.'),
    })
    .meta({ id: 'ConnectFeatures', description: 'What the session offers.' })
    .describe('What the session offers.'),
  theme: connectTheme.nullable().describe('The look of Connect; only in the first view.'),
  redirect_uri: z.string().nullable().describe('The page to which institutions return the user.'),
  institution: connectInstitution.nullable().describe('The chosen institution; null until then.'),
  step: steps.nullable().describe('The screen that the user is at; null once the session is over.'),
  locale: z
    .string()
    .optional()
    .describe('Only for sessions of the compatibility layer: the requested language.'),
});
export const view = viewFields.meta({
  id: 'ConnectView',
  description: 'A session of Connect, as its page shows it.',
});
export const openedView = viewFields
  .extend({ connect_token: z.string().describe('The token of the further calls.') })
  .meta({
    id: 'OpenedConnectView',
    description: 'The view of a session that was just opened, and its token.',
  });

/** Source: connect 4, "Reopening". */
export const reopenedSession = z
  .object({
    view: openedView.nullable().describe('The view of a session that continues; else null.'),
    end: z
      .object({
        session_id: sessionId,
        outcome: announcedOutcome.describe('How the user ended it.'),
        app: connectApp.describe('The app that asked.'),
        completion_redirect_uri: z
          .string()
          .nullable()
          .describe('The address at which the app continues; null = it has named none.'),
      })
      .meta({ id: 'ConnectEnd', description: 'The end of a hosted session.' })
      .nullable()
      .describe('The end of a session that has one; else null.'),
  })
  .meta({ id: 'ReopenedConnectSession', description: 'A hosted session after a reload.' });

const completion = z
  .string()
  .nullable()
  .optional()
  .describe(
    'Only for hosted sessions: the address to which the hosted page redirects the browser.',
  );
export const exitResult = z.object({
  closed: z.literal(true).describe('Always true.'),
  completion_redirect_uri: completion,
});

/** Source: connect 4, "Result of finish". */
export const sessionResult = z
  .object({
    mode: linkSessionMode.describe('For a new link, or for an existing one.'),
    exchangeable_token: z.string().optional().describe('Only for a new link.'),
    confirmation_token: z
      .string()
      .optional()
      .describe(
        'Only for a relink whose session was continued without its token: the link changes when the back end exchanges it with `expected_customer_user_id`.',
      ),
    expires_in: z.int().optional().describe('Seconds until the token expires.'),
    public_token: z.string().optional().describe('Only for sessions of the compatibility layer.'),
    existing_link_id: z
      .string()
      .optional()
      .describe('Only if the session was for a new link and the user renewed an existing one.'),
    completion_redirect_uri: completion,
    session_id: sessionId,
    institution: connectInstitution.nullable().describe('The institution that the user chose.'),
    accounts: z
      .array(
        z
          .object({
            account_id: accountId,
            account_type: z.string().describe('A kind and a type, such as `depository.checking`.'),
            name: z.string().describe('As the institution names it.'),
            account_mask: z.string().nullable().describe('Trailing digits of the account number.'),
          })
          .meta({ id: 'ConnectResultAccount', description: 'An account that the user shared.' }),
      )
      .describe('The accounts that the user shared.'),
  })
  .meta({ id: 'ConnectResult', description: 'What the page that opened Connect receives.' });
