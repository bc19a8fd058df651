import type { PlaidApi } from 'plaid';

export type VerifyPlaidWebhook = (
  rawBody: Buffer,
  verification: string | undefined,
  now?: Date,
) => Promise<{ webhook_type: string; webhook_code: string } & Record<string, unknown>>;

export function createWebhookVerifier(plaid: PlaidApi): VerifyPlaidWebhook;
