-- Locks the link $1 until the end of the transaction, and returns the row as it is once the lock is held.
-- include link-row
 WHERE link_id = $1::text
   FOR NO KEY UPDATE
