import { codeOf, PRIMARIES, type Version } from './category-map.js';

export interface PersonalFinanceCategory {
  primary: string;
  detailed: string;
  confidence_level: 'UNKNOWN';
  version: Version;
}

/**
 * `category` is the native one, `group.subgroup`, or null. Clients read `primary` without a check, so an unclassified row
 * has the fallback. Source: plaid-compat 3.6.
 */
export function personalFinanceCategory(
  category: string | null,
  type: 'credit' | 'debit',
  version: Version,
): PersonalFinanceCategory {
  const detailed = codeOf(category, type, version);
  const primary = PRIMARIES.find((name) => detailed.startsWith(`${name}_`)) ?? 'OTHER';
  return { primary, detailed, confidence_level: 'UNKNOWN', version };
}
