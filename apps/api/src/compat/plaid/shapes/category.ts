import { codeOf, PRIMARIES, type Version } from './category-map.js';

export interface PersonalFinanceCategory {
  primary: string;
  detailed: string;
  confidence_level: 'UNKNOWN';
  version: Version;
}

/** `category` is ours, `group.subgroup`, or null. Source: plaid-compat 3.6. */
export function personalFinanceCategory(category: string | null, type: 'credit' | 'debit', version: Version): PersonalFinanceCategory | null {
  if (category === null) return null;
  const detailed = codeOf(category, type, version);
  const primary = PRIMARIES.find((name) => detailed.startsWith(`${name}_`)) ?? 'OTHER';
  return { primary, detailed, confidence_level: 'UNKNOWN', version };
}
