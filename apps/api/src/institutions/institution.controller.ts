import { Controller, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import { COUNTRIES, FIRST_COUNTRIES } from '../../../../domain/institutions/countries.js';
import { presentInstitution } from '../../../../domain/institutions/present-institution.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { cursor, single, truth, wholeNumber } from '../schemas/query.schema.js';
import type { Caller } from '../http/request-state.js';
import { ALL_COUNTRIES, type VersionChange } from '../http/api-versions.js';
import { CurrentCaller, Input, LaterChanges, Route, type InputOf } from '../http/route.js';
import { institutionDocs } from './institution.docs.js';
import { institutionEnvironments } from './institution-environments.js';
import { decodeInstitutionCursor, encodeInstitutionCursor } from './institution-cursor.js';

export const ListInstitutions = {
  query: z.object({
    name: single.optional().describe('A whole name or its beginning, in any case.'),
    featured: truth.optional().describe('Only those that are shown first; false = no filter.'),
    cursor,
    limit: wholeNumber({ min: 1, max: 1000, fallback: 50 }).describe('Institutions of a page.'),
  }),
};

/** Each environment has its own institutions. Source: native-api 3.7. */
@Controller()
export class InstitutionController {
  constructor(
    private readonly institutions: InstitutionRepository,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /institutions', {
    reads: { by: 'page', parameter: 'limit', rows: 1000, inTurn: true },
    docs: institutionDocs.list,
    scope: 'institutions:read',
    input: ListInstitutions,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Input() { query }: InputOf<typeof ListInstitutions>,
    @LaterChanges() unknown: readonly VersionChange[],
  ) {
    const { name = '', featured = false, limit } = query;
    const { institutions, hasMore } = await this.institutions.list(
      {
        tenant: caller,
        environments: this.environmentsOf(caller),
        countries: unknown.includes(ALL_COUNTRIES) ? FIRST_COUNTRIES : COUNTRIES,
        providers: [],
        requiredProducts: [],
        oauthPossible: true,
      },
      { name, featured, limit, after: readCursor(query.cursor) },
    );
    const last = institutions.at(-1);
    return {
      institutions: institutions.map(presentInstitution),
      cursors: {
        next: hasMore && last !== undefined ? encodeInstitutionCursor(last.institutionId) : null,
      },
    };
  }

  @Route('GET /institutions/:institution_id', {
    reads: { by: 'object' },
    docs: institutionDocs.show,
    scope: 'institutions:read',
  })
  async show(@CurrentCaller() caller: Caller, @Param('institution_id') id: string) {
    const institution = await this.institutions.find(this.environmentsOf(caller), id);
    if (institution === null) throw new ApiError('institution_error.not_found');
    return presentInstitution(institution);
  }

  private environmentsOf({ environment }: Caller) {
    return institutionEnvironments(environment, this.settings.sandboxBanksInLive);
  }
}

function readCursor(cursor: string | undefined): string {
  if (cursor === undefined || cursor === '') return '';
  const after = decodeInstitutionCursor(cursor);
  if (after === null)
    throw validationFailed([invalid(['query', 'cursor'], 'The cursor is not valid.')]);
  return after;
}
