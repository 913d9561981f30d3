import { DatabaseSync } from 'node:sqlite';

/** SQLite's full-text search as a peer. */
export interface FullTextPeer {
  /** Rows of the best chunks, best first. */
  search(tokens: readonly string[], limit: number): number[];
  close(): void;
}

/** Contentless, over tokens that are split already; every token stays whole. @param lines the tokens of a chunk, between spaces. */
export function buildFullText(lines: Iterable<string>): FullTextPeer {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE chunks USING fts5(tk, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'")`);
  const insert = database.prepare('INSERT INTO chunks (rowid, tk) VALUES (?, ?)');
  database.exec('BEGIN');
  let row = 0;
  for (const line of lines) insert.run(++row, line);
  database.exec('COMMIT');
  database.exec(`INSERT INTO chunks (chunks) VALUES ('optimize')`);
  const select = database.prepare('SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT ?');
  return {
    search(tokens, limit) {
      const query = [...new Set(tokens)].map((token) => `"${token.replaceAll('"', '""')}"`).join(' OR ');
      return select.all(query, limit).map((found) => Number(found.rowid) - 1);
    },
    close: () => database.close(),
  };
}
