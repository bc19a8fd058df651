-- Trusted since PostgreSQL 13: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- DropIndex
DROP INDEX "institutions_environment_country_name_idx";

-- AlterTable
ALTER TABLE "institutions" ADD COLUMN "search_text" TEXT NOT NULL DEFAULT '';

-- Until the catalogue is synchronised next, which writes it as domain/institution-search.ts does.
UPDATE "institutions" SET "search_text" = trim(regexp_replace(lower("name" || ' ' || coalesce("domain", '')), '[^a-z0-9]+', ' ', 'g'));

-- CreateIndex
CREATE INDEX "institutions_browse" ON "institutions"("environment", "country", "is_featured", "search_text", "institution_id");

-- CreateIndex
CREATE INDEX "institutions_matches" ON "institutions" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "institutions_similar" ON "institutions" USING GIST ("search_text" gist_trgm_ops);
