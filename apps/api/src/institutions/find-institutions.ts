import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../../../domain/api/environment.js';
import type { Product } from '../../../../domain/link/products.js';
import {
  InstitutionRepository,
  type InstitutionRecord,
} from '../../../../prisma/institutions/institution.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { institutionEnvironments } from './institution-environments.js';

export type { InstitutionRecord };

export interface InstitutionChoice {
  countries: readonly string[];
  /** The institution must support all of them. */
  products: readonly Product[];
  /** Whether users log in on its own pages; null = either. */
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
    environment: Environment,
    choice: InstitutionChoice,
    page: { offset: number; limit: number },
  ): Promise<{ institutions: InstitutionRecord[]; total: number }> {
    return this.institutions.browse(
      { environments: this.environmentsOf(environment), ...choice },
      page,
    );
  }

  /** Best match first. */
  async search(
    environment: Environment,
    query: string,
    { countries, products, oauth }: InstitutionChoice,
    limit: number,
  ): Promise<InstitutionRecord[]> {
    const filter = {
      environments: this.environmentsOf(environment),
      countries,
      providers: [],
      requiredProducts: products,
      oauthPossible: oauth !== false,
    };
    const { institutions } = await this.institutions.search(filter, {
      query,
      country: null,
      cursor: null,
      limit,
    });
    return institutions.filter(({ login }) => oauth === null || oauth === (login === 'oauth'));
  }

  private environmentsOf(environment: Environment): Environment[] {
    return institutionEnvironments(environment, this.settings.sandboxBanksInLive);
  }
}
