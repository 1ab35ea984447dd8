// npm run build:packages: writes the packages as tarballs to dist/packages. Packs the runtime for this platform only,
// unless --all-platforms is given; --loose leaves large packages uncompressed, for tests.
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stageDocent } from './packages/docent.ts'
import { PLATFORMS, type Platform, stageRuntime, thisPlatform } from './packages/runtime.ts'
import { stageSdk } from './packages/sdk.ts'
import { pack, ROOT } from './packages/stage.ts'
import { stageWidget } from './packages/widget.ts'

const { values } = parseArgs({
  options: {
    'out-dir': { type: 'string', default: join(ROOT, 'dist/packages') },
    'all-platforms': { type: 'boolean', default: false },
    loose: { type: 'boolean', default: false },
  },
})
const folder = resolve(values['out-dir'])
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const tarballs = [
  pack(stageSdk(join(folder, 'sdk'))),
  pack(stageWidget(join(folder, 'widget'))),
  pack(stageDocent(join(folder, 'docent')), !values.loose),
]
const platforms = values['all-platforms'] ? (Object.keys(PLATFORMS) as Platform[]) : [thisPlatform() ?? []].flat()
for (const platform of platforms)
  tarballs.push(pack(stageRuntime(join(folder, `runtime-${platform}`), platform), !values.loose))
for (const path of tarballs) console.log(relative('.', path))
