import { Controller, Header, Param } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import { Route } from '../http/route.js';
import { avatarDocs } from './avatar.docs.js';
import { framedLogo, monogram } from './monogram.js';

/** Public, so that pages can show it without a token. Source: native-api 4.1. */
@Controller()
export class AvatarController {
  constructor(private readonly institutions: InstitutionRepository) {}

  @Route('GET /institutions/:institution_id/avatar.svg', {
    reads: { by: 'object' },
    docs: avatarDocs.show,
    auth: 'none',
  })
  @Header('Content-Type', 'image/svg+xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=86400')
  @Header(
    'Content-Security-Policy',
    "default-src 'none'; img-src data:; frame-ancestors 'none'; sandbox",
  )
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  async show(@Param('institution_id') id: string): Promise<string> {
    const institution = await this.institutions.findAny(id);
    if (institution === null) throw new ApiError('institution_error.not_found');
    const { logoDigest } = institution;
    const logo = logoDigest === null ? null : await this.institutions.logo(logoDigest);
    return logo === null ? monogram(institution) : framedLogo(institution, logo);
  }
}
