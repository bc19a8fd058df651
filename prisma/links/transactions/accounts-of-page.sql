       -- Includes closed and withdrawn accounts: guarantee 7.
       (SELECT json_agg(json_build_object(
                 'account_id', account.account_id, 'account_type', account.account_type, 'name', account.name, 'nickname', account.nickname,
                 'mask', account.mask, 'closed', account.closed, 'missing_since', account.missing_since, 'original_id', account.original_id, 'currency', account.currency,
                 'available', account.available::text, 'current', account."current"::text, 'limit', account."limit"::text,
                 'balance_date', account.balance_date) ORDER BY account.position, account.pk)
          FROM accounts account
         WHERE account.link_pk = link.pk
           AND account.account_id IN (SELECT page.account_id FROM page WHERE page.shown AND page.kind <> 'removed')) AS accounts
