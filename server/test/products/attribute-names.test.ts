// Shops name sizes and colours in their own language.
import { expect, test } from 'vitest'
import { valuesOf } from '../../src/catalogue/answers/product-text.ts'
import { facetOf } from '../../src/catalogue/index/product-terms.ts'

const names = {
  size: ['size', 'Größe', 'storlek', 'størrelse', 'rozmiar', 'beden', 'размер', 'المقاس', '尺码', 'サイズ'],
  colour: ['colour', 'Farbe', 'färg', 'farve', 'kolor', 'renk', 'цвет', 'اللون', '颜色', 'カラー'],
}

test.each(['size', 'colour'] as const)('the attribute that holds the %s is found in any language', (kind) => {
  const valuesBy = (name: string) => valuesOf({ attributes: { [name]: ['M', 'S'] }, variants: [] } as never, kind)
  expect(names[kind].filter((name) => valuesBy(name).length !== 2)).toEqual([])
  expect(valuesBy('size chart')).toEqual([])
})

test.each([
  ['size', 'Größe Groesse sizes shoe_size Tallas taglie Tamanhos maten storlekar Størrelser rozmiary bedenler numara'],
  ['size', 'Размеры المقاسات 尺寸 尺码 码数 サイズ'],
  ['colour', 'Colours color Farben couleurs colori Cores kleuren färger Farver kolory renkler'],
  ['colour', 'Цвет ألوان الألوان اللون 颜色 顏色 色 カラー'],
] as const)('these attributes hold a %s, for search and for answers: %s', (kind, names) => {
  for (const name of names.split(' ')) {
    expect([name, facetOf(name)]).toEqual([name, kind])
    expect([name, valuesOf({ attributes: { [name]: 'X' }, variants: [] } as never, kind)]).toEqual([name, ['X']])
  }
})
