import type { ProductSummary } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { formatMoney } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { useBot, useBotId } from '../bots/use-bot.ts'
import { KnowledgeLayout } from '../knowledge/knowledge-layout.tsx'
import { AddFeed, Feeds } from './feeds.tsx'

type Availability = NonNullable<ProductSummary['availability']>

export function ProductsPage() {
  const { products: texts, knowledge, documents, lists } = useTexts()
  const botId = useBotId()
  const { data: bot } = useBot()
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('id')
  const [availability, setAvailability] = useState<Availability | ''>('')
  const query = { sort: order as 'id', ...(q ? { q } : {}), ...(availability ? { availability } : {}) }
  const products = useApiList('GET /api/manage/v1/bots/{botId}/products', { params: { botId }, query })
  const mayRemove = useHasRole('editor')
  const remove = useConfirmedAction('DELETE /api/manage/v1/bots/{botId}/products/{productId}', {
    toRequest: ({ id }: ProductSummary) => ({ params: { botId, productId: id } }),
    done: texts.removed,
    title: (items) => lists.removeTitle(items.length),
    about: () => texts.removeAbout,
    action: texts.remove,
  })
  const choices = Object.entries(texts.availability).map(([value, label]) => ({ value, label }))
  return (
    <KnowledgeLayout actions={<AddFeed botId={botId} />}>
      <Feeds botId={botId} />
      {bot?.currency === null && products.items.some(({ price, currency }) => price !== null && currency === null) && (
        <Notice tone="warn">
          {texts.currencyMissing} <Link to={screenPath('settings', { botId })}>{texts.setCurrency}</Link>
        </Notice>
      )}
      <DataList<ProductSummary>
        label={knowledge.products}
        list={products}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        isFiltered={availability !== ''}
        total={bot?.knowledge.products}
        filters={
          (products.items.length > 0 || q !== '' || availability !== '') && (
            <Select
              aria-label={texts.any}
              data={[{ value: '', label: texts.any }, ...choices]}
              value={availability}
              onChange={(value) => setAvailability((value ?? '') as typeof availability)}
            />
          )
        }
        columns={[
          {
            label: documents.titleField,
            sort: 'title',
            show: (product) => <ProductName product={product} />,
            value: ({ title }) => title,
          },
          {
            label: texts.price,
            sort: 'price',
            isNumber: true,
            show: (product) => <Price product={product} usual={bot?.currency ?? null} />,
            value: ({ price, sale_price }) => sale_price ?? price,
          },
          { label: texts.brand, show: ({ brand }) => brand ?? '–', value: ({ brand }) => brand, isExtra: true },
          { label: texts.sku, show: ({ sku }) => sku ?? '–', value: ({ sku }) => sku, isExtra: true },
          {
            label: lists.status,
            sort: 'availability',
            show: (product) => {
              const text = availabilityOf(product, texts)
              const tone = product.discontinued ? 'quiet' : product.availability === 'in_stock' ? 'good' : 'warn'
              return text ? <Status tone={tone}>{text}</Status> : '–'
            },
            value: (product) => availabilityOf(product, texts),
          },
          {
            label: texts.synced,
            sort: 'synced_at',
            isExtra: true,
            show: ({ synced_at }) => <Time time={synced_at} />,
            value: ({ synced_at }) => synced_at,
          },
        ]}
        bulk={mayRemove ? [{ label: texts.remove, run: remove.ask, destroys: true }] : []}
        empty={
          <EmptyState
            icon="products"
            title={texts.emptyTitle}
            about={texts.emptyAbout}
            action={
              <Button component={Link} to={screenPath('api', { botId })} hash="sync-key">
                {texts.toSync}
              </Button>
            }
          />
        }
      />
      {remove.dialog}
    </KnowledgeLayout>
  )
}

function ProductName({ product }: { product: ProductSummary }) {
  return (
    <span className="with-thumb">
      {product.image_link && (
        <img className="thumb" src={product.image_link} alt="" width={32} height={32} loading="lazy" />
      )}
      {product.link ? (
        <a className="quiet-link" href={product.link} target="_blank" rel="noreferrer">
          {product.title}
        </a>
      ) : (
        product.title
      )}
    </span>
  )
}

/** In the bot's currency, where the product states none. */
function Price({ product, usual }: { product: ProductSummary; usual: string | null }) {
  const { price, sale_price, currency: statedCurrency } = product
  if (price === null) return '–'
  const currency = statedCurrency ?? usual
  return (
    <>
      {sale_price !== null && <s className="quiet">{formatMoney(price, currency)}</s>}{' '}
      {formatMoney(sale_price ?? price, currency)}
    </>
  )
}

function availabilityOf({ availability, discontinued }: ProductSummary, texts: Texts['products']): string | null {
  return discontinued ? texts.discontinued : availability && texts.availability[availability]
}
