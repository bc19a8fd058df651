-- A link that was told of none has an empty list, whoever reads the row.
ALTER TABLE "links" ALTER COLUMN "new_accounts_told" SET DEFAULT ARRAY[]::TEXT[];
UPDATE "links" SET "new_accounts_told" = ARRAY[]::TEXT[] WHERE "new_accounts_told" IS NULL;
ALTER TABLE "links" ALTER COLUMN "new_accounts_told" SET NOT NULL;
