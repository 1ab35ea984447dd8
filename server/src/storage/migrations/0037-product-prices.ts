// The price of each product in a column of its own, so that a list sorted by it reads only what it shows.
const price = 'coalesce({number salePrice}, {number price})'

export const productPrices = [
  'ALTER TABLE products ADD COLUMN price_order BIGINT NOT NULL DEFAULT 0',
  // As `priceOrder` in storage/products/product-rows.ts.
  `UPDATE products SET price_order = CASE WHEN ${price} IS NULL THEN 0 WHEN ${price} > 1e12 THEN 100000000000001
    ELSE CAST(round(${price} * 100) AS BIGINT) + 1 END`,
  'CREATE INDEX products_by_price ON products (bot_id, price_order, id {binary})',
]
