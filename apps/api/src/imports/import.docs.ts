import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';

/** Source: native-api 3.4, 4.9. */
export const importDocs = routeDocs('Links', {
  importLink: {
    id: 'links.import',
    summary: 'Import a link from elsewhere; its owner must sign in',
    response: json(link),
    errors: ['institution_error.not_found', 'link_session_error.forbidden_config'],
  },
  importTransactions: {
    id: 'links.importTransactions',
    summary: 'Add transactions to an imported link',
    response: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
});
