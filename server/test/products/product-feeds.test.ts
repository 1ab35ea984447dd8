// Items of other shop systems, taken as they come. The samples are fictional, in the shape of each system.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { aliasTable, PLATFORMS } from '../../src/catalogue/products/alias-table.ts'
import { normaliseProduct } from '../../src/catalogue/products/normalise-product.ts'
import { startCatalogueServer } from '../harness/catalogue.ts'

const NOW = Date.UTC(2026, 10, 15)
const read = (item: unknown) => normaliseProduct(item, { siteUrl: 'https://shop.test/en', now: NOW })

test('a Shopify product keeps its variants, options, sale and status', () => {
  const { product } = read({
    id: 632910392,
    title: 'Ridge Tent',
    body_html: '<p>Sleeps <b>two</b>.</p><ul><li>Taped seams</li></ul><script>alert(1)</script>',
    vendor: 'Fernweh &amp; Field',
    product_type: 'Tents',
    handle: 'ridge-tent',
    tags: 'camping, summer',
    status: 'active',
    template_suffix: null,
    published_scope: 'web',
    options: [{ name: 'Colour' }, { name: 'Size' }],
    variants: [
      {
        id: 1,
        title: 'Green / 2P',
        price: '199.00',
        compare_at_price: '249.00',
        sku: 'RT-G2',
        option1: 'Green',
        option2: '2P',
        option3: null,
        inventory_management: 'shopify',
        inventory_policy: 'deny',
        inventory_quantity: 0,
        taxable: true,
      },
      { id: 2, title: 'Red / 3P', price: '259.00', option1: 'Red', option2: '3P', inventory_quantity: 4 },
    ],
    images: [{ id: 9, src: 'https://cdn.test/a.jpg' }, { src: 'https://cdn.test/b.jpg' }],
    image: { src: 'https://cdn.test/a.jpg' },
  })
  expect(product).toMatchObject({
    id: '632910392',
    description: 'Sleeps two.\n- Taped seams',
    brand: 'Fernweh & Field',
    url: 'https://shop.test/products/ridge-tent',
    imageUrl: 'https://cdn.test/a.jpg',
    additionalImageUrls: ['https://cdn.test/b.jpg'],
    price: 249,
    salePrice: 199,
    availability: 'in_stock',
    discontinued: false,
    categories: ['Tents', 'camping', 'summer'],
    attributes: {},
  })
  expect(product?.variants).toMatchObject([
    { id: '1', price: 249, salePrice: 199, availability: 'out_of_stock', attributes: { Colour: 'Green', Size: '2P' } },
    { id: '2', price: 259, salePrice: null, availability: 'in_stock', attributes: { Colour: 'Red', Size: '3P' } },
  ])
})

test('a Shopify product without variants has none, and takes price and SKU of its only one', () => {
  const { product } = read({
    id: 1,
    title: 'Mug',
    status: 'archived',
    options: [{ name: 'Title', values: ['Default Title'] }],
    variants: [{ id: 5, title: 'Default Title', price: '12.50', sku: 'MUG', option1: 'Default Title', barcode: '401' }],
  })
  expect(product).toMatchObject({ price: 12.5, sku: 'MUG', gtin: '401', variants: [], discontinued: true })
})

test('a product of Shopify’s newer interface is read through its nodes', () => {
  const { product } = read({
    id: 'gid://shopify/Product/1',
    title: 'Lamp',
    descriptionHtml: '<p>Warm light</p>',
    onlineStoreUrl: 'https://shop.test/products/lamp',
    priceRangeV2: { minVariantPrice: { amount: '19.9', currencyCode: 'CAD' } },
    images: { edges: [{ node: { url: 'https://cdn.test/l.jpg' } }] },
    variants: {
      nodes: [
        { id: 'a', price: '19.9', availableForSale: true, selectedOptions: [{ name: 'Colour', value: 'Black' }] },
        { id: 'b', price: '21', availableForSale: false, selectedOptions: [{ name: 'Colour', value: 'Oak' }] },
      ],
    },
  })
  expect(product).toMatchObject({ price: 19.9, currency: 'CAD', availability: 'in_stock', description: 'Warm light' })
  expect(product?.imageUrl).toBe('https://cdn.test/l.jpg')
  expect(product?.variants[1]).toMatchObject({ attributes: { Colour: 'Oak' }, availability: 'out_of_stock' })
})

