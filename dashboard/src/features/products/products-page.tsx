import type { ProductSummary } from '@docent/contract'
import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useList } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatMoney } from '../../text/format.ts'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List } from '../../ui/list.tsx'
import { Row } from '../../ui/rows.tsx'
import { Status } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { Knowledge } from '../knowledge/knowledge-layout.tsx'
import { FeedForm } from './feed-form.tsx'
import { Feeds } from './feeds.tsx'

type Availability = NonNullable<ProductSummary['availability']>

export function ProductsPage() {
  const { products: words, feeds, knowledge } = useMessages()
  const botId = useBotId()
  const [text, setText] = useState('')
  const [availability, setAvailability] = useState<Availability | ''>('')
  const [q] = useDebouncedValue(text.trim(), 250)
  const query = { ...(q ? { q } : {}), ...(availability ? { availability } : {}) }
  const products = useList('GET /api/manage/v1/bots/{botId}/products', { params: { botId }, query })
  const [adding, setAdding] = useState(false)
  const mayEdit = useMay('editor')
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
      {feeds.add}
    </Button>
  )
  const isFiltered = q !== '' || availability !== ''
  const choices = Object.entries(words.availability).map(([value, label]) => ({ value, label }))
  const empty = isFiltered ? (
    <Empty icon="search" title={words.nothing} about={words.nothingAbout} />
  ) : (
    <Empty
      icon="products"
      title={words.emptyTitle}
      about={words.emptyAbout}
      action={
        <div className="inline">
          {add}
          <Button component={Link} variant="default" to={`/bots/${botId}/settings/api`}>
            {words.toSync}
          </Button>
        </div>
      }
    />
  )
  return (
    <Knowledge actions={(products.items.length > 0 || isFiltered) && add}>
      <Feeds botId={botId} />
      {(products.items.length > 0 || isFiltered) && (
        <div className="filters">
          <TextInput
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            leftSection={<Icon name="search" size={16} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Select
            aria-label={words.any}
            data={[{ value: '', label: words.any }, ...choices]}
            value={availability}
            onChange={(value) => setAvailability((value ?? '') as typeof availability)}
          />
        </div>
      )}
      <List label={knowledge.products} list={products} empty={empty}>
        {(product) => <ProductRow key={product.id} product={product} />}
      </List>
      <FeedForm botId={botId} opened={adding} onClose={() => setAdding(false)} />
    </Knowledge>
  )
}

function ProductRow({ product }: { product: ProductSummary }) {
  const { products: words } = useMessages()
  const { price, sale_price, currency, availability } = product
  return (
    <Row
      start={
        product.image_link && (
          <img className="thumb" src={product.image_link} alt="" width={40} height={40} loading="lazy" />
        )
      }
      title={
        product.link ? (
          <a className="quiet-link" href={product.link} target="_blank" rel="noreferrer">
            {product.title}
          </a>
        ) : (
          product.title
        )
      }
      meta={[
        price !== null && formatMoney(sale_price ?? price, currency),
        sale_price !== null && price !== null && <s key="was">{formatMoney(price, currency)}</s>,
        product.brand,
        product.sku && words.sku(product.sku),
      ]}
      end={
        product.discontinued ? (
          <Status tone="quiet">{words.discontinued}</Status>
        ) : (
          availability && (
            <Status tone={availability === 'in_stock' ? 'good' : 'warn'}>{words.availability[availability]}</Status>
          )
        )
      }
    />
  )
}
