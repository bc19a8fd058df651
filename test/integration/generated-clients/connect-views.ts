import { readExamples } from '../../../apps/api/src/openapi/recorded-examples.js';

const VIEW = readExamples().operations['connect.getSession']?.response as object;

const BASE = {
  id: 'st_1',
  can_go_back: false,
  message: null,
  error: { code: 'wrong', text: 'Try again.' },
  attempts_left: 2,
  expires_at: null,
};
const FIELD = {
  name: 'color',
  label: 'Color',
  type: 'select',
  required: true,
  secret: false,
  autocomplete: 'off',
  max_length: 10,
  pattern: null,
  options: [{ value: 'red', label: 'Red' }],
};

/** A step of each kind. Source: connect 5. */
const STEPS: readonly { kind: string; [field: string]: unknown }[] = [
  { kind: 'select_institution' },
  { kind: 'form', purpose: 'questions', fields: [FIELD], help_url: null, reset_url: null },
  { kind: 'choice', purpose: 'option', options: [{ id: 'a', label: 'A', icon: null }], max: 1 },
  {
    kind: 'otp',
    channel: 'sms',
    target: null,
    length: 6,
    digits_only: true,
    resend_after_seconds: 20,
  },
  { kind: 'image', image: 'data:image/png;base64,AA', label: 'Code', description: null },
  { kind: 'redirect', started: true },
  { kind: 'wait', stage: 'connecting', can_cancel: true },
  {
    kind: 'select_accounts',
    accounts: [
      {
        ref: 'a',
        name: 'Everyday Checking',
        account_type: 'depository.checking',
        account_mask: '1101',
        balance: 12.5,
        currency: 'USD',
        selected: true,
        locked: false,
      },
    ],
    min: 1,
    max: null,
    missing: [{ ref: null, name: null, selected: false }],
  },
  {
    kind: 'consent',
    products: [
      {
        product: 'identity',
        reason: null,
        required: false,
        granted: true,
        locked: false,
        already_granted: false,
      },
    ],
  },
  { kind: 'success' },
  {
    kind: 'error',
    error_id: 'connect_error.invalid_credentials',
    displayed_message: 'The bank refused the login.',
    fault: 'user',
    link_error: 'user_error',
    actions: ['retry', 'exit'],
    institution_url: null,
  },
];

export const CONNECT_VIEWS = STEPS.map((step) => ({ ...VIEW, step: { ...BASE, ...step } }));

/** `select_accounts` → `ConnectSelectAccountsStep`. */
export const STEP_MODELS = STEPS.map(({ kind }) => [
  `Connect${kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Step`,
  kind,
]);
