import type { Field, Step, StepContent } from '../../../../packages/connect-protocol/src/step.js';
import type { Institution, View } from '../../../../packages/connect-protocol/src/view.js';

export const inMinutes = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toISOString().slice(0, -1);

export function makeBank(name: string, more: Partial<Institution> = {}): Institution {
  const slug = name.toLowerCase().replace(/\W+/g, '-');
  return {
    institution_id: slug,
    name,
    country: 'US',
    domain: `${slug}.example`,
    color: '#0a6b4f',
    color_dark: '#41c79a',
    logo_url: null,
    group: 'primary',
    login: 'credentials',
    health: 'operational',
    ...more,
  };
}

export const CREDENTIALS_BANK = makeBank('Credentials Bank', {
  institution_id: 'sandbox-credentials-bank',
});
export const OAUTH_BANK = makeBank('OAuth Bank', {
  institution_id: 'sandbox-oauth-bank',
  login: 'oauth',
  color: '#7a2e8e',
  color_dark: '#d08be4',
});
export const INSTANT_BANK = makeBank('Instant Bank', {
  institution_id: 'sandbox-instant-bank',
  login: 'none',
  color: '#b4470f',
  color_dark: '#ff9d66',
});

export const BANKS: readonly Institution[] = [
  CREDENTIALS_BANK,
  OAUTH_BANK,
  INSTANT_BANK,
  makeBank('Harbor & Hill Savings', { color: '#1d4e89', color_dark: '#7fb2ee' }),
  makeBank('First Prairie Credit Union', {
    color: '#5b6b12',
    color_dark: '#c3d36a',
    health: 'degraded',
  }),
  makeBank('Meridian Trust', { color: '#101828', color_dark: '#c7ccd6' }),
  makeBank('Quarry Street Bank', { color: '#9b1c31', color_dark: '#ff8b9d', health: 'down' }),
  makeBank('Tidewater National', { color: '#00677f', color_dark: '#5fd3ec' }),
  makeBank('Juniper Bank', { group: 'secondary', color: '#3f3d9e', color_dark: '#a5a3ff' }),
  makeBank('Old Mill Bank', { group: 'secondary', color: null, color_dark: null }),
];

export const USER_NAME: Field = {
  name: 'username',
  label: 'User name',
  type: 'text',
  required: true,
  secret: false,
  autocomplete: 'username',
  max_length: 100,
  pattern: null,
  options: null,
};
export const PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  required: true,
  secret: true,
  autocomplete: 'current-password',
  max_length: 100,
  pattern: null,
  options: null,
};

export const CREDENTIALS: StepContent = {
  kind: 'form',
  purpose: 'credentials',
  fields: [USER_NAME, PASSWORD],
  help_url: null,
  reset_url: 'https://credentials-bank.example/forgotten',
};
/** In the form that the adapter of SimpleFIN requests. */
export const SETUP_TOKEN: StepContent = {
  kind: 'form',
  purpose: 'credentials',
  fields: [
    {
      ...USER_NAME,
      name: 'setup_token',
      label: 'Said by the service.',
      secret: true,
      autocomplete: 'off',
      max_length: 4_096,
    },
  ],
  help_url: 'https://bridge.simplefin.org/simplefin/create',
  reset_url: null,
};
export const OTP: StepContent = {
  kind: 'otp',
  channel: 'sms',
  target: '••• ••42',
  length: 6,
  digits_only: true,
  resend_after_seconds: 20,
};
export const ACCOUNTS: StepContent = {
  kind: 'select_accounts',
  min: 1,
  max: null,
  accounts: [
    {
      ref: 'a',
      name: 'Everyday Checking',
      account_type: 'depository.checking',
      account_mask: '1101',
      balance: 2210.52,
      currency: 'USD',
      selected: true,
      locked: false,
    },
    {
      ref: 'b',
      name: 'Rainy Day Savings',
      account_type: 'depository.savings',
      account_mask: '2202',
      balance: 8400,
      currency: 'USD',
      selected: true,
      locked: false,
    },
    {
      ref: 'c',
      name: 'Rewards Card',
      account_type: 'liability.credit_card',
      account_mask: '3303',
      balance: 412.37,
      currency: 'USD',
      selected: false,
      locked: false,
    },
  ],
};
export const CONSENT: StepContent = {
  kind: 'consent',
  products: [
    {
      product: 'accounts',
      reason: null,
      required: true,
      granted: true,
      locked: true,
      already_granted: false,
    },
    {
      product: 'transactions',
      reason: 'show where your money goes',
      required: true,
      granted: true,
      locked: false,
      already_granted: false,
    },
    {
      product: 'identity',
      reason: 'confirm your name',
      required: false,
      granted: true,
      locked: false,
      already_granted: false,
    },
  ],
};
export const REDIRECT: StepContent = { kind: 'redirect', started: false };
export const WAIT: StepContent = { kind: 'wait', stage: 'connecting', can_cancel: true };

export function makeStep(seq: number, content: StepContent, base: Partial<Step> = {}): Step {
  return {
    id: `st_${seq}`,
    can_go_back: false,
    message: null,
    error: null,
    attempts_left: null,
    expires_at: null,
    ...base,
    ...content,
  } as Step;
}

export function makeView(
  seq: number,
  content: StepContent,
  { base = {}, ...overrides }: Partial<View> & { base?: Partial<Step> } = {},
): View {
  return {
    session_id: 'ses_ZPnZVLG8G6YmpDhYAmMRPo',
    mode: 'link',
    environment: 'sandbox',
    expires_at: inMinutes(30),
    app: { name: 'Pocket Ledger', logo_url: null },
    countries: ['US'],
    features: { connect_manually: false },
    theme: null,
    redirect_uri: null,
    institution: content.kind === 'select_institution' ? null : CREDENTIALS_BANK,
    ...overrides,
    seq,
    step: makeStep(seq, content, base),
  };
}
