import { z } from 'zod';
import { text } from '../../schemas/text.schema.js';
import { OpenSessionRequest, requestId } from '../connect.requests.js';

/** An address may be as long as a redirect_uri, and a little more. Source: link-lifecycle 2.1. */
const returnAddress = text(1, 70_000);

/** Source: connect 4. The window is the caller's own matter. */
export const StartRedirectRequest = {
  body: z.object({
    seq: z.int().min(0),
    request_id: requestId,
    window: z.enum(['popup', 'same', 'system']),
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
