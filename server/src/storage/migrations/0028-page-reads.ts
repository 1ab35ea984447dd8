// When a page of a crawl was last read whole: a sitemap may say that it has not changed since.
export const pageReads = ['ALTER TABLE crawl_pages ADD COLUMN read_at BIGINT']
