import { Select } from '@mantine/core'
import { currencies } from '../text/format.ts'
import { useTexts } from '../texts/texts.tsx'

interface Props {
  description: string
  value: string | null
  onChange: (value: string | null) => void
}

export function CurrencySelect({ description, value, onChange }: Props) {
  const { general, products: texts } = useTexts()
  return (
    <Select
      label={`${texts.currency} (${general.optional})`}
      description={description}
      searchable
      clearable
      data={currencies()}
      value={value}
      onChange={onChange}
    />
  )
}
