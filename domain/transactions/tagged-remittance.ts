// cspell:ignore abwa abwe coam csid kref marf oamt purp
/** The parts of a remittance text. */
export interface RemittanceParts {
  text: string | null;
  endToEnd: string | null;
  mandate: string | null;
}

/**
 * The tags by which banks put SEPA fields into one text: `EREF+` in Germany and Austria (DK annex 3,
 * field 86), `/EREF/` in the Netherlands. Tagged fields of other kinds are no text of the payer.
 */
const FIELDS: Readonly<Record<string, keyof RemittanceParts | null>> = {
  EREF: 'endToEnd',
  MREF: 'mandate',
  MARF: 'mandate',
  SVWZ: 'text',
  REMI: 'text',
  ...Object.fromEntries(
    ['KREF', 'CRED', 'CSID', 'DEBT', 'COAM', 'OAMT', 'ABWA', 'ABWE', 'IBAN', 'BIC', 'NAME'].map(
      (tag) => [tag, null],
    ),
  ),
  TRTP: null,
  PURP: null,
};
const NAMES = Object.keys(FIELDS).join('|');
const TAG = new RegExp(String.raw`(?<![A-Z0-9])(?:(${NAMES})\+|/(${NAMES})/)`, 'g');

/** The value of a reference that the payer did not give. */
const NONE = 'NOTPROVIDED';

/** Separates the references from the text. A text without tags is returned as it is. */
export function splitRemittance(given: string | null): RemittanceParts {
  const parts: RemittanceParts = { text: given, endToEnd: null, mandate: null };
  const tags = given === null ? [] : [...given.matchAll(TAG)];
  if (given === null || tags.length === 0) return parts;
  parts.text = orNull(given.slice(0, tags[0]?.index));
  for (const [index, tag] of tags.entries()) {
    const field = FIELDS[tag[1] ?? tag[2] ?? ''] ?? null;
    const value = given.slice(tag.index + tag[0].length, tags[index + 1]?.index);
    if (field !== null) parts[field] = orNull([parts[field] ?? '', value].join(' ')) ?? null;
  }
  return { ...parts, endToEnd: parts.endToEnd === NONE ? null : parts.endToEnd };
}

function orNull(text: string): string | null {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return plain === '' ? null : plain;
}
