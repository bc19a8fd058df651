import type { Environment } from '../api/environment.js';

/**
 * The format of a link's webhooks: their content, signature, delivery and retries. Source:
 * plaid-compat 8.1.
 */
export type WebhookFormat = 'native' | 'plaid';

/** The meaning of a receiver's response. */
export interface AnswerRules {
  isAccepted: (httpStatus: number) => boolean;
  /** 410 ends the delivery, `Retry-After` moves the plan. */
  followsReceiver: boolean;
  /** The share by which a gap between two planned times may differ from the plan. */
  variation: number;
  /** The link shows the time of its last attempt. */
  isNoted: boolean;
}

/** Sources: webhooks 8.1, 8.2; plaid-compat 8.3. */
export const ANSWER_RULES: Record<WebhookFormat, AnswerRules> = {
  native: {
    isAccepted: (status) => status >= 200 && status < 300,
    followsReceiver: true,
    variation: 0.1,
    isNoted: false,
  },
  plaid: {
    isAccepted: (status) => status === 200,
    followsReceiver: false,
    variation: 0,
    isNoted: true,
  },
};

/** The keys of one kind of signature. plaid-compat 8.2: those of the compatibility layer are separate per environment. */
export type KeySet = 'native' | `plaid-${Environment}`;
