import type { ReactElement } from 'react';
import type { Link } from '../../../../../clients/node/src/generated/types.js';
import type { LinkDetail } from '../../../../console-server/src/operations/links/link-answers.js';
import { useSession } from '../../data/session.js';
import { LIVELY_MS, useRead } from '../../data/use-read.js';
import {
  nativeIn,
  operationIn,
  placeIn,
  useContextOfPath,
  usePathValue,
} from '../../frame/address.js';
import { PageTitle } from '../../frame/page-title.js';
import { PlaceLink } from '../../frame/place-link.js';
import { Shown } from '../../frame/states/shown.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { Id } from '../../parts/id/id.js';
import { shortenId } from '../../parts/id/shorten-id.js';
import { Card, Columns, Facts, Parent, Stack } from '../../parts/page/page-parts.js';
import { useOnChange } from '../../parts/state/use-on-change.js';
import { Time } from '../../parts/time/time.js';
import { AccountsCard } from './accounts-card.js';
import { bankPlace } from './link-paths.js';
import { LinkStatePanel } from './link-state-panel.js';
import { ProductsCard } from './products-card.js';
import { TEXTS } from './texts.js';
import { TimelineCard } from './timeline-card.js';
import { WorkCard } from './work-card.js';

/** One link: its state with the remedy, its data, and everything that happened to it. */
export default function LinkPage(): ReactElement {
  const context = useContextOfPath();
  const linkId = usePathValue('link_id');
  const { apps } = useSession();
  const segment = encodeURIComponent(linkId);
  const detail = useRead<LinkDetail>(operationIn(context, `/links/${segment}/detail`));
  // The service answers 404 once the link is deleted; the detail then shows what remains.
  const link = useRead<Link>(
    detail.data === undefined || detail.data.state === 'deleted'
      ? null
      : nativeIn(context, `/links/${segment}`),
    { every: LIVELY_MS },
  );
  const version =
    link.data === undefined ? null : `${link.data.updated_at} ${link.data.last_synced_at}`;
  useOnChange(version, detail.again);
  const appName = apps.find(({ app_id }) => app_id === context.app)?.name ?? context.app;
  return (
    <>
      <Parent href={placeIn(context, '/links')} name={TEXTS.links} />
      <PageTitle title={`${TEXTS.link} ${shortenId(linkId)}`}>
        <Id id={linkId} whole noun="link" />
      </PageTitle>
      <Shown
        of={detail}
        missing={TEXTS.unknownLink(appName, context.env === 'live' ? 'Live' : 'Sandbox')}
      >
        {(known) => (
          <Stack>
            <LinkStatePanel context={context} detail={known} link={link.data} />
            <Columns>
              <Stack>
                {link.data !== undefined && <ProductsCard products={link.data.products} />}
                <TimelineCard context={context} linkId={linkId} version={version} />
              </Stack>
              <Stack>
                <Card title={TEXTS.facts}>
                  <LinkFacts detail={known} link={link.data} />
                </Card>
                {known.state !== 'deleted' && (
                  <AccountsCard context={context} linkId={linkId} version={version} />
                )}
                <WorkCard context={context} detail={known} />
              </Stack>
            </Columns>
          </Stack>
        )}
      </Shown>
    </>
  );
}

function LinkFacts({ detail, link }: { detail: LinkDetail; link: Link | undefined }): ReactElement {
  const context = useContextOfPath();
  return (
    <Facts
      facts={[
        [
          TEXTS.bank,
          <PlaceLink key="bank" href={bankPlace(context, detail.institution_id)}>
            <ForeignText text={link?.institution_name ?? detail.institution_id} canGrow={false} />
          </PlaceLink>,
        ],
        ...(link === undefined
          ? []
          : ([[TEXTS.user, <ForeignText key="user" text={link.customer_user_id} />]] as const)),
        [TEXTS.provider, <bdi key="provider">{detail.provider}</bdi>],
        [TEXTS.created, <Time key="created" at={detail.created_at} />],
        ...(link === undefined
          ? []
          : ([
              [
                TEXTS.permissionEnds,
                <Time key="ends" at={link.permission_ends_at} absent={TEXTS.notKnown} />,
              ],
              [
                TEXTS.webhook,
                link.webhook === null ? (
                  <span key="webhook" className="muted">
                    {TEXTS.noWebhook}
                  </span>
                ) : (
                  <span key="webhook">
                    <ForeignText text={addressWithoutQuery(link.webhook)} />
                    {link.webhook_disabled_at !== null && ` (${TEXTS.webhookDisabled})`}
                  </span>
                ),
              ],
              ...(link.tags.length === 0
                ? []
                : ([
                    [TEXTS.tags, <ForeignText key="tags" text={link.tags.join(', ')} />],
                  ] as const)),
            ] as const)),
      ]}
    />
  );
}

/** A query can hold a secret of the receiver. */
const addressWithoutQuery = (address: string): string => address.split('?')[0] ?? address;
