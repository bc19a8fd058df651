-- AlterTable
ALTER TABLE "transaction_versions" ADD COLUMN     "counterparty_numbers" BYTEA;
