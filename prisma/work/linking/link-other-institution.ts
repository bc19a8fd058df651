import { institutionSlug } from '../../../domain/institutions/institution-slug.js';
import { searchTextOf } from '../../../domain/institutions/search-text.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import type { LinkedInstitution } from '../../sources/permissions/login-grant.js';

/**
 * The user linked a different institution from the chosen one, on a page where the source allows
 * that. A new link moves to that institution; a relink fails, because its link stays where it is.
 * @throws ProviderFailure `user_denied`
 */
export async function linkOtherInstitution(
  tx: Tx,
  session: LinkSession & { linkPk: bigint },
  linked: LinkedInstitution,
): Promise<void> {
  if (session.mode === 'relink')
    throw new ProviderFailure(
      'user_denied',
      'The user linked a different institution from that of the link.',
    );
  const link = await tx.link.findUniqueOrThrow({ where: { pk: session.linkPk } });
  const provider = session.provider ?? link.provider;
  const { remoteId } = linked;
  const known = await tx.institutionRoute.findUnique({
    where: { provider_remoteId: { provider, remoteId } },
  });
  const institutionId =
    known?.institutionId ?? (await addInstitution(tx, link.institutionId, provider, linked));
  await tx.link.update({ where: { pk: link.pk }, data: { institutionId } });
  await tx.linkSession.update({
    where: { sessionId: session.sessionId },
    data: { institutionId },
  });
}

/** An institution that the source had not listed. Unknown facts come from the chosen one. */
async function addInstitution(
  tx: Tx,
  chosenId: string,
  provider: string,
  { remoteId, name, url }: LinkedInstitution,
): Promise<string> {
  const chosen = await tx.institutionRoute.findUniqueOrThrow({
    where: { institutionId_provider: { institutionId: chosenId, provider } },
    include: { institution: { select: { country: true, environment: true, login: true } } },
  });
  const domain = url === null ? null : new URL(url).hostname.replace(/^www\./, '');
  const facts = { ...chosen.institution, name, domain };
  const likeIt = institutionSlug(facts, () => false);
  const taken = await tx.institution.findMany({
    where: { institutionId: { startsWith: likeIt } },
    select: { institutionId: true },
  });
  const ids = new Set(taken.map((known) => known.institutionId));
  const institutionId = institutionSlug(facts, (id) => ids.has(id));
  const { login, products } = chosen;
  await tx.institution.create({
    data: {
      ...facts,
      institutionId,
      searchText: searchTextOf(facts),
      routes: { create: { provider, remoteId, login, products } },
    },
  });
  return institutionId;
}
