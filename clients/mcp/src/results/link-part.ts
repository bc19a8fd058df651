import { TributaryError, type Link } from '@tributary/node';
import { failureOf } from '../serving/explain-failure.js';
import { freshnessOf, type ProductName } from './freshness.js';
import { untrustedText } from './untrusted-text.js';

/** The part of a link that a tool reads. */
export type LinkPart =
  | 'accounts'
  | 'numbers'
  | 'owners'
  | 'transactions'
  | 'investments'
  | 'liabilities';

/** A link whose data is in a result, with the age of the products that the result shows. */
export function linkPart(link: Link, products: readonly ProductName[]) {
  return {
    link_id: link.link_id,
    untrusted_user_id: untrustedText(link.customer_user_id),
    untrusted_institution_name: untrustedText(link.institution_name),
    state: link.state,
    error_code: link.error_code,
    ...freshnessOf(link, products),
  };
}

/** A link of which nothing of this part is in a result. */
export interface UnreadLink {
  link_id: string;
  part: LinkPart;
  error_code: string | null;
  untrusted_problem: string;
  remedy: string;
}

export function unreadLink(linkId: string, part: LinkPart, error: unknown): UnreadLink {
  const { problem, remedy } = failureOf(error);
  return {
    link_id: linkId,
    part,
    error_code: error instanceof TributaryError ? error.code : null,
    untrusted_problem: untrustedText(problem),
    remedy,
  };
}
