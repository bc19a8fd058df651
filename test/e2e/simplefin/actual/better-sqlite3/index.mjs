import { DatabaseSync } from 'node:sqlite';

/** The part of better-sqlite3 that Actual's server uses, without a native module to download or to compile. */
export default class Database extends DatabaseSync {
  transaction(work) {
    return (...args) => {
      if (this.isTransaction) return work(...args);
      this.exec('BEGIN');
      try {
        const result = work(...args);
        this.exec('COMMIT');
        return result;
      } catch (error) {
        this.exec('ROLLBACK');
        throw error;
      }
    };
  }
}
