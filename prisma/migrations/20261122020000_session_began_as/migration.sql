-- AlterTable
ALTER TABLE "link_sessions" ADD COLUMN "began_as" TEXT;

UPDATE "link_sessions" SET "began_as" = "mode";

ALTER TABLE "link_sessions" ALTER COLUMN "began_as" SET NOT NULL;
