import { Controller, Header } from '@nestjs/common';
import { SigningKeys } from '../../../../prisma/base/keys/signing-key.repository.js';
import { Route } from '../http/route.js';
import { keySetDocs } from './key-set.docs.js';

/** Source: native-api 3.2, webhooks 5. */
@Controller()
export class KeySetController {
  constructor(private readonly keys: SigningKeys) {}

  @Route('GET /.well-known/jwks.json', {
    reads: { by: 'stored', rows: 'the current signing keys' },
    docs: keySetDocs.show,
    auth: 'none',
  })
  @Header('Cache-Control', 'public, max-age=300')
  async show() {
    return this.keys.publishedSet();
  }
}