test('a WooCommerce product: regular and sale price, stock, categories, attributes, status', () => {
  const item = {
    id: 799,
    name: 'Ship Your Idea &#8211; Hoodie',
    slug: 'hoodie',
    permalink: 'https://woo.test/product/hoodie/',
    status: 'publish',
    description: '',
    short_description: '<p>Soft.</p>',
    sku: 'H-1',
    price: '18',
    regular_price: '20',
    sale_price: '18',
    on_sale: true,
    stock_status: 'onbackorder',
    average_rating: '4.50',
    rating_count: 12,
    categories: [{ id: 9, name: 'Clothing', slug: 'clothing' }],
    tags: [{ id: 1, name: 'soft' }],
    images: [{ id: 1, src: 'https://woo.test/h.jpg' }],
    attributes: [{ id: 6, name: 'Color', options: ['Black', 'Green'] }],
    dimensions: { length: '1', width: '2', height: '' },
    meta_data: [{ key: 'x', value: 'y' }],
  }
  const { product } = read(item)
  expect(product).toMatchObject({
    title: 'Ship Your Idea – Hoodie',
    description: 'Soft.',
    price: 20,
    salePrice: 18,
    availability: 'backorder',
    rating: 4.5,
    reviewCount: 12,
    categories: ['Clothing', 'soft'],
    imageUrl: 'https://woo.test/h.jpg',
    attributes: { Color: ['Black', 'Green'], 'dimensions length': '1', 'dimensions width': '2' },
  })
  expect(read({ ...item, status: 'draft' }).product?.discontinued).toBe(true)
  const store = { prices: { price: '1800', regular_price: '2000', currency_code: 'EUR', currency_minor_unit: 2 } }
  expect(read({ id: 1, name: 'Hoodie', is_in_stock: true, ...store }).product).toMatchObject({
    price: 20,
    salePrice: 18,
    currency: 'EUR',
    availability: 'in_stock',
  })
  const stock = (fields: object) => read({ id: 1, name: 'Hoodie', ...store, ...fields }).product?.availability
  expect(stock({ is_in_stock: false })).toBe('out_of_stock')
  expect(stock({ is_in_stock: true, is_on_backorder: true })).toBe('backorder')
})

test('a Meta catalogue item', () => {
  const { product } = read({
    retailer_id: 'm-1',
    name: 'Boot',
    description: 'Leather',
    url: 'https://shop.test/boot',
    image_url: 'https://shop.test/boot.jpg',
    price: '129.90 USD',
    sale_price: '99.90 USD',
    availability: 'in stock',
    visibility: 'hidden',
    retailer_product_group_id: 'g',
    custom_label_0: 'winter',
  })
  expect(product).toMatchObject({
    id: 'm-1',
    price: 129.9,
    salePrice: 99.9,
    currency: 'USD',
    availability: 'in_stock',
    discontinued: true,
    itemGroupId: 'g',
    attributes: { custom_label_0: 'winter' },
  })
})

test('a Google Merchant item, as feed and as both of its interfaces give it', () => {
  const feed = read({
    'g:id': 'g-1',
    'g:title': 'Rope',
    'g:link': 'https://shop.test/rope',
    'g:image_link': 'https://shop.test/rope.jpg',
    'g:additional_image_link': ['https://shop.test/rope2.jpg'],
    'g:price': '59.00 EUR',
    'g:sale_price': '49.00 EUR',
    'g:sale_price_effective_date': '2026-11-01T00:00Z/2026-11-30T00:00Z',
    'g:availability': 'preorder',
    'g:google_product_category': 'Sporting Goods',
    'g:product_type': 'Climbing > Ropes',
  }).product
  expect(feed).toMatchObject({ id: 'g-1', price: 59, salePrice: 49, availability: 'preorder' })
  expect(feed?.categories).toEqual(['Climbing > Ropes', 'Sporting Goods'])
  const content = { offerId: 'o-1', title: 'Rope', imageLink: 'https://shop.test/r.jpg', availability: 'in stock' }
  expect(
    read({ ...content, price: { value: '59.00', currency: 'EUR' }, productTypes: ['A', 'B'] }).product,
  ).toMatchObject({
    id: 'o-1',
    price: 59,
    currency: 'EUR',
    categories: ['A', 'B'],
  })
  const inner = { title: 'Rope', price: { amountMicros: '59000000', currencyCode: 'EUR' }, link: 'https://shop.test/r' }
  expect(read({ offerId: 'o-2', productAttributes: inner }).product).toMatchObject({
    id: 'o-2',
    price: 59,
    currency: 'EUR',
  })
})

test('a sale price applies only within its dates', () => {
  const sale = (dates: string) =>
    read({ id: 1, title: 'T', price: 10, sale_price: 8, sale_price_effective_date: dates }).product?.salePrice
  expect(sale('2026-01-01T00:00Z/2026-02-01T00:00Z')).toBeNull()
  expect(sale('2027-01-01T00:00Z/2027-02-01T00:00Z')).toBeNull()
  expect(sale('2026-11-01T00:00+0100/2026-12-01T00:00+0100')).toBe(8)
  expect(sale('soon')).toBe(8)
})

