-- AlterTable
ALTER TABLE "link_sessions" ADD COLUMN "client_id" TEXT;
ALTER TABLE "links" ADD COLUMN "client_id" TEXT;

-- What exists was made by the oldest key pair of its app and environment; there was no second one yet.
UPDATE "link_sessions" s SET "client_id" = (SELECT c."client_id" FROM "api_clients" c WHERE c."app_id" = s."app_id" AND c."environment" = s."environment" ORDER BY c."created_at" LIMIT 1);
UPDATE "links" l SET "client_id" = (SELECT c."client_id" FROM "api_clients" c WHERE c."app_id" = l."app_id" AND c."environment" = l."environment" ORDER BY c."created_at" LIMIT 1);

ALTER TABLE "link_sessions" ALTER COLUMN "client_id" SET NOT NULL;
ALTER TABLE "links" ALTER COLUMN "client_id" SET NOT NULL;

-- AddForeignKey
ALTER TABLE "link_sessions" ADD CONSTRAINT "link_sessions_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "api_clients"("client_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "api_clients"("client_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The links that count towards the limit of a client (domain/trial-limit.ts).
CREATE INDEX "links_counted" ON "links" ("client_id") WHERE "environment" = 'live' AND ("state" IN ('connecting', 'awaiting_token_exchange', 'connected') OR ("state" = 'error' AND "connected_at" IS NOT NULL));
