CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateTable
CREATE TABLE "applications" (
    "app_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "logo_url" TEXT,
    "country" TEXT NOT NULL DEFAULT 'US',
    "redirect_origins" TEXT[],
    "page_origins" TEXT[],
    "features" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "live_listening" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("app_id")
);

-- CreateTable
CREATE TABLE "api_clients" (
    "client_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "live_limit" INTEGER NOT NULL DEFAULT 10,
    "ignores_unoffered_products" BOOLEAN NOT NULL DEFAULT true,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3),
    "label" TEXT,
    "restriction" JSONB,
    "scopes" JSONB,
    "share_percent" SMALLINT,

    CONSTRAINT "api_clients_pkey" PRIMARY KEY ("client_id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "token_hash" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "scope" TEXT[],
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "secret_id" TEXT,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "institutions" (
    "institution_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "domain" TEXT,
    "color" TEXT,
    "color_dark" TEXT,
    "logo_url" TEXT,
    "is_featured" BOOLEAN NOT NULL DEFAULT false,
    "environment" TEXT NOT NULL,
    "login" TEXT NOT NULL,
    "hidden" BOOLEAN NOT NULL DEFAULT false,
    "search_text" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "logo_digest" TEXT,

    CONSTRAINT "institutions_pkey" PRIMARY KEY ("institution_id")
);

-- CreateTable
CREATE TABLE "institution_logos" (
    "address" TEXT NOT NULL,
    "digest" TEXT,
    "picture" BYTEA,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "institution_logos_pkey" PRIMARY KEY ("address")
);

-- CreateTable
CREATE TABLE "institution_aliases" (
    "alias" TEXT NOT NULL,
    "institution_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "institution_aliases_pkey" PRIMARY KEY ("alias")
);

-- CreateTable
CREATE TABLE "institution_routes" (
    "institution_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "remote_id" TEXT NOT NULL,
    "products" TEXT[],
    "health" TEXT NOT NULL DEFAULT 'operational',
    "priority" INTEGER NOT NULL DEFAULT 0,
    "login" TEXT NOT NULL,
    "preferred" BOOLEAN NOT NULL DEFAULT false,
    "price_class" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "unrenewable_since" TIMESTAMPTZ(3),

    CONSTRAINT "institution_routes_pkey" PRIMARY KEY ("institution_id","provider")
);

-- CreateTable
CREATE TABLE "customer_users" (
    "pk" BIGSERIAL NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "email" JSONB,
    "phone" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_users_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "user_erasures" (
    "erasure_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "customer_user_pk" BIGINT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_erasures_pkey" PRIMARY KEY ("erasure_id")
);

-- CreateTable
CREATE TABLE "link_sessions" (
    "session_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "customer_user_pk" BIGINT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "connect_token_hash" BYTEA,
    "mode" TEXT NOT NULL,
    "began_as" TEXT NOT NULL,
    "existing_link_id" TEXT,
    "preset_institution_id" TEXT,
    "products" JSONB NOT NULL,
    "countries" TEXT[],
    "providers" TEXT[],
    "features" JSONB NOT NULL,
    "theme" JSONB,
    "redirect_uri" TEXT,
    "webhook" TEXT,
    "tags" TEXT[],
    "webhook_given" BOOLEAN NOT NULL DEFAULT true,
    "tags_given" BOOLEAN NOT NULL DEFAULT true,
    "world_id" TEXT NOT NULL DEFAULT 'default',
    "sandbox_data" JSONB,
    "webhook_format" TEXT NOT NULL DEFAULT 'native',
    "plaid" JSONB,
    "plaid_exit" JSONB,
    "sealed_link_token" BYTEA,
    "sealed_public_token" BYTEA,
    "state" TEXT NOT NULL,
    "end_reason" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "total_expires_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "seq" INTEGER NOT NULL DEFAULT 0,
    "step" JSONB,
    "phase" TEXT NOT NULL DEFAULT 'unopened',
    "prepared_step" JSONB,
    "steps_taken" INTEGER NOT NULL DEFAULT 0,
    "institution_id" TEXT,
    "link_pk" BIGINT,
    "attempt_key" TEXT,
    "provider" TEXT,
    "bank_accepted" BOOLEAN NOT NULL DEFAULT false,
    "resumed_without_token" BOOLEAN NOT NULL DEFAULT false,
    "granted_products" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "browser_hash" BYTEA,
    "browser_request_id" TEXT,
    "finished_at" TIMESTAMPTZ(3),
    "succeeded_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_sessions_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "connect_tokens" (
    "token_hash" BYTEA NOT NULL,
    "session_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connect_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "session_secrets" (
    "session_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_secrets_pkey" PRIMARY KEY ("session_id","kind","name")
);

-- CreateTable
CREATE TABLE "oauth_states" (
    "session_id" TEXT NOT NULL,
    "redirect_id" TEXT NOT NULL,
    "attempt_key" TEXT NOT NULL,
    "state_hash" BYTEA NOT NULL,
    "return_hash" BYTEA NOT NULL,
    "returns" TEXT NOT NULL DEFAULT 'code_or_error',
    "issuer" TEXT,
    "redirect_uri" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "returned_at" TIMESTAMPTZ(3),
    "holder" BYTEA,
    "redeemed_at" TIMESTAMPTZ(3),
    "sealed_return_id" BYTEA NOT NULL,
    "sealed_address" BYTEA NOT NULL,
    "sealed_provider_state" BYTEA NOT NULL,
    "sealed_callback" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_states_pkey" PRIMARY KEY ("session_id","redirect_id")
);

-- CreateTable
CREATE TABLE "exchangeable_tokens" (
    "token_hash" BYTEA NOT NULL,
    "session_id" TEXT NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "voided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "exchangeable_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "data_keys" (
    "owner" TEXT NOT NULL,
    "master_key_id" TEXT NOT NULL,
    "wrapped" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_keys_pkey" PRIMARY KEY ("owner")
);

-- CreateTable
CREATE TABLE "master_keys" (
    "key_id" TEXT NOT NULL,
    "canary" BYTEA NOT NULL,
    "last_current_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "master_keys_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "links" (
    "pk" BIGSERIAL NOT NULL,
    "link_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "customer_user_pk" BIGINT NOT NULL,
    "institution_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "error_code" TEXT,
    "error_message" TEXT,
    "error_cause" TEXT,
    "tags" TEXT[],
    "webhook" TEXT,
    "webhook_disabled_at" TIMESTAMPTZ(3),
    "webhook_format" TEXT NOT NULL DEFAULT 'native',
    "webhook_sent_at" TIMESTAMPTZ(3),
    "webhook_sent_code" TEXT,
    "institution_alias" TEXT,
    "history_days" INTEGER,
    "sync_started_at" TIMESTAMPTZ(3),
    "told_seq" BIGINT NOT NULL DEFAULT 0,
    "new_accounts_told" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "permission_ends_at" TIMESTAMPTZ(3),
    "end_notice_due_at" TIMESTAMPTZ(3),
    "world_id" TEXT NOT NULL DEFAULT 'default',
    "connected_at" TIMESTAMPTZ(3),
    "imported_at" TIMESTAMPTZ(3),
    "match_rows" BOOLEAN NOT NULL DEFAULT false,
    "shares_ids" BOOLEAN NOT NULL DEFAULT false,
    "move_to" TEXT,
    "exchange_expires_at" TIMESTAMPTZ(3),
    "last_synced_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "next_due_at" TIMESTAMPTZ(3),
    "slow_due_at" TIMESTAMPTZ(3),
    "head_seq" BIGINT NOT NULL DEFAULT 0,
    "investment_seq" BIGINT NOT NULL DEFAULT 0,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "refresh_run" BIGINT NOT NULL DEFAULT 0,
    "finished_run" BIGINT NOT NULL DEFAULT 0,
    "faulty_runs" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "awaited_accounts" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "interval_ms" BIGINT,
    "slow_interval_ms" BIGINT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "links_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "item_access_tokens" (
    "token_hash" BYTEA NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "client_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "item_access_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "link_products" (
    "link_pk" BIGINT NOT NULL,
    "product" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "required" BOOLEAN NOT NULL,
    "prefetch" BOOLEAN NOT NULL,
    "require_permission" BOOLEAN NOT NULL,
    "reason" TEXT,
    "extend_history" BOOLEAN NOT NULL,
    "granted" BOOLEAN NOT NULL DEFAULT true,
    "state" TEXT,
    "state_changed_at" TIMESTAMPTZ(3),
    "refreshed_at" TIMESTAMPTZ(3),
    "last_attempted_at" TIMESTAMPTZ(3),
    "attempt_began_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_message" TEXT,
    "unavailable" TEXT,
    "has_history" BOOLEAN NOT NULL DEFAULT false,
    "requested_at" TIMESTAMPTZ(3),
    "fetched_in_run" BIGINT,
    "attempt_no" INTEGER NOT NULL DEFAULT 0,
    "error_cause" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "incomplete" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "link_products_pkey" PRIMARY KEY ("link_pk","product")
);

-- CreateTable
CREATE TABLE "provider_credentials" (
    "link_pk" BIGINT NOT NULL,
    "provider" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "renewed_at" TIMESTAMPTZ(3),
    "update_state" BYTEA,
    "login_user" BYTEA,
    "end_due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_credentials_pkey" PRIMARY KEY ("link_pk")
);

-- CreateTable
CREATE TABLE "permission_revocations" (
    "revocation_id" TEXT NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "provider" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_attempt_at" TIMESTAMPTZ(3),
    "give_up_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "permission_revocations_pkey" PRIMARY KEY ("revocation_id")
);

-- CreateTable
CREATE TABLE "unrevoked_permissions" (
    "pk" BIGSERIAL NOT NULL,
    "link_id" TEXT NOT NULL,
    "institution_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "reference" TEXT,
    "reason" TEXT NOT NULL,
    "reported_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "adapter" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,

    CONSTRAINT "unrevoked_permissions_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "accounts" (
    "pk" BIGSERIAL NOT NULL,
    "account_id" TEXT NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "account_type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nickname" TEXT,
    "mask" TEXT,
    "currency" TEXT NOT NULL,
    "available" DECIMAL,
    "current" DECIMAL,
    "limit" DECIMAL,
    "balance_date" TIMESTAMPTZ(3),
    "closed" BOOLEAN NOT NULL DEFAULT false,
    "permitted" BOOLEAN NOT NULL DEFAULT true,
    "original_id" TEXT,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "missing_since" TIMESTAMPTZ(3),

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "account_numbers" (
    "account_pk" BIGINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_numbers_pkey" PRIMARY KEY ("account_pk")
);

-- CreateTable
CREATE TABLE "account_owners" (
    "account_pk" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_owners_pkey" PRIMARY KEY ("account_pk","position")
);

-- CreateTable
CREATE TABLE "transaction_versions" (
    "link_pk" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "next_seq" BIGINT,
    "first_seq" BIGINT NOT NULL,
    "born_pending" BOOLEAN NOT NULL,
    "posted_seq" BIGINT,
    "removed" BOOLEAN NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_transaction_id" TEXT NOT NULL,
    "amount" DECIMAL NOT NULL,
    "type" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "pending" BOOLEAN NOT NULL,
    "category" TEXT,
    "original_id" TEXT,
    "content_hash" BYTEA NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "counterparty_numbers" BYTEA,

    CONSTRAINT "transaction_versions_pkey" PRIMARY KEY ("link_pk","seq")
);

-- CreateTable
CREATE TABLE "held_events" (
    "pk" BIGSERIAL NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "content" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "held_events_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "pk" BIGSERIAL NOT NULL,
    "event_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "webhook_event" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "format" TEXT NOT NULL DEFAULT 'native',
    "body" TEXT NOT NULL,
    "sealed_body" BYTEA,
    "body_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "pk" BIGSERIAL NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "event_pk" BIGINT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "newest" BOOLEAN NOT NULL DEFAULT true,
    "url" TEXT,
    "endpoint" TEXT,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "history" JSONB NOT NULL DEFAULT '[]',
    "first_attempt_at" TIMESTAMPTZ(3),
    "last_attempt_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "shift_ms" BIGINT NOT NULL DEFAULT 0,
    "in_workflow" BOOLEAN NOT NULL DEFAULT false,
    "trace_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("pk")
);

-- CreateTable. Unlogged: a lease says that a sender is about to make an attempt. A crash of the database ends every
-- lease, and its attempt is made again (at least once), so leases need no place in the write-ahead log.
CREATE UNLOGGED TABLE "webhook_leases" (
    "delivery_pk" BIGINT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_leases_pkey" PRIMARY KEY ("delivery_pk")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "key_set" TEXT NOT NULL DEFAULT 'native',
    "public_jwk" JSONB NOT NULL,
    "sealed_private" BYTEA,
    "rotation" TEXT,
    "active_from" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "sandbox_worlds" (
    "app_id" TEXT NOT NULL,
    "world_id" TEXT NOT NULL,
    "source_ref" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "seed" BIGINT NOT NULL,
    "now" TIMESTAMPTZ(3),
    "advancing_to" TIMESTAMPTZ(3),
    "ran" JSONB,
    "enforce_refresh_limits" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_worlds_pkey" PRIMARY KEY ("app_id","world_id")
);

-- CreateTable
CREATE TABLE "sandbox_requests" (
    "request_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "sealed_input" BYTEA NOT NULL,
    "sealed_output" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_requests_pkey" PRIMARY KEY ("request_id")
);

-- CreateTable
CREATE TABLE "cursor_keys" (
    "key_id" SERIAL NOT NULL,
    "sealed" BYTEA NOT NULL,
    "retired_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cursor_keys_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "token_call_buckets" (
    "key_hash" BYTEA NOT NULL,
    "calls" DOUBLE PRECISION NOT NULL,
    "filled_at" TIMESTAMPTZ(3) NOT NULL,
    "taken" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "token_call_buckets_pkey" PRIMARY KEY ("key_hash")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "scope_hash" BYTEA NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "body_sha256" BYTEA NOT NULL,
    "outcome" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("scope_hash")
);

-- CreateTable
CREATE TABLE "refresh_requests" (
    "pk" BIGSERIAL NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "product" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refresh_requests_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "refresh_controls" (
    "scope" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "paused_until" TIMESTAMPTZ(3),
    "interval_ms" BIGINT,
    "slow_interval_ms" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refresh_controls_pkey" PRIMARY KEY ("scope","name")
);

-- CreateTable
CREATE TABLE "operator_actions" (
    "pk" BIGSERIAL NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operator_actions_pkey" PRIMARY KEY ("pk")
);

-- Rows are only inserted, by the owner, too.
REVOKE UPDATE, DELETE, TRUNCATE ON "operator_actions" FROM CURRENT_USER;
-- Roles that default privileges have just given more (deploy/postgres/roles.sql).
DO $$
DECLARE
    holder regrole;
BEGIN
    FOR holder IN
        SELECT DISTINCT grantee::regrole FROM pg_class, aclexplode(relacl)
         WHERE pg_class.oid = 'operator_actions'::regclass AND grantee <> 0
    LOOP
        EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON operator_actions FROM %s', holder);
    END LOOP;
END $$;

-- CreateTable
CREATE TABLE "console_codes" (
    "code_hash" BYTEA NOT NULL,
    "role" TEXT NOT NULL,
    "app_id" TEXT,
    "is_read_only" BOOLEAN NOT NULL,
    "label" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "console_codes_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "console_sessions" (
    "session_id" TEXT NOT NULL,
    "cookie_hash" BYTEA NOT NULL,
    "header_hash" BYTEA NOT NULL,
    "actor" TEXT NOT NULL,
    "grants" JSONB NOT NULL,
    "signed_in_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "console_sessions_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "outbox_commands" (
    "pk" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "available_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_error" TEXT,
    "trace_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_commands_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_clients_app_id_environment_client_id_key" ON "api_clients"("app_id", "environment", "client_id");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "institution_logos_digest_idx" ON "institution_logos"("digest");

-- CreateIndex
CREATE INDEX "institutions_browse" ON "institutions"("environment", "country", "is_featured", "search_text", "institution_id");

-- CreateIndex
CREATE INDEX "institutions_matches" ON "institutions" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "institutions_similar" ON "institutions" USING GIST ("search_text" gist_trgm_ops);

-- CreateIndex
CREATE INDEX "institution_aliases_institution_id_idx" ON "institution_aliases"("institution_id");

-- CreateIndex
CREATE INDEX "customer_users_last_used_at_idx" ON "customer_users"("last_used_at");

-- CreateIndex
CREATE UNIQUE INDEX "customer_users_app_id_environment_user_id_key" ON "customer_users"("app_id", "environment", "user_id");

-- CreateIndex
CREATE INDEX "user_erasures_erased_at_requested_at_idx" ON "user_erasures"("erased_at", "requested_at");

-- CreateIndex
CREATE UNIQUE INDEX "link_sessions_token_hash_key" ON "link_sessions"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "link_sessions_connect_token_hash_key" ON "link_sessions"("connect_token_hash");

-- CreateIndex
CREATE INDEX "link_sessions_state_expires_at_idx" ON "link_sessions"("state", "expires_at");

-- CreateIndex
CREATE INDEX "link_sessions_app_id_environment_state_expires_at_idx" ON "link_sessions"("app_id", "environment", "state", "expires_at");

-- CreateIndex
CREATE INDEX "link_sessions_ended_at_idx" ON "link_sessions"("ended_at");

-- CreateIndex
CREATE INDEX "connect_tokens_session_id_idx" ON "connect_tokens"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_states_state_hash_key" ON "oauth_states"("state_hash");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_states_return_hash_key" ON "oauth_states"("return_hash");

-- CreateIndex
CREATE INDEX "exchangeable_tokens_session_id_idx" ON "exchangeable_tokens"("session_id");

-- CreateIndex
CREATE INDEX "exchangeable_tokens_link_pk_idx" ON "exchangeable_tokens"("link_pk");

-- CreateIndex
CREATE INDEX "data_keys_master_key_id_idx" ON "data_keys"("master_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "links_link_id_key" ON "links"("link_id");

-- CreateIndex
CREATE INDEX "links_app_id_environment_pk_idx" ON "links"("app_id", "environment", "pk");

-- CreateIndex
CREATE INDEX "links_state_exchange_expires_at_idx" ON "links"("state", "exchange_expires_at");

-- CreateIndex
CREATE INDEX "links_world_id_next_due_at_idx" ON "links"("world_id", "next_due_at");

-- CreateIndex
CREATE INDEX "links_app_id_world_id_idx" ON "links"("app_id", "world_id");

-- CreateIndex
CREATE INDEX "item_access_tokens_link_pk_idx" ON "item_access_tokens"("link_pk");

-- CreateIndex
CREATE INDEX "link_products_state_state_changed_at_idx" ON "link_products"("state", "state_changed_at");

-- CreateIndex
CREATE INDEX "provider_credentials_end_due_at_idx" ON "provider_credentials"("end_due_at");

-- CreateIndex
CREATE INDEX "permission_revocations_link_pk_idx" ON "permission_revocations"("link_pk");

-- CreateIndex
CREATE INDEX "permission_revocations_give_up_at_idx" ON "permission_revocations"("give_up_at");

-- CreateIndex
CREATE INDEX "unrevoked_permissions_link_id_pk_idx" ON "unrevoked_permissions"("link_id", "pk");

-- CreateIndex
CREATE INDEX "unrevoked_permissions_reported_at_idx" ON "unrevoked_permissions"("reported_at");

-- CreateIndex
CREATE INDEX "unrevoked_permissions_created_at_idx" ON "unrevoked_permissions"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_account_id_key" ON "accounts"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_link_pk_provider_account_id_key" ON "accounts"("link_pk", "provider_account_id");

-- CreateIndex
CREATE INDEX "transaction_versions_account" ON "transaction_versions"("link_pk", "account_id", "seq");

-- CreateIndex
CREATE INDEX "held_events_link_pk_pk_idx" ON "held_events"("link_pk", "pk");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_events_event_id_key" ON "webhook_events"("event_id");

-- CreateIndex
CREATE INDEX "webhook_events_app_id_environment_pk_idx" ON "webhook_events"("app_id", "environment", "pk");

-- CreateIndex
CREATE INDEX "webhook_events_app_id_environment_webhook_event_pk_idx" ON "webhook_events"("app_id", "environment", "webhook_event", "pk");

-- CreateIndex
CREATE INDEX "webhook_events_app_id_environment_created_at_pk_idx" ON "webhook_events"("app_id", "environment", "created_at", "pk");

-- CreateIndex
CREATE INDEX "webhook_events_link_id_pk_idx" ON "webhook_events"("link_id", "pk");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_delivery_id_key" ON "webhook_deliveries"("delivery_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_pk_newest_pk_idx" ON "webhook_deliveries"("event_pk", "newest", "pk");

-- CreateIndex
CREATE INDEX "webhook_leases_endpoint_idx" ON "webhook_leases"("endpoint");

-- CreateIndex
CREATE UNIQUE INDEX "signing_keys_key_set_rotation_key" ON "signing_keys"("key_set", "rotation");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_worlds_source_ref_key" ON "sandbox_worlds"("source_ref");

-- CreateIndex
CREATE INDEX "sandbox_requests_created_at_idx" ON "sandbox_requests"("created_at");

-- CreateIndex
CREATE INDEX "token_call_buckets_filled_at_idx" ON "token_call_buckets"("filled_at");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_requests_link_pk_product_idx" ON "refresh_requests"("link_pk", "product");

-- CreateIndex
CREATE INDEX "operator_actions_created_at_pk_idx" ON "operator_actions"("created_at", "pk");

-- CreateIndex
CREATE INDEX "console_codes_expires_at_idx" ON "console_codes"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "console_sessions_cookie_hash_key" ON "console_sessions"("cookie_hash");

-- CreateIndex
CREATE INDEX "console_sessions_ends_at_idx" ON "console_sessions"("ends_at");

-- CreateIndex
CREATE INDEX "outbox_commands_available_at_pk_idx" ON "outbox_commands"("available_at", "pk");

-- AddForeignKey
ALTER TABLE "api_clients" ADD CONSTRAINT "api_clients_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "applications"("app_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "api_clients"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "institution_aliases" ADD CONSTRAINT "institution_aliases_institution_id_fkey" FOREIGN KEY ("institution_id") REFERENCES "institutions"("institution_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "institution_routes" ADD CONSTRAINT "institution_routes_institution_id_fkey" FOREIGN KEY ("institution_id") REFERENCES "institutions"("institution_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_sessions" ADD CONSTRAINT "link_sessions_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "api_clients"("client_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_sessions" ADD CONSTRAINT "link_sessions_customer_user_pk_fkey" FOREIGN KEY ("customer_user_pk") REFERENCES "customer_users"("pk") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_sessions" ADD CONSTRAINT "link_sessions_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connect_tokens" ADD CONSTRAINT "connect_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "link_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_secrets" ADD CONSTRAINT "session_secrets_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "link_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_states" ADD CONSTRAINT "oauth_states_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "link_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exchangeable_tokens" ADD CONSTRAINT "exchangeable_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "link_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exchangeable_tokens" ADD CONSTRAINT "exchangeable_tokens_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "api_clients"("client_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_customer_user_pk_fkey" FOREIGN KEY ("customer_user_pk") REFERENCES "customer_users"("pk") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item_access_tokens" ADD CONSTRAINT "item_access_tokens_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_products" ADD CONSTRAINT "link_products_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "permission_revocations" ADD CONSTRAINT "permission_revocations_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_numbers" ADD CONSTRAINT "account_numbers_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_owners" ADD CONSTRAINT "account_owners_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "held_events" ADD CONSTRAINT "held_events_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_pk_fkey" FOREIGN KEY ("event_pk") REFERENCES "webhook_events"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_requests" ADD CONSTRAINT "refresh_requests_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on: what the Prisma schema language cannot express.

-- Legal values
ALTER TABLE "api_clients" ADD CONSTRAINT "api_clients_environment" CHECK ("environment" IN ('sandbox', 'live'));
ALTER TABLE "links" ADD CONSTRAINT "links_state" CHECK ("state" IN ('connecting', 'awaiting_token_exchange', 'connected', 'error', 'deleted'));
ALTER TABLE "links" ADD CONSTRAINT "links_error_only_in_error" CHECK (("state" = 'error') = ("error_code" IS NOT NULL));
ALTER TABLE "links" ALTER COLUMN "new_accounts_told" SET NOT NULL;
ALTER TABLE "link_products" ADD CONSTRAINT "link_products_state" CHECK ("state" IN ('pending', 'in_progress', 'completed', 'failed'));
ALTER TABLE "link_sessions" ADD CONSTRAINT "link_sessions_state" CHECK ("state" IN ('created', 'open', 'succeeded', 'ended'));
ALTER TABLE "link_sessions" ADD CONSTRAINT "link_sessions_phase" CHECK ("phase" IN ('unopened', 'choosingBank', 'offeringExtension', 'offeringRedirect', 'callingBank', 'answering', 'waitingAtBank', 'awayAtBank', 'asking', 'showingProblem', 'succeeded', 'over'));
ALTER TABLE "transaction_versions" ADD CONSTRAINT "transaction_versions_amount" CHECK ("amount" >= 0);
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_status" CHECK ("status" IN ('pending', 'delivered', 'exhausted', 'disabled', 'no_address', 'replaced'));

-- Links: those that count toward the limit of a client (domain/link/trial-limit.ts), those whose record is purged, those
-- of an erased world, and those whose client is to be notified of the end of a permission (plaid-compat 8.1).
CREATE INDEX "links_counted" ON "links"("client_id") WHERE "environment" = 'live' AND ("state" IN ('connecting', 'awaiting_token_exchange', 'connected') OR ("state" = 'error' AND "connected_at" IS NOT NULL));
CREATE INDEX "links_deleted" ON "links"("deleted_at") WHERE "state" = 'deleted';
CREATE INDEX "links_erased" ON "links"("pk") WHERE "environment" = 'erased';
CREATE INDEX "links_end_notice" ON "links"("world_id", "end_notice_due_at") WHERE "end_notice_due_at" IS NOT NULL;

-- Sessions: at most one of a link is in progress; sessions of a sandbox world that is deleted.
CREATE INDEX "link_sessions_relinks" ON "link_sessions"("existing_link_id") WHERE "state" IN ('created', 'open');
CREATE INDEX "link_sessions_of_worlds" ON "link_sessions"("app_id", "world_id") WHERE "world_id" <> 'default';

-- Refresh requests that no run has consumed
CREATE INDEX "refresh_requests_waiting" ON "refresh_requests"("link_pk", "pk") WHERE "consumed_at" IS NULL;
CREATE INDEX "refresh_requests_overdue" ON "refresh_requests"("created_at") WHERE "consumed_at" IS NULL;

-- Transactions: one current version of each (a tombstone is current, too), the listing of an account, and when a
-- transaction first changed after a position.
CREATE UNIQUE INDEX "transaction_versions_current" ON "transaction_versions"("link_pk", "transaction_id") WHERE "next_seq" IS NULL;
CREATE UNIQUE INDEX "transaction_versions_current_provider_id" ON "transaction_versions"("link_pk", "provider_transaction_id") WHERE "next_seq" IS NULL AND NOT "removed";
CREATE INDEX "transaction_versions_listing" ON "transaction_versions"("link_pk", "date" DESC, "transaction_id") WHERE "next_seq" IS NULL AND NOT "removed";
CREATE INDEX "transaction_versions_replaced" ON "transaction_versions"("link_pk", "transaction_id", "seq") WHERE "next_seq" IS NOT NULL;

-- Webhook deliveries: first attempts by endpoint, so that a claim does not read the backlog of a dead one; later
-- attempts with and without a workflow; replays by their start and by their range; the last delivery of each event.
CREATE INDEX "webhook_deliveries_first" ON "webhook_deliveries"("endpoint", "pk", "next_attempt_at") WHERE "status" = 'pending' AND "attempts" = 0;
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries"("endpoint", "next_attempt_at", "pk") WHERE "status" = 'pending' AND "attempts" >= 1 AND NOT "in_workflow";
CREATE INDEX "webhook_deliveries_retries" ON "webhook_deliveries"("next_attempt_at", "pk") WHERE "status" = 'pending' AND "attempts" >= 1 AND NOT "in_workflow";
CREATE INDEX "webhook_deliveries_in_workflow" ON "webhook_deliveries"("endpoint", "next_attempt_at") WHERE "status" = 'pending' AND "in_workflow";
CREATE INDEX "webhook_deliveries_ranges" ON "webhook_deliveries"("app_id", "environment", "created_at", "first_attempt_at") WHERE "reason" = 'replay';
CREATE INDEX "webhook_deliveries_standing" ON "webhook_deliveries"("app_id", "environment", "status", "event_pk") WHERE "newest";

-- Whether a delivery that is overdue has a command already
CREATE INDEX "outbox_commands_delivery" ON "outbox_commands"(("payload"->>'deliveryId')) WHERE "kind" = 'startWebhookDelivery';

-- A claim steps over index entries that died since the last vacuum. By default a vacuum comes when a fifth of the table
-- is dead: with a million stored events, 200,000 entries in every claim.
ALTER TABLE "webhook_deliveries" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
ALTER TABLE "webhook_leases" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- CreateTable
CREATE TABLE "provider_configurations" (
    "name" TEXT NOT NULL,
    "adapter" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "sealed_secrets" BYTEA,
    "webhook_key_hash" BYTEA,
    "public_keys" JSONB,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "broken" BOOLEAN NOT NULL DEFAULT false,
    "check_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checked_at" TIMESTAMPTZ(3),
    "check_report" JSONB,
    "credentials_end_at" TIMESTAMPTZ(3),
    "most_links" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cannot_revoke" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "unpinned" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "unreachable" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "provider_configurations_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "app_providers" (
    "app_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_providers_pkey" PRIMARY KEY ("app_id","provider")
);

-- CreateTable
CREATE TABLE "catalog_entries" (
    "provider" TEXT NOT NULL,
    "remote_id" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "facts_sha256" BYTEA NOT NULL,
    "institution_id" TEXT NOT NULL,
    "matched_by" TEXT NOT NULL,
    "doubts" TEXT[],
    "gone_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "catalog_entries_pkey" PRIMARY KEY ("provider","remote_id")
);

-- CreateTable
CREATE TABLE "route_health" (
    "institution_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "successes" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "failures" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "last_cause" TEXT,
    "last_ok_at" TIMESTAMPTZ(3),
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "route_health_pkey" PRIMARY KEY ("institution_id","provider","operation")
);

-- CreateTable
CREATE TABLE "route_decisions" (
    "pk" BIGSERIAL NOT NULL,
    "link_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "attempt_key" TEXT NOT NULL,
    "institution_id" TEXT NOT NULL,
    "why" TEXT NOT NULL,
    "chosen" TEXT,
    "candidates" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failed_cause" TEXT,

    CONSTRAINT "route_decisions_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "quota_windows" (
    "provider" TEXT NOT NULL,
    "quota" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,
    "limit" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quota_windows_pkey" PRIMARY KEY ("provider","quota","subject","window_start")
);

-- CreateTable
CREATE TABLE "provider_webhooks" (
    "webhook_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "body_sha256" BYTEA NOT NULL,
    "sealed" BYTEA,
    "state" TEXT NOT NULL DEFAULT 'received',
    "refusal" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_webhooks_pkey" PRIMARY KEY ("webhook_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "provider_configurations_webhook_key_hash_key" ON "provider_configurations"("webhook_key_hash");

-- CreateIndex
CREATE INDEX "catalog_entries_institution_id_idx" ON "catalog_entries"("institution_id");

-- CreateIndex
CREATE UNIQUE INDEX "route_decisions_session_id_attempt_key_key" ON "route_decisions"("session_id", "attempt_key");

-- CreateIndex
CREATE INDEX "route_decisions_link_id_pk_idx" ON "route_decisions"("link_id", "pk");

-- CreateIndex
CREATE INDEX "quota_windows_ends_at_idx" ON "quota_windows"("ends_at");

-- CreateIndex
CREATE INDEX "provider_webhooks_received_at_idx" ON "provider_webhooks"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "provider_webhooks_provider_body_sha256_key" ON "provider_webhooks"("provider", "body_sha256");

-- CreateIndex
CREATE UNIQUE INDEX "institution_routes_provider_remote_id_key" ON "institution_routes"("provider", "remote_id");

-- CreateIndex
CREATE INDEX "provider_credentials_provider_reference_idx" ON "provider_credentials"("provider", "reference");

-- CreateTable
CREATE TABLE "void_positions" (
    "link_pk" BIGINT NOT NULL,
    "after_seq" BIGINT NOT NULL,
    "after_investment_seq" BIGINT NOT NULL,
    "until_seq" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "void_positions_pkey" PRIMARY KEY ("link_pk","until_seq")
);

-- CreateTable
CREATE TABLE "recurring_searches" (
    "link_pk" BIGINT NOT NULL,
    "head_seq" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "searched_at" TIMESTAMPTZ(3) NOT NULL,
    "last_place" INTEGER NOT NULL,
    "streams" TEXT NOT NULL,

    CONSTRAINT "recurring_searches_pkey" PRIMARY KEY ("link_pk")
);

-- CreateTable
CREATE TABLE "securities" (
    "pk" BIGSERIAL NOT NULL,
    "security_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "institution_id" TEXT NOT NULL,
    "belongs_to" TEXT,
    "merged_into" TEXT,
    "facts" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "securities_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "security_keys" (
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "institution_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "security_pk" BIGINT NOT NULL,

    CONSTRAINT "security_keys_pkey" PRIMARY KEY ("app_id","environment","institution_id","key")
);

-- CreateTable
CREATE TABLE "holdings" (
    "pk" BIGSERIAL NOT NULL,
    "holding_id" TEXT NOT NULL,
    "account_pk" BIGINT NOT NULL,
    "security_pk" BIGINT NOT NULL,
    "place" INTEGER NOT NULL,
    "provider_holding_id" TEXT,
    "quantity" DECIMAL NOT NULL,
    "value" DECIMAL,
    "currency" TEXT NOT NULL,
    "is_cash" BOOLEAN,
    "acquired_on" DATE,
    "contribution_source" TEXT,
    "sub_account" TEXT,
    "cost_reported" TEXT,
    "cost_basis" DECIMAL,
    "cost_source" TEXT,
    "cost_evidence" TEXT,
    "rows" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "first_seen" DATE NOT NULL,
    "ended" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "holdings_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "holdings_accounts" (
    "account_pk" BIGINT NOT NULL,
    "convention" TEXT,
    "body" TEXT NOT NULL,

    CONSTRAINT "holdings_accounts_pkey" PRIMARY KEY ("account_pk")
);

-- CreateTable
CREATE TABLE "holding_days" (
    "account_pk" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "account" TEXT NOT NULL,
    "holdings" TEXT[],

    CONSTRAINT "holding_days_pkey" PRIMARY KEY ("account_pk","day")
);

-- CreateTable
CREATE TABLE "investment_transaction_versions" (
    "link_pk" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "next_seq" BIGINT,
    "first_seq" BIGINT NOT NULL,
    "born_pending" BOOLEAN NOT NULL,
    "posted_seq" BIGINT,
    "removed" BOOLEAN NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_transaction_id" TEXT NOT NULL,
    "security_id" TEXT,
    "date" DATE NOT NULL,
    "pending" BOOLEAN NOT NULL,
    "content_hash" BYTEA NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "investment_transaction_versions_pkey" PRIMARY KEY ("link_pk","seq")
);

-- CreateTable
CREATE TABLE "liabilities" (
    "account_pk" BIGINT NOT NULL,
    "body" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "liabilities_pkey" PRIMARY KEY ("account_pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "securities_security_id_key" ON "securities"("security_id");

-- CreateIndex
CREATE INDEX "securities_belongs_to_idx" ON "securities"("belongs_to");

-- CreateIndex
CREATE INDEX "security_keys_security_pk_idx" ON "security_keys"("security_pk");

-- CreateIndex
CREATE UNIQUE INDEX "holdings_holding_id_key" ON "holdings"("holding_id");

-- CreateIndex
CREATE INDEX "holdings_security_pk_idx" ON "holdings"("security_pk");

-- CreateIndex
CREATE UNIQUE INDEX "holdings_account_pk_place_key" ON "holdings"("account_pk", "place");

-- CreateTable
CREATE TABLE "database_identity" (
    "pk" INTEGER NOT NULL DEFAULT 1,
    "system_identifier" BIGINT NOT NULL,
    "database_oid" BIGINT NOT NULL,
    "timeline" BIGINT NOT NULL,
    "written_in" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "database_identity_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "app_use" (
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "bound" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "slot" SMALLINT NOT NULL,
    "client_id" TEXT NOT NULL DEFAULT '',
    "used" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_use_pkey" PRIMARY KEY ("app_id","environment","bound","day","slot","client_id")
);

-- CreateTable
CREATE TABLE "app_limits" (
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "bound" TEXT NOT NULL,
    "most" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_limits_pkey" PRIMARY KEY ("app_id","environment","bound")
);

-- CreateTable
CREATE TABLE "link_tags" (
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "tag" TEXT NOT NULL,
    "link_pk" BIGINT NOT NULL,

    CONSTRAINT "link_tags_pkey" PRIMARY KEY ("app_id","environment","tag","link_pk")
);

-- CreateTable
CREATE TABLE "account_balances" (
    "account_pk" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "available" DECIMAL,
    "current" DECIMAL,
    "limit" DECIMAL,
    "balance_date" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_balances_pkey" PRIMARY KEY ("account_pk","day")
);

-- CreateTable
CREATE TABLE "client_secrets" (
    "secret_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "label" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3),
    "tokens_ended_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(0),

    CONSTRAINT "client_secrets_pkey" PRIMARY KEY ("secret_id")
);

-- CreateTable
CREATE TABLE "simplefin_tokens" (
    "token_id" TEXT NOT NULL,
    "customer_user_pk" BIGINT NOT NULL,
    "client_id" TEXT,
    "name" TEXT NOT NULL,
    "setup_hash" BYTEA NOT NULL,
    "credential_hash" BYTEA,
    "claimed_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "voided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "simplefin_tokens_pkey" PRIMARY KEY ("token_id")
);

-- CreateTable
CREATE TABLE "webhook_listeners" (
    "listener_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "webhook_events" TEXT[],
    "link_id" TEXT,
    "since" TIMESTAMPTZ(3),
    "starts_after" BIGINT NOT NULL,
    "last_called_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_listeners_pkey" PRIMARY KEY ("listener_id")
);

-- CreateTable
CREATE TABLE "notification_channels" (
    "pk" INTEGER NOT NULL DEFAULT 1,
    "suffix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_channels_pkey" PRIMARY KEY ("pk")
);
ALTER TABLE "database_identity" ADD CONSTRAINT "database_identity_one_row" CHECK ("pk" = 1);

-- AddForeignKey
ALTER TABLE "void_positions" ADD CONSTRAINT "void_positions_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recurring_searches" ADD CONSTRAINT "recurring_searches_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "security_keys" ADD CONSTRAINT "security_keys_security_pk_fkey" FOREIGN KEY ("security_pk") REFERENCES "securities"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holdings" ADD CONSTRAINT "holdings_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holdings" ADD CONSTRAINT "holdings_security_pk_fkey" FOREIGN KEY ("security_pk") REFERENCES "securities"("pk") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holdings_accounts" ADD CONSTRAINT "holdings_accounts_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holding_days" ADD CONSTRAINT "holding_days_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "liabilities" ADD CONSTRAINT "liabilities_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- Investment transactions: one current version of each (a tombstone is current, too), and the listing.
CREATE UNIQUE INDEX "investment_transaction_versions_current" ON "investment_transaction_versions"("link_pk", "transaction_id") WHERE "next_seq" IS NULL;
CREATE UNIQUE INDEX "investment_transaction_versions_current_provider_id" ON "investment_transaction_versions"("link_pk", "provider_transaction_id") WHERE "next_seq" IS NULL AND NOT "removed";
CREATE INDEX "investment_transaction_versions_listing" ON "investment_transaction_versions"("link_pk", "date" DESC, "transaction_id") WHERE "next_seq" IS NULL AND NOT "removed";

ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_one" CHECK ("pk" = 1);
INSERT INTO "notification_channels" ("suffix") VALUES (replace(gen_random_uuid()::text, '-', ''));

-- CreateIndex
CREATE INDEX "link_tags_link_pk_idx" ON "link_tags"("link_pk");

-- CreateIndex
CREATE INDEX "links_customer_user_pk_pk_idx" ON "links"("customer_user_pk", "pk");

-- One index per filter of GET /link-sessions, in the order of its list (native-api 3.3).
-- CreateIndex
CREATE INDEX "link_sessions_listed" ON "link_sessions"("app_id", "environment", "created_at", "session_id");

-- CreateIndex
CREATE INDEX "link_sessions_listed_by_state" ON "link_sessions"("app_id", "environment", "state", "created_at", "session_id");

-- CreateIndex
CREATE INDEX "link_sessions_listed_by_institution" ON "link_sessions"("app_id", "environment", "institution_id", "created_at", "session_id");

-- CreateIndex
CREATE INDEX "link_sessions_listed_by_user" ON "link_sessions"("customer_user_pk", "created_at", "session_id");

-- CreateIndex
CREATE INDEX "link_sessions_listed_by_link" ON "link_sessions"("link_pk", "created_at", "session_id");

-- CreateIndex
CREATE INDEX "client_secrets_client_id_created_at_idx" ON "client_secrets"("client_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "simplefin_tokens_setup_hash_key" ON "simplefin_tokens"("setup_hash");

-- CreateIndex
CREATE UNIQUE INDEX "simplefin_tokens_credential_hash_key" ON "simplefin_tokens"("credential_hash");

-- CreateIndex
CREATE INDEX "simplefin_tokens_customer_user_pk_created_at_idx" ON "simplefin_tokens"("customer_user_pk", "created_at");

-- CreateIndex
CREATE INDEX "simplefin_tokens_client_id_idx" ON "simplefin_tokens"("client_id");

-- CreateIndex
CREATE INDEX "simplefin_tokens_created_at_idx" ON "simplefin_tokens"("created_at");

-- CreateIndex
CREATE INDEX "webhook_listeners_app_id_environment_idx" ON "webhook_listeners"("app_id", "environment");

-- AddForeignKey
ALTER TABLE "link_tags" ADD CONSTRAINT "link_tags_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_balances" ADD CONSTRAINT "account_balances_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "api_clients"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "simplefin_tokens" ADD CONSTRAINT "simplefin_tokens_customer_user_pk_fkey" FOREIGN KEY ("customer_user_pk") REFERENCES "customer_users"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "simplefin_tokens" ADD CONSTRAINT "simplefin_tokens_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "api_clients"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One index per filter of GET /links, of the links that it lists (native-api 3.4).
CREATE INDEX "links_listed" ON "links"("app_id", "environment", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_state" ON "links"("app_id", "environment", "state", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_error" ON "links"("app_id", "environment", "error_code", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL AND "error_code" IS NOT NULL;
CREATE INDEX "links_listed_by_institution" ON "links"("app_id", "environment", "institution_id", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_provider" ON "links"("app_id", "environment", "provider", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_update" ON "links"("app_id", "environment", "updated_at", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_error_update" ON "links"("app_id", "environment", "error_code", "updated_at", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL AND "error_code" IS NOT NULL;
-- All others, by the states that only they have.
CREATE INDEX "links_unlisted_by_state" ON "links"("app_id", "environment", "state", "pk") WHERE "connected_at" IS NULL OR "deleted_at" IS NOT NULL;

-- What GET /links calls an update of a link. Refreshes of its data, which write this table several times each, are none.
CREATE FUNCTION "note_link_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := CURRENT_TIMESTAMP;
  RETURN NEW;
END $$;
CREATE TRIGGER "links_note_update"
  BEFORE UPDATE OF "state", "error_code", "error_message", "provider", "institution_id", "tags", "webhook", "webhook_disabled_at", "permission_ends_at" ON "links"
  FOR EACH ROW
  WHEN ((OLD.state, OLD.error_code, OLD.error_message, OLD.provider, OLD.institution_id, OLD.tags, OLD.webhook, OLD.webhook_disabled_at, OLD.permission_ends_at)
        IS DISTINCT FROM (NEW.state, NEW.error_code, NEW.error_message, NEW.provider, NEW.institution_id, NEW.tags, NEW.webhook, NEW.webhook_disabled_at, NEW.permission_ends_at))
  EXECUTE FUNCTION "note_link_update"();

-- link_tags is an index of links.tags that can be read page by page, which no index of an array can.
CREATE FUNCTION "index_link_tags"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM link_tags WHERE link_pk = NEW.pk;
  IF NEW.connected_at IS NOT NULL AND NEW.deleted_at IS NULL THEN
    INSERT INTO link_tags (app_id, environment, tag, link_pk)
    SELECT DISTINCT NEW.app_id, NEW.environment, tag, NEW.pk FROM unnest(NEW.tags) AS tag;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "links_index_new_tags" AFTER INSERT ON "links" FOR EACH ROW WHEN (NEW.connected_at IS NOT NULL) EXECUTE FUNCTION "index_link_tags"();
CREATE TRIGGER "links_index_tags" AFTER UPDATE OF "tags", "connected_at", "deleted_at", "environment" ON "links" FOR EACH ROW
  WHEN ((OLD.tags, OLD.connected_at, OLD.deleted_at, OLD.environment) IS DISTINCT FROM (NEW.tags, NEW.connected_at, NEW.deleted_at, NEW.environment))
  EXECUTE FUNCTION "index_link_tags"();

-- The links that GET /links lists, by user: deleted ones would be read and left out (native-api 3.4).
CREATE INDEX "links_listed_by_user" ON "links"("customer_user_pk", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_user_update" ON "links"("customer_user_pk", "updated_at", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;

-- The record of what was done to a link, bank, configuration or key pair: it is the first word of the subject.
CREATE INDEX "operator_actions_by_subject" ON "operator_actions"(split_part("subject", ' ', 1), "pk");

-- The routes whose recent calls failed, with FAILING_FROM of domain/institutions/route-health.ts. Its columns are those of the
-- key, so that reports of routes without failures stay heap-only updates.
CREATE INDEX "route_health_failing" ON "route_health"("institution_id", "provider", "operation") WHERE "failures" >= 2.5;

-- The holdings of an account that a list shows, without those that ended; and the investment transactions that have a
-- security, for its erasure.
CREATE INDEX "holdings_held" ON "holdings"("account_pk", "place") WHERE "ended" IS NULL;
CREATE INDEX "investment_transaction_versions_security" ON "investment_transaction_versions"("security_id") WHERE "security_id" IS NOT NULL;
