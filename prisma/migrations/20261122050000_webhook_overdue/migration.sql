-- Overdue deliveries are looked for endpoint by endpoint. A second index of the same rows was taken instead of the right one
-- whenever a plan was made while few waited.
DROP INDEX "webhook_deliveries_overdue";
