// @docent/docent: server, command line, built pages, models and their dependencies. lib/ mirrors the repository's folders,
// so that paths stay valid.
import { installedFor } from './installed-packages.ts'
import { PLATFORMS, type Platform, runtimeName } from './runtime.ts'
import { makeStage, readManifest, type Stage, version } from './stage.ts'
import { copyAsJavaScript } from './to-javascript.ts'

const SOURCES = ['contract/src', 'sdk/src', 'server/src', 'cli/src']
const LAUNCHER = ['cli/bin', 'scripts/find-node.mjs', 'scripts/limit-memory.mjs']
const AS_THEY_ARE = [
  ...LAUNCHER,
  'dashboard/dist',
  'widget/dist',
  'models',
  'demo',
  'docs/guides',
  'docs/images/dashboard',
]

export function stageDocent(folder: string): Stage {
  const runtimes = Object.keys(PLATFORMS).map((platform) => [runtimeName(platform as Platform), version])
  const stage = makeStage(folder, {
    name: '@docent/docent',
    description: 'Self-hosted chatbots that answer from your own content, with sources and an honest confidence',
    keywords: ['docent', 'chatbot', 'self-hosted', 'rag'],
    bin: { docent: 'lib/cli/bin/docent.mjs' },
    files: ['lib', 'deploy', 'third-party-licences.md'],
    optionalDependencies: Object.fromEntries(runtimes),
  })
  stage.copy('cli/README.md', 'README.md')
  // Compose reads somebody's secrets from a .env beside its files.
  stage.copy('deploy', 'deploy', (path) => !path.endsWith('/.env'))
  stage.copy('docs/third-party-licences.md', 'third-party-licences.md')
  stage.write('lib/package.json', `${JSON.stringify({ type: 'module', version })}\n`)
  const lib: Stage = {
    folder,
    copy: (from, to = from, filter) => stage.copy(from, `lib/${to}`, filter),
    write: (path, text) => stage.write(`lib/${path}`, text),
  }
  for (const source of SOURCES) copyAsJavaScript(lib, source)
  for (const path of AS_THEY_ARE) lib.copy(path)
  // Exactly as tested, with nothing to download. npm would unpack bundled dependencies twice but leaves our folder alone.
  for (const path of installedFor(externalDependencies())) lib.copy(path, path, isUsed)
  return stage
}

/** Skips what packages ship only for development: two files in three. */
function isUsed(path: string): boolean {
  const inside = path.slice(path.lastIndexOf('/node_modules/'))
  return (
    !/\.(map|ts|mts|cts|tsx|md|markdown|flow)$/.test(inside.replace(/\/licen[cs]e[^/]*$/i, '')) &&
    !/\/(tests?|__tests__|docs|examples?|bench(mark)?s?|\.github)$/.test(inside)
  )
}

function externalDependencies(): string[] {
  const manifests = ['contract', 'server', 'cli', 'sdk'].map((name) => readManifest(`${name}/package.json`))
  const names = manifests.flatMap((manifest) =>
    Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
  )
  // ONNX Runtime comes with the platform's runtime package.
  return names.filter((name) => !name.startsWith('@docent/') && name !== 'onnxruntime-node')
}
