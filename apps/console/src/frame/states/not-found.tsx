import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { PlaceLink } from '../place-link.js';
import { PageTitle } from '../page-title.js';
import { TEXTS } from '../texts.js';

/** Unknown addresses and those of other roles look the same. */
export function NotFound(): ReactElement {
  return (
    <>
      <PageTitle title={TEXTS.notFoundTitle} />
      <p className="muted">{TEXTS.notFound}</p>
      <p style={{ marginTop: 16 }}>
        <Button component={PlaceLink} href="/" variant="default">
          {TEXTS.toStart}
        </Button>
      </p>
    </>
  );
}
