import { routeDocs } from '../../http/route-docs.js';

/** Source: connect 7, steps 3 and 7. */
export const callbackDocs = routeDocs('Connect', {
  sendOn: {
    id: 'connect.receiveOAuthCallback',
    summary: 'Receive the browser of the user from a bank',
    response: { kind: 'browser' },
  },
});
