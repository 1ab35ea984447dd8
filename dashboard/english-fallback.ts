// Puts in English what a language lacks, while the dashboard is built: nobody loads a second language for it.
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { missingTexts } from './src/texts/with-english.ts'

const TRANSLATION = /(\/src\/texts)\/(?!en\/)[a-z]{2}(\/[\w-]+\.ts)$/

export function englishFallback(): Plugin {
  return {
    name: 'english-fallback',
    async load(path) {
      const english = path.replace(TRANSLATION, '$1/en$2')
      if (english === path || !existsSync(english)) return null
      this.addWatchFile(english)
      const [whole, part] = await Promise.all([textsIn(english), textsIn(path)])
      if (missingTexts(whole, part).length === 0) return null
      const names = Object.keys(whole)
      return [
        `import * as english from ${JSON.stringify(english)}`,
        // Of another name, so that this plugin leaves it as it is.
        `import * as own from ${JSON.stringify(`${path}?own`)}`,
        `import { withEnglish } from '../with-english.ts'`,
        ...names.map((name) => `export const ${name} = withEnglish(english.${name}, own.${name})`),
      ].join('\n')
    },
  }
}

/** As the file is now: a server for developers sees it change. */
function textsIn(path: string): Promise<object> {
  return import(`${pathToFileURL(path)}?at=${Date.now()}`)
}
