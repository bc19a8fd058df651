import type { SessionEnd } from '../announcements/api-format.js';
import { renderSessionWebhook, type SessionWebhook } from './webhooks.js';

export const SESSION_FINISHED = 'LINK.SESSION_FINISHED';

/**
 * The webhook about the end of a hosted session that was opened, with and without its tokens.
 * Source: plaid-compat 8.1, LINK.
 */
export function renderSessionEnd({
  sessionId,
  environment,
  wasOpened,
  linkToken,
  publicToken,
}: SessionEnd): { shown: string; sent: string } | null {
  if (!wasOpened || linkToken === null) return null;
  const shown: SessionWebhook = {
    webhook_type: 'LINK',
    webhook_code: 'SESSION_FINISHED',
    status: publicToken === null ? 'EXITED' : 'SUCCESS',
    link_session_id: sessionId,
    link_token: null,
    public_tokens: publicToken === null ? [] : null,
  };
  const sent: SessionWebhook = {
    ...shown,
    link_token: linkToken,
    public_tokens: publicToken === null ? [] : [publicToken],
  };
  return {
    shown: renderSessionWebhook(shown, environment),
    sent: renderSessionWebhook(sent, environment),
  };
}
