// Shops name sizes and colours in their own language.
import { expect, test } from 'vitest'
import { valuesOf } from '../../src/catalogue/answers/product-text.ts'

const names = {
  size: ['size', 'Größe', 'storlek', 'størrelse', 'rozmiar', 'beden', 'размер', 'المقاس', '尺码', 'サイズ'],
  colour: ['colour', 'Farbe', 'färg', 'farve', 'kolor', 'renk', 'цвет', 'اللون', '颜色', 'カラー'],
}

test.each(['size', 'colour'] as const)('the attribute that holds the %s is found in any language', (kind) => {
  const valuesBy = (name: string) => valuesOf({ attributes: { [name]: ['M', 'S'] }, variants: [] } as never, kind)
  expect(names[kind].filter((name) => valuesBy(name).length !== 2)).toEqual([])
  expect(valuesBy('size chart')).toEqual([])
})
