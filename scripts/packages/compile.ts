// Compiles TypeScript to JavaScript with declarations, for packages that others type-check against.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, type Stage } from './stage.ts'

const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  declaration: true,
  skipLibCheck: true,
  paths: { react: [join(ROOT, 'node_modules/@types/react')] },
}

/** Writes dist/. Sources by file name; the contract is the file next to them. */
export function compile(stage: Stage, sources: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-compile-'))
  try {
    for (const [name, text] of Object.entries(sources)) {
      // TypeScript does not rewrite file names in declarations.
      const code = text.replace(/'(\.\/[\w-]+)\.ts'/g, "'$1.js'").replaceAll("'@docent/contract'", "'./contract.js'")
      writeFileSync(join(folder, name), code)
    }
    const compilerOptions = { ...COMPILER_OPTIONS, rootDir: folder, outDir: join(stage.folder, 'dist') }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { stdio: 'inherit' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
