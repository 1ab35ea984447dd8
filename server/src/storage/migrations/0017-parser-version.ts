// The parser version that made a document's passages: older ones are split again in the background.
export const parserVersion = [
  'ALTER TABLE documents ADD COLUMN parser_version INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX documents_by_parser ON documents (parser_version)',
  // Crawls store only a page's main text, so the next run must fetch even unchanged pages.
  'UPDATE crawl_pages SET etag = NULL, last_modified = NULL, content_hash = NULL',
]
