import { z } from 'zod';
import { MAX_POSITION } from '../../schemas/position.schema.js';
import { text } from '../../schemas/text.schema.js';
import { OpenSessionRequest, requestId } from '../connect.requests.js';

/** Slightly more than the maximum length of a redirect_uri. Source: link-lifecycle 2.1. */
const returnAddress = text(1, 70_000);

/** Source: connect 4. The window is chosen by the caller. */
export const StartRedirectRequest = {
  body: z.object({
    seq: z.int().min(0).max(MAX_POSITION),
    request_id: requestId,
    window: z.enum(['popup', 'same', 'system']).meta({ id: 'RedirectWindow' }),
  }),
};

export const ReturnFromBankRequest = {
  body: z.object({ request_id: requestId, url: returnAddress }),
};

export const ResumeSessionRequest = {
  body: OpenSessionRequest.body.extend({
    url: returnAddress,
    link_session_token: z.string().nullable().default(null),
  }),
};
