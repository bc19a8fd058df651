-- Where the stream of one account ends, without reading what happened on the others (plaid-compat 5.1).
CREATE INDEX "transaction_versions_account" ON "transaction_versions" ("link_pk", "account_id", "seq");

-- When a transaction first changed after a position. The current version is found by `transaction_versions_current`.
CREATE INDEX "transaction_versions_replaced" ON "transaction_versions" ("link_pk", "transaction_id", "seq") WHERE "next_seq" IS NOT NULL;

-- The outcome of an idempotency key is stored in the transaction of its effect; an exchange needs no mark of its own.
ALTER TABLE "exchangeable_tokens" DROP COLUMN "used_for";
