import { Controller } from '@nestjs/common';
import { z } from 'zod';
import type { Caller } from '../../../../apps/api/src/http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../../../../apps/api/src/http/route.js';
import { toyDocs } from './toy.docs.js';

const WishForToy = { body: z.object({ toy: z.string() }) };

@Controller()
export class ToyController {
  @Route('POST /toys', {
    docs: toyDocs.wish,
    scope: 'links:write',
    status: 201,
    input: WishForToy,
    limits: { bytes: 64 },
  })
  wish(@CurrentCaller() caller: Caller, @Input() { body }: InputOf<typeof WishForToy>) {
    return { toy: body.toy, app: caller.appName };
  }
}
