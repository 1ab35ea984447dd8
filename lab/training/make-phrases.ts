// node lab/training/make-phrases.ts <folder> <output file>: short texts of everyday life in several languages, a line each.
// The folder holds npm packages, unpacked: cldr-annotations-full and cldr-localenames-modern (Unicode-3.0), and
// @clerk/localizations and @medusajs/dashboard 2.8.0 (MIT), as `annotations`, `names`, `clerk` and `medusa`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

type Tree = { [key: string]: string | string[] | Tree }

const [folder = '', outFile = ''] = process.argv.slice(2)
const languages: Record<string, [clerk: string, medusa: string]> = {
  en: ['en-US', 'en'],
  de: ['de-DE', 'de'],
  fr: ['fr-FR', 'fr'],
  es: ['es-ES', 'es'],
  it: ['it-IT', 'it'],
  pt: ['pt-BR', 'ptBR'],
  nl: ['nl-NL', 'nl'],
  sv: ['sv-SE', 'sv'],
  pl: ['pl-PL', 'pl'],
  tr: ['tr-TR', 'tr'],
  ar: ['ar-SA', 'ar'],
  ja: ['ja-JP', 'ja'],
  zh: ['zh-CN', 'zhCN'],
  ko: ['ko-KR', 'ko'],
  ru: ['ru-RU', 'ru'],
  cs: ['cs-CZ', 'cs'],
  uk: ['uk-UA', 'uk'],
  da: ['da-DK', 'da'],
  no: ['nb-NO', 'no'],
  fi: ['fi-FI', 'fi'],
  id: ['id-ID', 'id'],
  vi: ['vi-VN', 'vi'],
  hi: ['hi-IN', 'hi'],
}

const require = createRequire(import.meta.url)
const phrases = new Map<string, Record<string, string>>()
for (const [language, [clerk, medusa]] of Object.entries(languages)) {
  const { annotations } = readJson(`annotations/package/annotations/${language}/annotations.json`) as {
    annotations?: Tree
  }
  for (const [sign, { tts = '' }] of Object.entries((annotations?.annotations ?? {}) as Record<string, Tree>)) {
    add(language, `sign ${sign}`, String(tts))
  }
  for (const kind of ['territories', 'languages']) {
    addTree(language, kind, readJson(`names/package/main/${language}/${kind}.json`), kind)
  }
  addTree(language, 'medusa', readJson(`medusa/package/src/i18n/translations/${medusa}.json`))
  const module = join(folder, `clerk/package/dist/${clerk}.js`)
  if (existsSync(module)) addTree(language, 'clerk', require(module) as Tree)
}
const rows = [...phrases.values()].filter((row) => row.en && Object.keys(row).length > 1)
const once = new Map(rows.map((row) => [row.en?.toLowerCase(), row]))
writeFileSync(outFile, [...once.values()].map((row) => `${JSON.stringify(row)}\n`).join(''))
console.log(
  `${once.size} phrases, ${[...once.values()].reduce((sum, row) => sum + Object.keys(row).length - 1, 0)} translations`,
)

/** All texts below the node `from`, by their keys. */
function addTree(language: string, path: string, tree: Tree, from?: string): void {
  for (const [key, value] of Object.entries(tree)) {
    // The language's own name stands above its texts in some files.
    const below = /^[a-z]{2}(?:-?[A-Z]{2})?$/.test(key) && typeof value === 'object' ? path : `${path} ${key}`
    if (typeof value === 'object' && !Array.isArray(value))
      addTree(language, below, value, key === from ? undefined : from)
    else if (typeof value === 'string' && from === undefined) add(language, below, value)
  }
}

function add(language: string, key: string, text: string): void {
  const clean = text
    .replace(/\{\{?[^}]*\}?\}|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (!/\p{L}{2}|\p{Script=Han}/u.test(clean)) return
  const row = phrases.get(key) ?? {}
  // What was left in English is no translation.
  if (language === 'en' || row.en !== clean) row[language] = clean
  phrases.set(key, row)
}

function readJson(name: string): Tree {
  const path = join(folder, name)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Tree) : {}
}
