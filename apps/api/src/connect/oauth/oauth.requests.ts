import { z } from 'zod';
import { MAX_POSITION } from '../../schemas/position.schema.js';
import { text } from '../../schemas/text.schema.js';
import { OpenSessionRequest, requestId } from '../connect.requests.js';

/** Slightly more than the maximum length of a redirect_uri. Source: link-lifecycle 2.1. */
const returnAddress = text(1, 70_000);

/** Source: connect 4. The window is chosen by the caller. */
export const StartRedirectRequest = {
  body: z.object({
    seq: z.int().min(0).max(MAX_POSITION).describe('The `seq` of the view that is answered.'),
    request_id: requestId.describe(
      'A UUID of this call; repeated with it, the call takes effect once.',
    ),
    window: z
      .enum(['popup', 'same', 'system'])
      .meta({ id: 'RedirectWindow', description: 'A window for the login at the institution.' })
      .describe('The window that the login opens in.'),
  }),
};

export const ReturnFromBankRequest = {
  body: z.object({
    request_id: requestId.describe(
      'A UUID of this call; repeated with it, the call takes effect once.',
    ),
    url: returnAddress.describe('The complete address that the user returned to.'),
  }),
};

const tokenOfWindow = z
  .string()
  .nullable()
  .default(null)
  .describe('The token of the session; null if the window does not have it.');

export const FindResumableRequest = {
  body: z.object({
    url: returnAddress.describe('The complete address that opened the app.'),
    link_session_token: tokenOfWindow,
  }),
};

export const ResumeSessionRequest = {
  body: OpenSessionRequest.body.extend({
    url: returnAddress.describe('The complete address that the user returned to.'),
    link_session_token: tokenOfWindow,
  }),
};
