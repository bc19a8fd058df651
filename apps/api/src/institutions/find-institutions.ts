import { Inject, Injectable } from '@nestjs/common';
import type { Environment, Tenant } from '../../../../domain/api/environment.js';
import type { Product } from '../../../../domain/link/products.js';
import type { InstitutionFilter } from '../../../../prisma/sources/institutions/institution-availability.js';
import {
  InstitutionRepository,
  type InstitutionRecord,
} from '../../../../prisma/sources/institutions/institution.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { institutionEnvironments } from './institution-environments.js';

export type { InstitutionRecord };

export interface InstitutionChoice {
  countries: readonly string[];
  /** The institution must support all of them. */
  products: readonly Product[];
  /** True: users log in on its own pages; null = either. */
  oauth: boolean | null;
}

/**
 * The institutions visible to a key pair, for callers that present them in other formats than the
 * native API.
 */
@Injectable()
export class FindInstitutions {
  constructor(
    private readonly institutions: InstitutionRepository,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  find(environment: Environment, id: string): Promise<InstitutionRecord | null> {
    return this.institutions.find(this.environmentsOf(environment), id);
  }

  /** A slice of all matches, in id order, and their total. */
  browse(
    tenant: Tenant,
    choice: InstitutionChoice,
    page: { offset: number; limit: number },
  ): Promise<{ institutions: InstitutionRecord[]; total: number }> {
    const filter = this.filterOf(tenant, choice, true);
    return this.institutions.browse(filter, { oauth: choice.oauth, ...page });
  }

  /** Best match first. */
  async search(
    tenant: Tenant,
    query: string,
    choice: InstitutionChoice,
    limit: number,
  ): Promise<InstitutionRecord[]> {
    const { oauth } = choice;
    const { institutions } = await this.institutions.search(
      this.filterOf(tenant, choice, oauth !== false),
      { query, country: null, cursor: null, limit },
    );
    return institutions.filter(({ login }) => oauth === null || oauth === (login === 'oauth'));
  }

  private filterOf(
    tenant: Tenant,
    { countries, products }: InstitutionChoice,
    oauthPossible: boolean,
  ): InstitutionFilter {
    return {
      tenant,
      environments: this.environmentsOf(tenant.environment),
      countries,
      providers: [],
      requiredProducts: products,
      oauthPossible,
    };
  }

  private environmentsOf(environment: Environment): Environment[] {
    return institutionEnvironments(environment, this.settings.sandboxBanksInLive);
  }
}