test('a schema.org product: offers, brand, rating, variants, properties', () => {
  const { product } = read({
    '@context': 'https://schema.org',
    '@type': 'Product',
    productID: 's-1',
    name: 'Stove',
    image: ['https://shop.test/1.jpg', { '@type': 'ImageObject', url: 'https://shop.test/2.jpg' }],
    brand: { '@type': 'Brand', name: 'Ember' },
    gtin13: '4006381333931',
    aggregateRating: { ratingValue: '9', bestRating: '10', reviewCount: '31' },
    offers: [
      { '@type': 'Offer', price: '45', priceCurrency: 'EUR', availability: 'https://schema.org/SoldOut' },
      { '@type': 'Offer', price: '39.5', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
    ],
    additionalProperty: [{ '@type': 'PropertyValue', name: 'Power', value: 2600, unitText: 'W' }],
    hasVariant: [{ '@type': 'Product', sku: 's-1-b', name: 'Stove black', color: 'black', offers: { price: 41 } }],
  })
  expect(product).toMatchObject({
    id: 's-1',
    brand: 'Ember',
    gtin: '4006381333931',
    price: 39.5,
    currency: 'EUR',
    availability: 'in_stock',
    rating: 4.5,
    reviewCount: 31,
    imageUrl: 'https://shop.test/1.jpg',
    additionalImageUrls: ['https://shop.test/2.jpg'],
    attributes: { Power: '2600 W' },
  })
  expect(product?.variants).toMatchObject([{ id: 's-1-b', price: 41, attributes: { color: 'black' } }])
  const aggregate = { '@type': 'AggregateOffer', lowPrice: 5, highPrice: 9, priceCurrency: 'GBP' }
  expect(read({ sku: 'x', name: 'Y', offers: aggregate }).product).toMatchObject({ id: 'x', price: 5, currency: 'GBP' })
})

test('an item of an OpenAI product feed', () => {
  const { product } = read({
    item_id: 'oa-1',
    title: 'Bottle',
    url: 'https://shop.test/bottle',
    image_url: 'https://shop.test/bottle.jpg',
    additional_image_urls: 'https://shop.test/b2.jpg,https://shop.test/b3.jpg',
    price: '24.00 USD',
    availability: 'out_of_stock',
    product_category: 'Outdoor > Hydration',
    group_id: 'bottles',
    star_rating: '4.6',
    product_review_count: 88,
    enable_search: true,
    material: 'steel',
  })
  expect(product).toMatchObject({
    id: 'oa-1',
    additionalImageUrls: ['https://shop.test/b2.jpg', 'https://shop.test/b3.jpg'],
    price: 24,
    availability: 'out_of_stock',
    categories: ['Outdoor > Hydration'],
    itemGroupId: 'bottles',
    rating: 4.6,
    reviewCount: 88,
    attributes: { material: 'steel' },
  })
})

test('a price in words and an unknown availability are left out with a warning, an over-long text is cut with one', () => {
  const item = { id: 1, title: 'T', price: 'on request', availability: 'maybe', description: 'word '.repeat(5000) }
  const { product, remarks } = read({ ...item, link: 'javascript:alert(1)' })
  expect(product).toMatchObject({ price: null, availability: null, url: null })
  expect(product?.description.length).toBeLessThanOrEqual(10_000)
  const codes = ['availability_unknown', 'price_without_number', 'text_cut', 'unreadable_url']
  expect(remarks.warnings.map(({ code }) => code).sort()).toEqual(codes)
})

describe('through the API', () => {
  test('an id with slashes is read back, unknown fields are attributes, and relative links belong to the bot’s site', async () => {
    const { sync, read } = await startCatalogueServer('sqlite')
    const id = 'gid://shopify/Product/1 ä'
    await sync([{ id, title: 'T', link: '/p/1', Waterproof: true, sizes: ['S', 'M'], nested: { a: { b: 1 } } }])
    expect(await read(id)).toMatchObject({
      id,
      link: 'https://shop.test/p/1',
      attributes: { waterproof: 'true', sizes: ['S', 'M'] },
    })
  })
})

test('the alias table in the guide matches the code', () => {
  const guide = readFileSync(new URL('../../../docs/guides/products.md', import.meta.url), 'utf8')
  const wire = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const cell = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const table = Object.entries(aliasTable).map(
    ([field, columns]) => `| ${wire(field)} | ${columns.map((names) => cell(names)).join(' | ')} |`,
  )
  expect(guide).toContain(
    `| Field | ${PLATFORMS.join(' | ')} |\n|${'---|'.repeat(PLATFORMS.length + 1)}\n${table.join('\n')}\n`,
  )
})
