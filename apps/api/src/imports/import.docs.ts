import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';

/** Source: native-api 3.4, 4.9. */
export const importDocs = routeDocs('Links', {
  importLink: {
    id: 'links.import',
    summary: 'Import a link from elsewhere; its owner must sign in',
    description:
      'Creates a link with accounts and transactions that you bring from elsewhere. It can be read at once; its owner must sign in before it can be refreshed, in a session with `existing_link_id`. Accounts and transactions then keep the ids of the import.\n\nRepeat the call safely with an `Idempotency-Key`.',
    response: json(link),
    errors: ['institution_error.not_found', 'link_session_error.forbidden_config'],
  },
  importTransactions: {
    id: 'links.importTransactions',
    summary: 'Add transactions to an imported link',
    description:
      'Adds transactions to the accounts of an imported link that its owner has not signed in to yet. An amount below zero is money out. A `transaction_id` that was imported before is replaced.',
    response: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
});
