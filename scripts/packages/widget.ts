// @docent/widget: the element as an ES module with its lazy parts, and the React component around it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from './compile.ts'
import { makeStage, ROOT, type Stage } from './stage.ts'

export function stageWidget(folder: string): Stage {
  const stage = makeStage(folder, {
    name: '@docent/widget',
    description: "Docent's chat for any page: a custom element without a framework, and a React component",
    keywords: ['docent', 'chatbot', 'custom-element', 'react'],
    // Importing it defines the element.
    sideEffects: true,
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './react': { types: './dist/react.d.ts', default: './dist/react.js' },
      './package.json': './package.json',
    },
    types: './dist/index.d.ts',
    files: ['dist'],
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  })
  stage.copy('widget/README.md', 'README.md')
  const read = (path: string) => readFileSync(join(ROOT, 'widget', path), 'utf8')
  const react = read('src/react.ts').replace("'../docent-widget.d.ts'", "'./index.ts'")
  compile(stage, { 'react.ts': react, 'index.d.ts': read('docent-widget.d.ts') })
  stage.write('dist/index.d.ts', read('docent-widget.d.ts'))
  stage.copy('widget/dist/docent-chat.js', 'dist/index.js')
  stage.copy('widget/dist/more.js', 'dist/more.js')
  return stage
}
