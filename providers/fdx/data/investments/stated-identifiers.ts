// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import type { FetchedSecurity } from '../../../../domain/investments/fetched-security.js';
import {
  isCusip,
  isFigi,
  isIsin,
  isSedol,
} from '../../../../domain/investments/security-identifiers.js';
import { Unreadable } from '../../../http/read-scope.js';
import type { RemoteObject } from '../../../http/remote-object.js';
import { optionalWord } from '../optional-fields.js';

type Identifiers = Pick<FetchedSecurity, 'ownId' | 'isin' | 'cusip' | 'sedol' | 'figi'>;
type Standard = Exclude<keyof Identifiers, 'ownId'>;

const MAX_IDENTIFIERS = 20;
/** The type of an identifier that states none. */
const OF_INSTITUTION = 'INSTITUTION';

/** `SecurityIdType`; other types (VALOR, WKN, CMC, and those that banks invent) are kept as they are. */
const STANDARDS: Readonly<Record<string, { name: Standard; isValid: (text: string) => boolean }>> =
  {
    ISIN: { name: 'isin', isValid: isIsin },
    CUSIP: { name: 'cusip', isValid: isCusip },
    CINS: { name: 'cusip', isValid: isCusip },
    SEDOL: { name: 'sedol', isValid: isSedol },
    FIGI: { name: 'figi', isValid: isFigi },
  };

/**
 * The identifiers of a security: `securityId` with `securityIdType`, and the list `securityIds` of
 * later versions. One whose check digit is wrong is noted and left out.
 */
export function securityIdentifiers(remote: RemoteObject): Identifiers {
  const found: Identifiers = { ownId: null, isin: null, cusip: null, sedol: null, figi: null };
  const listed = remote.parts('securityIds', MAX_IDENTIFIERS, (part) => part);
  for (const [part, id, type] of [
    [remote, 'securityId', 'securityIdType'] as const,
    ...listed.map((part) => [part, 'id', 'idType'] as const),
  ])
    addIdentifier(found, part, { id, type });
  return found;
}

function addIdentifier(
  found: Identifiers,
  remote: RemoteObject,
  fields: { id: string; type: string },
): void {
  const value = optionalWord(remote, fields.id);
  if (value === null) return;
  const type = optionalWord(remote, fields.type)?.toUpperCase() ?? OF_INSTITUTION;
  const standard = Object.hasOwn(STANDARDS, type) ? STANDARDS[type] : undefined;
  if (standard === undefined) {
    found.ownId ??= { type, value };
    return;
  }
  found[standard.name] ??= remote.maybe(fields.id, () => {
    const text = value.replaceAll(/\s/g, '').toUpperCase();
    if (standard.isValid(text)) return text;
    throw new Unreadable('security', fields.id, 'impossible', 'an identifier with its check digit');
  });
}
