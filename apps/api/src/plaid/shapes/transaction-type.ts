/** Category groups of the bank's own charges and transfers. */
const OF_THE_BANK: ReadonlySet<string> = new Set(['banking', 'transfers']);

/** `place` and `digital` would require the location of a purchase. Source: plaid-compat 3.5. */
export function transactionType(category: string | null): 'special' | 'unresolved' {
  const [group = ''] = (category ?? '').split('.');
  return OF_THE_BANK.has(group) ? 'special' : 'unresolved';
}
