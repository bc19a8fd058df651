-- AlterTable
ALTER TABLE "provider_credentials" ADD COLUMN     "end_due_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "provider_credentials_end_due_at_idx" ON "provider_credentials"("end_due_at");
