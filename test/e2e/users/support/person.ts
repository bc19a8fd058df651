import { randomUUID } from 'node:crypto';

/** Data that only one user has. */
export function person() {
  const mark = randomUUID();
  const phoneNumber = `+1614${String(Math.floor(Math.random() * 9e6) + 1e6)}`;
  const accountNumber = String(Math.floor(Math.random() * 9e11) + 1e11);
  return {
    mark,
    id: `ann.${mark}@mail.example`,
    email: `second.${mark}@mail.example`,
    phoneNumber,
    accountNumber,
    accountName: `Account ${mark}`,
    ownerName: `Owner ${mark}`,
    importedName: `Imported ${mark}`,
    description: `Bought ${mark}`,
    partyName: `Party ${mark}`,
    partyNumber: String(Math.floor(Math.random() * 9e11) + 1e11),
    merchantName: `Merchant ${mark}`,
    memo: `Text ${mark}`,
    reference: `Ref ${mark}`,
    mandate: `Mandate ${mark}`,
    creditorReference: `Creditor ${mark}`,
    checkNumber: `Check ${mark}`,
    balance: String(Math.floor(Math.random() * 9e11) + 1e11),
    importedParty: `Imported party ${mark}`,
    tag: `tag-${mark}`,
    font: `Font ${mark}`,
  };
}
export type Person = ReturnType<typeof person>;

export const customerUser = ({ id, email, phoneNumber }: Person) => ({
  id,
  email: { address: email },
  phone: { number: phoneNumber, country: 'US' },
});
