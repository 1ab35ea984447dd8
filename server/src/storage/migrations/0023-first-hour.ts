// Reading pages for sources without a public page, and where the widget was seen.
export const firstHour = [
  'ALTER TABLE bots ADD COLUMN source_pages INTEGER NOT NULL DEFAULT 1',
  'ALTER TABLE bots ADD COLUMN widget_seen_at BIGINT',
  'ALTER TABLE bots ADD COLUMN widget_seen_on TEXT',
]
