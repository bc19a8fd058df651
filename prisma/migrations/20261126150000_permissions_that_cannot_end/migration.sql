-- AlterTable
ALTER TABLE "provider_configurations" ADD COLUMN     "cannot_revoke" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "unpinned" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "unrevoked_permissions" ADD COLUMN     "adapter" TEXT,
ADD COLUMN     "app_id" TEXT,
ADD COLUMN     "environment" TEXT;

-- Rows whose link is purged have no more than this.
UPDATE unrevoked_permissions u SET
  adapter = coalesce((SELECT c.adapter FROM provider_configurations c WHERE c.name = u.provider), u.provider),
  app_id = coalesce((SELECT l.app_id FROM links l WHERE l.link_id = u.link_id), ''),
  environment = coalesce((SELECT l.environment FROM links l WHERE l.link_id = u.link_id), '');

ALTER TABLE "unrevoked_permissions" ALTER COLUMN "adapter" SET NOT NULL,
ALTER COLUMN "app_id" SET NOT NULL,
ALTER COLUMN "environment" SET NOT NULL;
