// Writes dist/: the script for the tag, the module for npm, and the languages.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { english } from './src/host/texts.ts'
import { moreEnglish } from './src/more/more-texts.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const { values } = parseArgs({ options: { outDir: { type: 'string', default: `${folder}dist` } } })
const dist = `${resolve(values.outDir)}/`

const css = {
  name: 'css-as-text',
  transform: {
    filter: { id: /\.css$/ },
    handler: (code: string) => ({ code: `export default ${JSON.stringify(small(code))}`, moduleType: 'js' as const }),
  },
}

function small(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{}:;,>~!]) ?/g, '$1')
    .replace(/\[([a-z-]+)="([a-z]+)"\]/g, '[$1=$2]')
    .replace(/\b0\./g, '.')
    .replaceAll(' / ', '/')
    .replaceAll(';}', '}')
    .trim()
}

async function bundle(input: string, file: string, format: 'iife' | 'esm') {
  const built = await rolldown({
    input: `${folder}src/${input}`,
    plugins: [css],
    platform: 'browser',
    // Bundled separately and imported by its relative path.
    external: (id, from) => from !== undefined && id.endsWith('/more.ts'),
  })
  const { output } = await built.generate({ format, minify: true })
  await built.close()
  writeFileSync(dist + file, output[0].code.replaceAll('/* @__PURE__ */ ', '').replaceAll('/more.ts', '/more.js'))
}

rmSync(dist, { recursive: true, force: true })
mkdirSync(`${dist}languages`, { recursive: true })
mkdirSync(`${dist}more-languages`)
await bundle('widget-script.ts', 'widget.js', 'iife')
await bundle('index.ts', 'docent-chat.js', 'esm')
await bundle('more.ts', 'more.js', 'esm')
for (const [kind, texts] of Object.entries({ languages: english, 'more-languages': moreEnglish })) {
  const write = (name: string, sentences: object) => writeFileSync(`${dist}${kind}/${name}`, JSON.stringify(sentences))
  write('en.json', texts)
  for (const name of readdirSync(folder + kind))
    write(name, JSON.parse(readFileSync(`${folder}${kind}/${name}`, 'utf8')))
}
