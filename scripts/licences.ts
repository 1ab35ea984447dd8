// Lists shipped third-party software: docs/sbom.json (CycloneDX) and docs/third-party-licences.md. Offline, from
// package-lock.json and node_modules; --check writes nothing and fails when one has drifted.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface LockedPackage {
  /** The real name of an aliased package. */
  name?: string
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
  os?: string[]
  cpu?: string[]
}
interface Component {
  'bom-ref': string
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const shippedPackages = readShipped()
const files: Record<string, string> = { 'docs/sbom.json': sbom(), 'docs/third-party-licences.md': licences() }
for (const [path, text] of Object.entries(files)) {
  const full = join(ROOT, path)
  if (!process.argv.includes('--check')) writeFileSync(full, text)
  else if (!existsSync(full) || readFileSync(full, 'utf8') !== text) {
    console.error(`${path} does not match package-lock.json: run npm run licences`)
    process.exitCode = 1
  }
}

/** By path, without development-only packages. */
function readShipped(): [path: string, name: string, locked: LockedPackage][] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, lockedPackage]) => [path, lockedPackage.name ?? nameOf(path), lockedPackage])
}

/**
 * Drops what varies by run or machine: time, serial number, npm's version, folder. We select what ships, because npm's
 * `--omit dev` drops packages that one workspace ships and another only develops with.
 */
function sbom(): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const npmSbom = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }))
  const { serialNumber: _serial, metadata, components, dependencies, ...rest } = npmSbom
  const refs = new Set(shippedPackages.map(([, name, { version }]) => `${name}@${version}`))
  const root: Component = { ...metadata.component, name: 'docent' }
  const shippedComponents = inOrder(components as Component[], 'bom-ref').filter((component) =>
    refs.has(component['bom-ref']),
  )
  const missingRefs = [...refs].filter((ref) => !shippedComponents.some((component) => component['bom-ref'] === ref))
  if (missingRefs.length > 0) throw new Error(`npm sbom does not name ${missingRefs.join(', ')}`)
  const document = {
    ...rest,
    metadata: { component: root },
    components: shippedComponents,
    dependencies: inOrder(dependencies as { ref: string; dependsOn: string[] }[], 'ref')
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)).sort() })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function inOrder<T extends { [key in K]: string }, K extends string>(list: T[], key: K): T[] {
  return list.toSorted((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0))
}

function licences(): string {
  const rows = shippedPackages.map(
    ([path, name, lockedPackage]) =>
      `| ${name} | ${lockedPackage.version} | ${lockedPackage.license ?? 'not stated'} | ${copyright(path, lockedPackage)} |`,
  )
  return `# Third-party licences

Packages that Docent needs to run or that are built into its pages (\`npm run licences\`; as a CycloneDX document:
[sbom.json](sbom.json)). npm installs each with the text of its licence. Packages for one platform only are named without
their copyright line, because they are not installed everywhere.

| package | version | licence | copyright |
|---|---|---|---|
${[...new Set(rows)].sort().join('\n')}
`
}

/** The first copyright line of its licence; empty for platform-specific packages. */
function copyright(path: string, { os, cpu }: LockedPackage): string {
  const folder = join(ROOT, path)
  if (os || cpu || !existsSync(folder)) return ''
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name))
  if (!file) return ''
  const line = /^\W*(copyright\b.*(?:\d{4}|\(c\)|©).*)$/im.exec(readFileSync(join(folder, file), 'utf8'))?.[1]
  return line?.trim().replaceAll('|', '\\|').replaceAll('<', '\\<') ?? ''
}
