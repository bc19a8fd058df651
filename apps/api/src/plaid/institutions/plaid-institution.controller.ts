import { Controller } from '@nestjs/common';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import { FindInstitutions } from '../../institutions/find-institutions.js';
import { PlaidError } from '../errors/plaid-error.js';
import { optionalOf } from '../link-tokens/requested-products.js';
import { PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { nativeInstitution } from '../shapes/institution-aliases.js';
import {
  GetInstitutionRequest,
  ListInstitutionsRequest,
  SearchInstitutionsRequest,
  type GetInstitutionBody,
  type ListInstitutionsBody,
  type SearchInstitutionsBody,
} from './institution.requests.js';
import { presentInstitution } from './present-plaid-institution.js';

const MAX_RESULTS = 10;

/** Source: plaid-compat 6.6, 7. */
@Controller()
export class PlaidInstitutionController {
  constructor(private readonly institutions: FindInstitutions) {}

  @PlaidRoute({
    path: '/institutions/get_by_id',
    reads: { by: 'object' },
    scope: 'institutions:read',
    request: GetInstitutionRequest,
  })
  async one(
    @CurrentCaller() { environment }: Caller,
    @PlaidBody() { institution_id: id, country_codes: countries, options }: GetInstitutionBody,
  ) {
    const named = nativeInstitution(id, environment);
    const found = await this.institutions.find(environment, named.institutionId);
    if (found === null) throw new PlaidError('INVALID_INSTITUTION');
    const institution = { ...found, country: named.country ?? found.country };
    if (!(countries as readonly string[]).includes(institution.country))
      throw new PlaidError('INVALID_INSTITUTION');
    return { institution: presentInstitution(institution, id, options) };
  }

  @PlaidRoute({
    path: '/institutions/get',
    reads: { by: 'page', parameter: 'count', rows: 500 },
    scope: 'institutions:read',
    request: ListInstitutionsRequest,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PlaidBody() { count, offset, country_codes: countries, options }: ListInstitutionsBody,
  ) {
    const choice = {
      countries,
      products: optionalOf(options.products ?? []),
      oauth: options.oauth ?? null,
    };
    // Institutions have no routing numbers here.
    if (options.routing_numbers !== undefined && options.routing_numbers.length > 0)
      return { institutions: [], total: 0 };
    const { institutions, total } = await this.institutions.browse(caller, choice, {
      offset,
      limit: count,
    });
    return {
      institutions: institutions.map((institution) =>
        presentInstitution(institution, institution.institutionId, options),
      ),
      total,
    };
  }

  @PlaidRoute({
    path: '/institutions/search',
    reads: { by: 'stored', rows: '10 results' },
    scope: 'institutions:read',
    request: SearchInstitutionsRequest,
  })
  async search(
    @CurrentCaller() caller: Caller,
    @PlaidBody() { query, country_codes: countries, products, options }: SearchInstitutionsBody,
  ) {
    const found = await this.institutions.search(
      caller,
      query,
      { countries, products: optionalOf(products ?? []), oauth: options.oauth ?? null },
      MAX_RESULTS,
    );
    return {
      institutions: found.map((institution) =>
        presentInstitution(institution, institution.institutionId, options),
      ),
    };
  }
}
