import { Select } from '@mantine/core'
import { useMessages } from '../messages/messages.tsx'
import { currencies } from '../text/format.ts'

interface Props {
  description: string
  value: string | null
  onChange: (value: string | null) => void
}

export function CurrencySelect({ description, value, onChange }: Props) {
  const { general, products: words } = useMessages()
  return (
    <Select
      label={`${words.currency} (${general.optional})`}
      description={description}
      searchable
      clearable
      data={currencies()}
      value={value}
      onChange={onChange}
    />
  )
}
