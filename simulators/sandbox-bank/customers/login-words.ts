/** The channel of a code to the customer. */
export type Channel = 'SMS' | 'EMAIL' | 'PHONE';

/**
 * The prompts of the bank after the password. The channel of a code is that of the chosen device,
 * where one was chosen.
 */
export type Factor =
  | { kind: 'CODE'; channel: Channel }
  | { kind: 'DEVICE' }
  | { kind: 'QUESTIONS' }
  | { kind: 'PICTURE' }
  | { kind: 'APPROVAL' };

/** The reason that a login ended without a permission. */
export type RefusalReason =
  | 'WRONG_PASSWORD'
  | 'FACTOR_FAILED'
  | 'ACCOUNT_LOCKED'
  | 'CUSTOMER_MUST_ACT'
  | 'STEP_OUTSIDE'
  | 'DENIED'
  | 'LOGIN_EXPIRED'
  | 'BANK_DOWN'
  | 'PARTNER_DOWN'
  | 'SYSTEM_FAULT';

/** The reason of the last refusal. */
export type Problem =
  | 'WRONG_PASSWORD'
  | 'WRONG_CODE'
  | 'WRONG_ANSWERS'
  | 'WRONG_PICTURE_TEXT'
  | 'TOO_EARLY';
