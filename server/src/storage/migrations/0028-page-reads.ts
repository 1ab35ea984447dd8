// When a page was last read in full: a sitemap may say that it has not changed since.
export const pageReads = ['ALTER TABLE crawl_pages ADD COLUMN read_at BIGINT']
