import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import type { InstitutionsListResult } from '../../../../../clients/node/src/generated/types.js';
import { useRead } from '../../data/use-read.js';
import { nativeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

export const DEFAULT_BANK = 'sandbox-credentials-bank';

/** The banks of the sandbox; until they are read, the one in use. An empty value is named by `none`. */
export function BankField({
  context,
  value,
  none,
  onChange,
}: {
  context: Context;
  value: string;
  none?: string;
  onChange: (institutionId: string) => void;
}): ReactElement {
  const { data } = useRead<InstitutionsListResult>(nativeIn(context, '/institutions?limit=100'));
  const banks = data?.institutions ?? [];
  const isListed = value === '' || banks.some(({ institution_id }) => institution_id === value);
  return (
    <NativeSelect
      label={TEXTS.bank}
      value={value}
      data={[
        ...(none === undefined ? [] : [{ value: '', label: none }]),
        ...(isListed ? [] : [{ value, label: value }]),
        ...banks.map(({ institution_id, name }) => ({ value: institution_id, label: name })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
