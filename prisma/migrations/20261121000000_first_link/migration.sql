-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

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

    CONSTRAINT "applications_pkey" PRIMARY KEY ("app_id")
);

-- CreateTable
CREATE TABLE "api_clients" (
    "client_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "live_limit" INTEGER NOT NULL DEFAULT 10,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_clients_pkey" PRIMARY KEY ("client_id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "token_hash" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "scope" TEXT[],
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "institutions_pkey" PRIMARY KEY ("institution_id")
);

-- CreateTable
CREATE TABLE "institution_aliases" (
    "alias" TEXT NOT NULL,
    "institution_id" TEXT NOT NULL,
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
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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

    CONSTRAINT "customer_users_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "link_sessions" (
    "session_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "customer_user_pk" BIGINT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "connect_token_hash" BYTEA,
    "mode" TEXT NOT NULL,
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
    "world_id" TEXT NOT NULL DEFAULT 'default',
    "state" TEXT NOT NULL,
    "end_reason" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "total_expires_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "seq" INTEGER NOT NULL DEFAULT 0,
    "step" JSONB,
    "prepared_step" JSONB,
    "steps_taken" INTEGER NOT NULL DEFAULT 0,
    "institution_id" TEXT,
    "link_pk" BIGINT,
    "bank_accepted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
CREATE TABLE "links" (
    "pk" BIGSERIAL NOT NULL,
    "link_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
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
    "world_id" TEXT NOT NULL DEFAULT 'default',
    "connected_at" TIMESTAMPTZ(3),
    "exchange_expires_at" TIMESTAMPTZ(3),
    "last_synced_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "next_due_at" TIMESTAMPTZ(3),
    "head_seq" BIGINT NOT NULL DEFAULT 0,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "refresh_run" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "links_pkey" PRIMARY KEY ("pk")
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
    "error_code" TEXT,
    "error_message" TEXT,
    "unavailable" TEXT,
    "has_history" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "link_products_pkey" PRIMARY KEY ("link_pk","product")
);

-- CreateTable
CREATE TABLE "provider_credentials" (
    "link_pk" BIGINT NOT NULL,
    "provider" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_credentials_pkey" PRIMARY KEY ("link_pk")
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

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("pk")
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
    "content_hash" BYTEA NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "body" TEXT NOT NULL,
    "body_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "pk" BIGSERIAL NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "event_pk" BIGINT NOT NULL,
    "url" TEXT,
    "endpoint" TEXT,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "first_attempt_at" TIMESTAMPTZ(3),
    "last_attempt_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "shift_ms" BIGINT NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "pk" BIGSERIAL NOT NULL,
    "delivery_pk" BIGINT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "http_status" INTEGER,
    "error" TEXT,
    "response_excerpt" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "sealed_private" BYTEA NOT NULL,
    "active_from" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
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
CREATE TABLE "outbox_commands" (
    "pk" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "available_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_commands_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_clients_app_id_environment_client_id_key" ON "api_clients"("app_id", "environment", "client_id");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "institutions_environment_country_name_idx" ON "institutions"("environment", "country", "name");

-- CreateIndex
CREATE INDEX "institution_aliases_institution_id_idx" ON "institution_aliases"("institution_id");

-- CreateIndex
CREATE UNIQUE INDEX "customer_users_app_id_environment_user_id_key" ON "customer_users"("app_id", "environment", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "link_sessions_token_hash_key" ON "link_sessions"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "link_sessions_connect_token_hash_key" ON "link_sessions"("connect_token_hash");

-- CreateIndex
CREATE INDEX "link_sessions_state_expires_at_idx" ON "link_sessions"("state", "expires_at");

-- CreateIndex
CREATE INDEX "link_sessions_link_pk_idx" ON "link_sessions"("link_pk");

-- CreateIndex
CREATE INDEX "connect_tokens_session_id_idx" ON "connect_tokens"("session_id");

-- CreateIndex
CREATE INDEX "exchangeable_tokens_session_id_idx" ON "exchangeable_tokens"("session_id");

-- CreateIndex
CREATE INDEX "exchangeable_tokens_link_pk_idx" ON "exchangeable_tokens"("link_pk");

-- CreateIndex
CREATE UNIQUE INDEX "links_link_id_key" ON "links"("link_id");

-- CreateIndex
CREATE INDEX "links_app_id_environment_pk_idx" ON "links"("app_id", "environment", "pk");

-- CreateIndex
CREATE INDEX "links_customer_user_pk_idx" ON "links"("customer_user_pk");

-- CreateIndex
CREATE INDEX "links_state_exchange_expires_at_idx" ON "links"("state", "exchange_expires_at");

-- CreateIndex
CREATE INDEX "link_products_state_state_changed_at_idx" ON "link_products"("state", "state_changed_at");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_account_id_key" ON "accounts"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_link_pk_provider_account_id_key" ON "accounts"("link_pk", "provider_account_id");

-- CreateIndex
CREATE INDEX "held_events_link_pk_pk_idx" ON "held_events"("link_pk", "pk");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_events_event_id_key" ON "webhook_events"("event_id");

-- CreateIndex
CREATE INDEX "webhook_events_app_id_environment_pk_idx" ON "webhook_events"("app_id", "environment", "pk");

-- CreateIndex
CREATE INDEX "webhook_events_link_id_pk_idx" ON "webhook_events"("link_id", "pk");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_delivery_id_key" ON "webhook_deliveries"("delivery_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_pk_idx" ON "webhook_deliveries"("event_pk");

-- CreateIndex
CREATE INDEX "webhook_attempts_delivery_pk_pk_idx" ON "webhook_attempts"("delivery_pk", "pk");

-- CreateIndex
CREATE INDEX "refresh_requests_link_pk_product_idx" ON "refresh_requests"("link_pk", "product");

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
ALTER TABLE "link_sessions" ADD CONSTRAINT "link_sessions_customer_user_pk_fkey" FOREIGN KEY ("customer_user_pk") REFERENCES "customer_users"("pk") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_sessions" ADD CONSTRAINT "link_sessions_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connect_tokens" ADD CONSTRAINT "connect_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "link_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_secrets" ADD CONSTRAINT "session_secrets_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "link_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exchangeable_tokens" ADD CONSTRAINT "exchangeable_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "link_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exchangeable_tokens" ADD CONSTRAINT "exchangeable_tokens_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_customer_user_pk_fkey" FOREIGN KEY ("customer_user_pk") REFERENCES "customer_users"("pk") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_products" ADD CONSTRAINT "link_products_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "held_events" ADD CONSTRAINT "held_events_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_pk_fkey" FOREIGN KEY ("event_pk") REFERENCES "webhook_events"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_pk_fkey" FOREIGN KEY ("delivery_pk") REFERENCES "webhook_deliveries"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_requests" ADD CONSTRAINT "refresh_requests_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;


-- What the Prisma schema language cannot say: partial indexes for the hot statements, and legal values.

-- One current version of each transaction; a tombstone is current too.
CREATE UNIQUE INDEX "transaction_versions_current" ON "transaction_versions" ("link_pk", "transaction_id") WHERE "next_seq" IS NULL;
CREATE UNIQUE INDEX "transaction_versions_current_provider_id" ON "transaction_versions" ("link_pk", "provider_transaction_id") WHERE "next_seq" IS NULL AND NOT "removed";
CREATE INDEX "transaction_versions_listing" ON "transaction_versions" ("link_pk", "date" DESC, "transaction_id") WHERE "next_seq" IS NULL AND NOT "removed";

CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" ("next_attempt_at", "pk") WHERE "status" = 'pending';
CREATE INDEX "webhook_deliveries_in_flight" ON "webhook_deliveries" ("endpoint", "leased_until") WHERE "leased_until" IS NOT NULL;
CREATE INDEX "refresh_requests_waiting" ON "refresh_requests" ("link_pk", "pk") WHERE "consumed_at" IS NULL;
CREATE INDEX "refresh_requests_overdue" ON "refresh_requests" ("created_at") WHERE "consumed_at" IS NULL;

ALTER TABLE "api_clients" ADD CONSTRAINT "api_clients_environment" CHECK ("environment" IN ('sandbox', 'live'));
ALTER TABLE "links" ADD CONSTRAINT "links_state" CHECK ("state" IN ('connecting', 'awaiting_token_exchange', 'connected', 'error', 'deleted'));
ALTER TABLE "links" ADD CONSTRAINT "links_error_only_in_error" CHECK (("state" = 'error') = ("error_code" IS NOT NULL));
ALTER TABLE "link_products" ADD CONSTRAINT "link_products_state" CHECK ("state" IN ('pending', 'in_progress', 'completed', 'failed'));
ALTER TABLE "link_sessions" ADD CONSTRAINT "link_sessions_state" CHECK ("state" IN ('created', 'open', 'succeeded', 'ended'));
ALTER TABLE "transaction_versions" ADD CONSTRAINT "transaction_versions_amount" CHECK ("amount" >= 0);
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_status" CHECK ("status" IN ('pending', 'delivered', 'exhausted', 'disabled', 'no_address', 'replaced'));
