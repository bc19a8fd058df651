-- Webhooks in the words of the compatibility layer: events that are signed, sent and retried by its rules, with a set of
-- keys per environment, and what of a link was told already.
ALTER TABLE "webhook_events" ADD COLUMN "format" TEXT NOT NULL DEFAULT 'native',
ADD COLUMN "sealed_body" BYTEA;
ALTER TABLE "signing_keys" ADD COLUMN "key_set" TEXT NOT NULL DEFAULT 'native';
DROP INDEX "signing_keys_rotation_key";
CREATE UNIQUE INDEX "signing_keys_key_set_rotation_key" ON "signing_keys"("key_set", "rotation");
ALTER TABLE "links" ADD COLUMN "told_seq" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "new_accounts_told" TEXT[];
-- What came before was never told, and is not made up for.
UPDATE "links" SET "told_seq" = "head_seq" WHERE "webhook_format" = 'plaid';
