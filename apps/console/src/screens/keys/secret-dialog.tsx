import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import type { CreatedPair } from '../../../../console-server/src/operations/pairs/pair-shapes.js';
import { CodeBlock } from '../../parts/code/call.js';
import { Dialog } from '../../frame/dialog/dialog.js';
import { Stack } from '../../parts/page/page-parts.js';
import { TEXTS } from './texts.js';

/** A new secret, once: neither Escape nor a click beside it closes this, as it could not be read again. */
export function SecretDialog({
  pair: { client_id, client_secret },
  onStored,
}: {
  pair: CreatedPair;
  onStored: () => void;
}): ReactElement {
  return (
    <Dialog isLocked onClose={onStored} title={TEXTS.onceTitle}>
      <Stack>
        <p>{TEXTS.once}</p>
        <CodeBlock name={TEXTS.clientId} text={client_id} />
        <CodeBlock name={TEXTS.clientSecret} text={client_secret} />
        <Button onClick={onStored}>{TEXTS.stored}</Button>
      </Stack>
    </Dialog>
  );
}
