import { checkStepInput } from '../../../../domain/session/check-step-input.js';
import {
  makeStep,
  type StepContent,
  type StepInput,
} from '../../../../domain/session/connect-step.js';

const CONTENTS = {
  select_institution: { kind: 'select_institution' },
  form: {
    kind: 'form',
    purpose: 'credentials',
    help_url: null,
    reset_url: null,
    fields: [
      {
        name: 'user',
        label: 'User name',
        type: 'text',
        required: true,
        secret: false,
        autocomplete: 'username',
        max_length: 5,
        pattern: '[a-z]+',
        options: null,
      },
      {
        name: 'branch',
        label: 'Branch',
        type: 'select',
        required: false,
        secret: false,
        autocomplete: 'off',
        max_length: 9,
        pattern: null,
        options: [{ value: 'a', label: 'A' }],
      },
    ],
  },
  choice: {
    kind: 'choice',
    purpose: 'otp_device',
    max: 1,
    options: [
      { id: 'sms', label: 'SMS', icon: 'sms' },
      { id: 'email', label: 'E-mail', icon: 'email' },
    ],
  },
  otp: {
    kind: 'otp',
    channel: 'sms',
    target: null,
    length: 6,
    digits_only: true,
    resend_after_seconds: 20,
  },
  otp_without_resend: {
    kind: 'otp',
    channel: 'app',
    target: null,
    length: null,
    digits_only: false,
    resend_after_seconds: null,
  },
  image: {
    kind: 'image',
    image: 'data:image/png;base64,AA==',
    label: 'Picture',
    description: null,
  },
  redirect: { kind: 'redirect', started: true },
  wait: { kind: 'wait', stage: 'connecting', can_cancel: false },
  wait_cancellable: { kind: 'wait', stage: 'waiting_for_approval', can_cancel: true },
  select_accounts: {
    kind: 'select_accounts',
    min: 1,
    max: 2,
    accounts: ['1', '2', '3'].map((ref) => ({
      ref,
      name: ref,
      account_type: 'depository.checking',
      account_mask: null,
      balance: null,
      currency: null,
      selected: false,
      locked: ref === '1',
    })),
  },
  select_accounts_or_a_missing_one: {
    kind: 'select_accounts',
    min: 1,
    max: null,
    accounts: [
      {
        ref: '1',
        name: '1',
        account_type: 'depository.checking',
        account_mask: null,
        balance: null,
        currency: null,
        selected: false,
        locked: false,
      },
    ],
    missing: [
      { ref: 'm1', name: 'Holiday Fund', selected: true },
      { ref: null, name: null, selected: false },
    ],
  },
  select_one_account: {
    kind: 'select_accounts',
    min: 1,
    max: 1,
    accounts: ['1', '2'].map((ref) => ({
      ref,
      name: ref,
      account_type: 'depository.checking',
      account_mask: null,
      balance: null,
      currency: null,
      selected: false,
      locked: false,
    })),
  },
  consent: {
    kind: 'consent',
    products: [
      {
        product: 'transactions',
        reason: null,
        required: true,
        granted: true,
        locked: true,
        already_granted: false,
      },
      {
        product: 'identity',
        reason: null,
        required: false,
        granted: true,
        locked: false,
        already_granted: false,
      },
      {
        product: 'accounts',
        reason: null,
        required: true,
        granted: true,
        locked: true,
        already_granted: false,
      },
      {
        product: 'account_numbers',
        reason: null,
        required: false,
        granted: true,
        locked: true,
        already_granted: true,
      },
    ],
  },
  consent_with_permission: {
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
        product: 'identity',
        reason: null,
        required: false,
        granted: true,
        locked: true,
        already_granted: false,
      },
    ],
  },
  success: { kind: 'success' },
  error: {
    kind: 'error',
    error_id: 'connect_error.internal',
    displayed_message: '',
    fault: 'service',
    link_error: null,
    actions: ['retry', 'exit'],
    institution_url: null,
  },
} satisfies Record<string, StepContent>;

function places(content: StepContent, input: StepInput, canGoBack = false): string[] {
  return checkStepInput(makeStep(4, content, { can_go_back: canGoBack }), input).map(
    ({ location }) => location.join('.'),
  );
}

