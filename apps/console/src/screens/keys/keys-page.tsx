import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type {
  CreatedPair,
  PairPage,
} from '../../../../console-server/src/operations/pairs/pair-shapes.js';
import { useMayChange } from '../../frame/use-may-change.js';
import { useRead } from '../../data/use-read.js';
import { operationIn, useAddress, useContextOfPath } from '../../frame/address.js';
import { PageTitle } from '../../frame/page-title.js';
import { PlaceLink } from '../../frame/place-link.js';
import { stringifySearch } from '../../frame/search.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { Stack } from '../../parts/page/page-parts.js';
import { AppCard } from './app-card.js';
import { CreatePairDialog } from './create-pair-dialog.js';
import { PairCard } from './pair-card.js';
import { SecretDialog } from './secret-dialog.js';
import { TEXTS } from './texts.js';

/** Which key pairs exist, which of their secrets work, and when they were used. */
export default function KeysPage(): ReactElement {
  const context = useContextOfPath();
  const mayChange = useMayChange();
  const { value, hrefWith } = useAddress();
  const [isCreating, setIsCreating] = useState(false);
  // Held here alone: the secret is in no cache and no address, and gone with the page.
  const [shown, setShown] = useState<CreatedPair | null>(null);
  const cursor = value('cursor');
  const chosen = value('client_id');
  const page = useRead<PairPage>(operationIn(context, `/pairs${stringifySearch({ cursor })}`));
  const fits = (id: string): boolean => chosen === '' || id === chosen;
  return (
    <>
      <PageTitle
        title={TEXTS.keys}
        actions={mayChange && <Button onClick={() => setIsCreating(true)}>{TEXTS.newPair}</Button>}
      />
      <Stack>
        {chosen === '' && cursor === '' && <AppCard context={context} />}
        <Shown
          of={page}
          isEmpty={({ pairs }) => pairs.length === 0}
          empty={<StateText title={TEXTS.noPair}>{TEXTS.noPairHint}</StateText>}
        >
          {({ pairs, next_cursor }) => (
            <>
              {pairs
                .filter(({ client_id }) => fits(client_id))
                .map((pair) => (
                  <PairCard
                    key={pair.client_id}
                    context={context}
                    pair={pair}
                    onSecret={(client_secret) =>
                      setShown({ client_id: pair.client_id, client_secret })
                    }
                  />
                ))}
              {chosen !== '' && (
                <PlaceLink href={hrefWith({ client_id: undefined })}>{TEXTS.onePair}</PlaceLink>
              )}
              {next_cursor !== null && (
                <PlaceLink href={hrefWith({ cursor: next_cursor })}>More ›</PlaceLink>
              )}
            </>
          )}
        </Shown>
      </Stack>
      {isCreating && (
        <CreatePairDialog
          context={context}
          onCreated={(created) => {
            setIsCreating(false);
            setShown(created);
          }}
          onClose={() => setIsCreating(false)}
        />
      )}
      {shown !== null && <SecretDialog pair={shown} onStored={() => setShown(null)} />}
    </>
  );
}
