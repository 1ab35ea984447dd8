// Which version of the parser made a document's passages: those of an earlier one are split again in the background.
export const parserVersion = [
  'ALTER TABLE documents ADD COLUMN parser_version INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX documents_by_parser ON documents (parser_version)',
  // What a crawl keeps of a page is its main text, so that the next run reads it anew even where it has not changed.
  'UPDATE crawl_pages SET etag = NULL, last_modified = NULL, content_hash = NULL',
]
