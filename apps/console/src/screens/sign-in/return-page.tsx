import { Button } from '@mantine/core';
import { type ReactElement, useEffect, useState } from 'react';
import { asFailure, type CallFailed } from '../../data/call-failed.js';
import { change } from '../../data/call.js';
import { PlaceLink } from '../../frame/place-link.js';
import { takeReturnQuery } from '../../frame/sign-in/return-query.js';
import { useBeginSession } from '../../frame/sign-in/use-begin-session.js';
import { LoadingRows } from '../../frame/states/loading-rows.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { Id } from '../../parts/id/id.js';
import { Facts } from '../../parts/page/page-parts.js';
import { SignInFrame } from './sign-in-frame.js';
import { TEXTS } from './texts.js';

/**
 * The return from the provider: a navigation from another site carries no cookie, so the page posts the query from its
 * own origin.
 */
export default function ReturnPage(): ReactElement {
  const [failure, setFailure] = useState<CallFailed | null>(null);
  const begin = useBeginSession();
  useEffect(() => {
    const query = takeReturnQuery();
    change<{ session: string }>({
      method: 'POST',
      path: '/session/oidc/return',
      body: { query },
    }).then(
      ({ session }) => begin(session),
      (error: unknown) => setFailure(asFailure(error)),
    );
    // The query works once.
  }, []);
  if (failure === null)
    return (
      <SignInFrame title={TEXTS.returning}>
        <LoadingRows rows={2} />
      </SignInFrame>
    );
  const isWithoutRole = failure.code === 'console.no_role';
  return (
    <SignInFrame title={isWithoutRole ? TEXTS.noRole : TEXTS.failed}>
      {isWithoutRole ? <WithoutRole failure={failure} /> : <FailureText failure={failure} />}
      <Button component={PlaceLink} href="/sign-in" variant="default">
        {TEXTS.back}
      </Button>
    </SignInFrame>
  );
}

/** Names the person as the provider does, for the operator who gives them a role. */
function WithoutRole({ failure }: { failure: CallFailed }): ReactElement {
  const of = (field: string): string => failure.messageOf(field) ?? '';
  return (
    <>
      <p role="alert">{failure.message}</p>
      <Facts
        facts={[
          [TEXTS.issuer, <Id key="issuer" id={of('issuer')} whole noun="issuer" />],
          [TEXTS.subject, <Id key="subject" id={of('subject')} whole noun="subject" />],
        ]}
      />
    </>
  );
}
