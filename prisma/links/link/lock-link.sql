-- Locks the link with the key $1 until the end of the transaction, and returns the row as it is once the lock is held.
-- include link-row
 WHERE pk = $1::bigint
   FOR NO KEY UPDATE
