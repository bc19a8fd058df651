import { routeDocs } from '../../http/route-docs.js';

/** Source: connect 7, steps 3 and 7. */
export const callbackDocs = routeDocs('Connect', {
  sendOn: {
    id: 'connect.receiveOAuthCallback',
    summary: 'Receive the browser of the user from a bank',
    description:
      'Banks redirect the browser here. It continues to the page of the app that the session names, or shows why it cannot.',
    response: { kind: 'browser' },
  },
});
