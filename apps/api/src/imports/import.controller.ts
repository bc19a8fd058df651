import { Controller, Inject, Param } from '@nestjs/common';
import { presentLink } from '../../../../domain/link/present-link.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { MAX_IMPORTED_ACCOUNTS, MAX_ROWS, rowLimits } from '../http/input/input-limits.js';
import type { KeyUse } from '../http/key-use.js';
import {
  BodyBytes,
  CurrentCaller,
  CurrentKeyUse,
  Input,
  Route,
  type InputOf,
} from '../http/route.js';
import { importDocs } from './import.docs.js';
import { CheckImport } from './check-import.js';
import { CheckImportedRows } from './check-imported-rows.js';
import { ImportLinks } from './import-links.js';
import { ImportLinkRequest, ImportTransactionsRequest } from './import.requests.js';

/** Source: native-api 3.4, 4.9. */
@Controller()
export class ImportController {
  private readonly present = (link: LinkView) => presentLink(link, this.settings);

  constructor(
    private readonly imports: ImportLinks,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('POST /links/import', {
    docs: importDocs.importLink,
    scope: 'links:write',
    input: ImportLinkRequest,
    limits: rowLimits({ accounts: MAX_IMPORTED_ACCOUNTS, transactions: MAX_ROWS }),
    check: CheckImport,
    idempotent: true,
  })
  async importLink(
    @CurrentCaller() caller: Caller,
    @Input() { body }: InputOf<typeof ImportLinkRequest>,
    @BodyBytes() bytes: number,
    @CurrentKeyUse() use: KeyUse,
  ) {
    return this.present(
      await this.imports.importLink(caller, body, bytes, use.keeping(this.present)),
    );
  }

  @Route('POST /links/:id/import/transactions', {
    docs: importDocs.importTransactions,
    scope: 'links:write',
    input: ImportTransactionsRequest,
    limits: rowLimits({ transactions: MAX_ROWS }),
    check: CheckImportedRows,
    idempotent: true,
  })
  async importTransactions(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { body }: InputOf<typeof ImportTransactionsRequest>,
    @BodyBytes() bytes: number,
    @CurrentKeyUse() use: KeyUse,
  ) {
    return this.present(
      await this.imports.importTransactions(
        caller,
        linkId,
        { transactions: body.transactions, bytes },
        use.keeping(this.present),
      ),
    );
  }
}