describe('Answers to a step (connect 5, rules 4, 10, 11, 13)', () => {
  it.each<[keyof typeof CONTENTS, StepInput]>([
    ['select_institution', { kind: 'select_institution', institution_id: 'any' }],
    ['form', { kind: 'form', values: { user: 'robin', branch: 'a' } }],
    ['form', { kind: 'form', values: { user: 'robin', branch: '' } }],
    ['choice', { kind: 'choice', option_ids: ['email'] }],
    ['otp', { kind: 'otp', code: '123456' }],
    ['otp', { kind: 'otp', resend: true }],
    ['otp_without_resend', { kind: 'otp', code: 'a1' }],
    ['image', { kind: 'image', answer: '7A3F' }],
    ['redirect', { kind: 'redirect', cancel: true }],
    ['wait_cancellable', { kind: 'wait', cancel: true }],
    ['select_accounts', { kind: 'select_accounts', refs: ['1', '3'] }],
    ['select_accounts', { kind: 'select_accounts', refs: ['2'] }],
    ['select_accounts', { kind: 'select_accounts', refs: [] }],
    ['select_accounts_or_a_missing_one', { kind: 'select_accounts', refs: ['1', 'm1'] }],
    ['consent', { kind: 'consent', granted: ['transactions'] }],
    ['consent', { kind: 'consent', granted: ['transactions', 'accounts', 'account_numbers'] }],
    ['consent_with_permission', { kind: 'consent', granted: ['identity'] }],
    ['error', { kind: 'error', action: 'retry' }],
  ])('to %s may be %j', (step, input) => {
    expect(places(CONTENTS[step], input)).toEqual([]);
  });

  it.each<[keyof typeof CONTENTS, StepInput, string]>([
    ['form', { kind: 'form', values: {} }, 'body.input.values.user'],
    ['form', { kind: 'form', values: { user: '' } }, 'body.input.values.user'],
    ['form', { kind: 'form', values: { user: 'toolong' } }, 'body.input.values.user'],
    ['form', { kind: 'form', values: { user: 'R2D2' } }, 'body.input.values.user'],
    ['form', { kind: 'form', values: { user: 'robin', branch: 'b' } }, 'body.input.values.branch'],
    ['form', { kind: 'form', values: { user: 'robin', more: 'x' } }, 'body.input.values.more'],
    ['choice', { kind: 'choice', option_ids: [] }, 'body.input.option_ids'],
    ['choice', { kind: 'choice', option_ids: ['sms', 'email'] }, 'body.input.option_ids'],
    ['choice', { kind: 'choice', option_ids: ['fax'] }, 'body.input.option_ids.0'],
    ['otp', { kind: 'otp', code: '' }, 'body.input.code'],
    ['otp', { kind: 'otp', code: '12a456' }, 'body.input.code'],
    ['otp_without_resend', { kind: 'otp', resend: true }, 'body.input.resend'],
    ['image', { kind: 'image', answer: '' }, 'body.input.answer'],
    ['wait', { kind: 'wait', cancel: true }, 'body.input.cancel'],
    ['select_accounts', { kind: 'select_accounts', refs: ['1', '9'] }, 'body.input.refs.1'],
    ['select_accounts', { kind: 'select_accounts', refs: ['1', '2', '3'] }, 'body.input.refs'],
    [
      'select_accounts_or_a_missing_one',
      { kind: 'select_accounts', refs: ['m1'] },
      'body.input.refs',
    ],
    [
      'select_accounts_or_a_missing_one',
      { kind: 'select_accounts', refs: ['1', 'm2'] },
      'body.input.refs.1',
    ],
    ['select_one_account', { kind: 'select_accounts', refs: [] }, 'body.input.refs'],
    ['select_one_account', { kind: 'select_accounts', refs: ['1', '2'] }, 'body.input.refs'],
    ['select_accounts', { kind: 'select_accounts', refs: ['2', '3'] }, 'body.input.refs'],
    ['consent', { kind: 'consent', granted: ['identity'] }, 'body.input.granted'],
    [
      'consent',
      { kind: 'consent', granted: ['accounts', 'account_numbers'] },
      'body.input.granted',
    ],
    // A client that only checks `required` is also refused if it skips a product that may not be
    // declined.
    ['consent_with_permission', { kind: 'consent', granted: ['accounts'] }, 'body.input.granted'],
    [
      'consent',
      {
        kind: 'consent',
        granted: ['transactions', 'identity', 'unheard'] as unknown as 'identity'[],
      },
      'body.input.granted.2',
    ],
    ['error', { kind: 'error', action: 'choose_another' }, 'body.input.action'],
  ])('to %s are refused: %j at %s', (step, input, place) => {
    expect(places(CONTENTS[step], input)).toEqual([place]);
  });

  it('are refused when their kind does not fit the step', () => {
    const answer: StepInput = { kind: 'image', answer: '7A3F' };
    for (const content of Object.values(CONTENTS)) {
      if (content.kind !== 'image') expect(places(content, answer)).toEqual(['body.input.kind']);
    }
  });

  it('go back only if the step allows it', () => {
    expect(places(CONTENTS.form, { kind: 'back' }, true)).toEqual([]);
    expect(places(CONTENTS.form, { kind: 'back' }, false)).toEqual(['body.input.kind']);
  });
});
