-- Which rotation made a key: one that is repeated makes no second. The private part goes when the key is retired.
ALTER TABLE "signing_keys" ADD COLUMN "rotation" TEXT;
ALTER TABLE "signing_keys" ALTER COLUMN "sealed_private" DROP NOT NULL;
CREATE UNIQUE INDEX "signing_keys_rotation_key" ON "signing_keys"("rotation");
