import { Controller, Header, Param } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { ProviderConfigurationRepository } from '../../../../prisma/work/providers/provider-configuration.repository.js';
import { Route } from '../http/route.js';
import { providerKeysDocs } from './provider-keys.docs.js';

/** Public: sources verify our client's signatures with these keys (RFC 7523, private_key_jwt). */
@Controller()
export class ProviderKeysController {
  constructor(private readonly configurations: ProviderConfigurationRepository) {}

  @Route('GET /provider-keys/:source', {
    reads: { by: 'stored', rows: 'the keys of a configuration' },
    docs: providerKeysDocs.show,
    auth: 'none',
  })
  @Header('Cache-Control', 'public, max-age=300')
  async show(@Param('source') name: string) {
    const keys = (await this.configurations.find(name))?.publicKeys ?? null;
    // A configuration without public keys gets the response of an unknown one.
    if (keys === null) throw new ApiError('api_error.request.not_found');
    return { keys };
  }
}
