import { Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { folderOf, patternsUnder } from './folder-patterns.ts'

interface PathScope {
  /** Null if the URL is that of a whole site. */
  checkbox: ReactNode
  /** Of the URL that is crawled, which a redirect may have changed. */
  include: (url: string) => string[]
}

/** Who enters the URL of a folder wants its pages, and can choose the whole site. */
export function usePathScope(url: string): PathScope {
  const { websites: texts } = useTexts()
  const [isNarrow, setNarrow] = useState(true)
  const folder = folderOf(withScheme(url))
  return {
    checkbox: folder && (
      <Checkbox
        label={texts.onlyUnder(folder)}
        checked={isNarrow}
        onChange={(event) => setNarrow(event.currentTarget.checked)}
      />
    ),
    include: (crawled) => (folder && isNarrow ? patternsUnder(withScheme(url), crawled) : []),
  }
}
