import { TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { TEXTS } from './texts.js';

/** The address for the webhooks of a new link. */
export function WebhookField({
  value,
  onChange,
}: {
  value: string;
  onChange: (address: string) => void;
}): ReactElement {
  return (
    <TextInput
      label={TEXTS.webhook}
      description={TEXTS.webhookHint}
      type="url"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
