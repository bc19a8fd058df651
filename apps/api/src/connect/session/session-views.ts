import { Inject, Injectable } from '@nestjs/common';
import {
  InstitutionRepository,
  type InstitutionRecord,
} from '../../../../../prisma/sources/institutions/institution.repository.js';
import type { InstitutionFilter } from '../../../../../prisma/sources/institutions/institution-availability.js';
import { LinkSessionRepository } from '../../../../../prisma/links/sessions/link-session.repository.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';
import { requiredProducts } from '../../../../../domain/link/products.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import { institutionEnvironments } from '../../institutions/institution-environments.js';
import { presentInstitution, presentView, type View } from './present-view.js';

/** Reads what a session shows, from rows only, never from a workflow. */
@Injectable()
export class SessionViews {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly sessions: LinkSessionRepository,
    private readonly institutions: InstitutionRepository,
  ) {}

  async of(session: SessionRecord): Promise<View> {
    const institution =
      session.institutionId === null
        ? null
        : await this.institutions.find(this.environmentsOf(session), session.institutionId);
    return presentView(session, institution, this.settings.baseUrl);
  }

  /** An institution as the search shows it to a session. */
  institution(institution: InstitutionRecord, session: SessionRecord) {
    return presentInstitution(institution, session, this.settings.baseUrl);
  }

  async reload(sessionId: string): Promise<SessionRecord> {
    const session = await this.sessions.get(sessionId);
    if (session === null) throw new Error(`the session ${sessionId} is gone`);
    return session;
  }

  /** The institutions the session may use. Source: link-lifecycle 2.1, 2.3. */
  filterOf(session: SessionRecord): InstitutionFilter {
    return {
      tenant: session,
      environments: this.environmentsOf(session),
      countries: session.countries,
      providers: session.providers,
      requiredProducts: requiredProducts(session.products),
      oauthPossible: session.redirectUri !== null,
      hiddenToo: session.mode === 'relink',
    };
  }

  private environmentsOf(session: SessionRecord) {
    return institutionEnvironments(session.environment, this.settings.sandboxBanksInLive);
  }
}
