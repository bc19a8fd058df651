import type {
  ChoiceOption,
  Field,
  StepContent,
  StepInput,
} from '../../../domain/session/connect-step.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { RemoteObject } from '../../http/remote-object.js';

/** The bank's prompts, one per step. */
export const PROMPT_KINDS = [
  'PASSWORD',
  'DEVICE',
  'CODE',
  'QUESTIONS',
  'PICTURE',
  'APPROVAL',
] as const;
export type PromptKind = (typeof PROMPT_KINDS)[number];

const CHANNEL = { SMS: 'sms', EMAIL: 'email', PHONE: 'phone' } as const;
const CHANNELS = Object.keys(CHANNEL) as (keyof typeof CHANNEL)[];
const DEVICE_LABEL = { SMS: 'Text message', EMAIL: 'Email', PHONE: 'Phone call' } as const;

/** connect 5: an image has at most 200 kB; base64 uses four characters for three bytes. */
const MAX_PICTURE_CHARACTERS = Math.ceil(200_000 / 3) * 4;

const CREDENTIAL_FIELDS: readonly Field[] = [
  field('username', 'User name', { type: 'text', secret: false, autocomplete: 'username' }),
  field('password', 'Password', {
    type: 'password',
    secret: true,
    autocomplete: 'current-password',
  }),
];

/** Translates the bank's prompt into a Connect step. */
export function toStep(ask: RemoteObject, kind: PromptKind, helpUrl: string): StepContent {
  switch (kind) {
    case 'PASSWORD':
      return {
        kind: 'form',
        purpose: 'credentials',
        fields: [...CREDENTIAL_FIELDS],
        help_url: helpUrl,
        reset_url: helpUrl,
      };
    case 'DEVICE':
      return {
        kind: 'choice',
        purpose: 'otp_device',
        options: ask.list('devices', 20).map(toOption),
        max: 1,
      };
    case 'CODE':
      return {
        kind: 'otp',
        channel: CHANNEL[ask.oneOf('channel', CHANNELS)],
        target: ask.textOrNull('target', { max: 60 }),
        length: ask.wholeNumber('digits', { max: 20 }),
        digits_only: true,
        resend_after_seconds: ask.wholeNumber('resend_after_seconds', { max: 3_600 }),
      };
    case 'QUESTIONS':
      return {
        kind: 'form',
        purpose: 'questions',
        fields: ask.list('questions', 10).map(toQuestion),
        help_url: helpUrl,
        reset_url: null,
      };
    case 'PICTURE':
      return {
        kind: 'image',
        image: `data:image/png;base64,${ask.text('png', { max: MAX_PICTURE_CHARACTERS, pattern: /^[A-Za-z0-9+/]+={0,2}$/ })}`,
        label: ask.text('prompt', { max: 200 }),
        description: ask.textOrNull('description', { max: 500 }),
      };
    case 'APPROVAL':
      return { kind: 'wait', stage: 'waiting_for_approval', can_cancel: true };
  }
}

/** Translates the user's answer into the bank's vocabulary. */
export function toAnswer(kind: PromptKind, input: StepInput): Readonly<Record<string, unknown>> {
  if (kind === 'PASSWORD' && input.kind === 'form')
    return {
      kind,
      user_name: input.values['username'] ?? '',
      password: input.values['password'] ?? '',
    };
  if (kind === 'QUESTIONS' && input.kind === 'form') return { kind, answers: input.values };
  if (kind === 'DEVICE' && input.kind === 'choice')
    return { kind, device: input.option_ids[0] ?? '' };
  if (kind === 'CODE' && input.kind === 'otp')
    return 'resend' in input ? { kind: 'RESEND' } : { kind, code: input.code };
  if (kind === 'PICTURE' && input.kind === 'image') return { kind, text: input.answer };
  throw new ProviderFailure(
    'internal',
    `The bank asks for ${kind}; an answer of kind ${input.kind} does not fit.`,
  );
}

function toOption(remote: unknown): ChoiceOption {
  const device = new RemoteObject(remote, 'device');
  const channel = device.oneOf('channel', CHANNELS);
  const target = device.textOrNull('target', { max: 60 });
  return {
    id: device.text('id', { max: 40 }),
    label: target === null ? DEVICE_LABEL[channel] : `${DEVICE_LABEL[channel]} ${target}`,
    icon: CHANNEL[channel],
  };
}

function toQuestion(remote: unknown): Field {
  const question = new RemoteObject(remote, 'question');
  return field(question.text('id', { max: 40 }), question.text('text', { max: 200 }), {
    type: 'text',
    secret: true,
    autocomplete: 'off',
  });
}

function field(
  name: string,
  label: string,
  { type, secret, autocomplete }: Pick<Field, 'type' | 'secret' | 'autocomplete'>,
): Field {
  return {
    name,
    label,
    type,
    required: true,
    secret,
    autocomplete,
    max_length: 100,
    pattern: null,
    options: null,
  };
}
