// @docent/sdk: the client as ES modules with declarations and no dependencies.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from './compile.ts'
import { contractTypes } from './contract-types.ts'
import { makeStage, ROOT, type Stage } from './stage.ts'

export function stageSdk(folder: string): Stage {
  const stage = makeStage(folder, {
    name: '@docent/sdk',
    description:
      'Typed client for Docent: chat, management API and webhook signatures, in Node, browsers and at the edge',
    keywords: ['docent', 'chatbot', 'client'],
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    types: './dist/index.d.ts',
    files: ['dist'],
  })
  stage.copy('sdk/README.md', 'README.md')
  stage.write('dist/contract.d.ts', contractTypes())
  const sources = readdirSync(join(ROOT, 'sdk/src')).map((name) => [
    name,
    readFileSync(join(ROOT, 'sdk/src', name), 'utf8'),
  ])
  compile(stage, { ...Object.fromEntries(sources), 'contract.d.ts': contractTypes() })
  return stage
}
