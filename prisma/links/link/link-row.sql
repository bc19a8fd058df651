-- Every column of a link, named as the generated client names it (prisma/schema.prisma, Link).
SELECT pk, link_id AS "linkId", app_id AS "appId", environment, client_id AS "clientId", customer_user_pk AS "customerUserPk",
       institution_id AS "institutionId", provider, state, error_code AS "errorCode", error_message AS "errorMessage",
       error_cause AS "errorCause", tags, webhook, webhook_disabled_at AS "webhookDisabledAt", webhook_format AS "webhookFormat",
       webhook_sent_at AS "webhookSentAt", webhook_sent_code AS "webhookSentCode", institution_alias AS "institutionAlias",
       history_days AS "historyDays", sync_started_at AS "syncStartedAt", told_seq AS "announcedSeq",
       new_accounts_told AS "announcedAccounts", awaited_accounts AS "awaitedAccounts",
       permission_ends_at AS "permissionEndsAt", end_notice_due_at AS "endNoticeDueAt", world_id AS "worldId", connected_at AS "connectedAt",
       imported_at AS "importedAt", match_rows AS "matchRows", shares_ids AS "sharesIds", move_to AS "moveTo", exchange_expires_at AS "exchangeExpiresAt",
       last_synced_at AS "lastSyncedAt", deleted_at AS "deletedAt", next_due_at AS "nextDueAt", slow_due_at AS "slowDueAt",
       interval_ms AS "intervalMs", slow_interval_ms AS "slowIntervalMs",
       head_seq AS "headSeq", investment_seq AS "investmentSeq", revision, refresh_run AS "refreshRun", finished_run AS "finishedRun", faulty_runs AS "faultyRuns",
       created_at AS "createdAt", updated_at AS "updatedAt"
  FROM links
