import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SandboxListWorldsResult } from '../../../../../clients/node/src/generated/types.js';
import { useRead } from '../../data/use-read.js';
import { nativeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

/** A world, or the default one. */
export function WorldField({
  context,
  value,
  onChange,
}: {
  context: Context;
  value: string;
  onChange: (worldId: string) => void;
}): ReactElement {
  const { data } = useRead<SandboxListWorldsResult>(nativeIn(context, '/sandbox/worlds'));
  return (
    <NativeSelect
      label={TEXTS.world}
      value={value}
      data={[
        { value: '', label: TEXTS.defaultWorld },
        ...(data?.worlds ?? []).map(({ world_id, name }) => ({ value: world_id, label: name })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
