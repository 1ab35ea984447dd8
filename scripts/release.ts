// npm run release -- <version> [--dry-run]: sets the version, dates the changelog, then publishes the packages with
// provenance and the image. A run that failed half-way is repeated: what is published already is skipped.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = join(ROOT, 'dist/packages')
const MANIFESTS = ['web', 'worker'].map((name) => `deploy/kubernetes/${name}.yaml`)
const SCOPE = '@docent/'
const FIRST_RELEASE_NOTE = ' Nothing has been released yet: this is what the first version will contain.'
/** Last, because it depends on the others. */
const MAIN_PACKAGE = '@docent/docent'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    /** Where the image goes, without its tag: ghcr.io/owner/docent. */
    image: { type: 'string' },
    /** npm gives provenance only to builds of GitHub and GitLab. */
    'without-provenance': { type: 'boolean', default: false },
  },
})
const isDryRun = values['dry-run']
const version = positionals[0] ?? ''
const isPrerelease = version.includes('-')
const tag = `v${version}`

const problems = findProblems()
if (problems.length > 0) {
  const heading = isDryRun ? 'Before this release can run:' : 'Not released:'
  console.error([heading, ...problems.map((problem) => `- ${problem}`)].join('\n'))
  if (!isDryRun) process.exit(1)
}
try {
  if (git('tag', '--list', tag)) console.log(`${tag} is tagged already; publishing it.`)
  else commitVersion()
  run('npm', ['run', 'build:packages', '--', '--all-platforms'])
  for (const tarball of isDryRun ? [] : tarballs()) publish(tarball)
  if (isDryRun) console.log(`would publish each tarball: npm ${publishArguments('<tarball>').join(' ')}`)
  pushImage()
  run('git', ['push', '--quiet', '--follow-tags'])
} catch (error) {
  console.error(`Not finished: ${(error as Error).message.split('\n')[0]}\nRun the same command again to continue.`)
  process.exit(1)
}

/** Everything that is missing, told together. */
function findProblems(): string[] {
  const { version: current, repository } = JSON.parse(read('package.json'))
  const isTagged = version !== '' && git('tag', '--list', tag) !== ''
  const problems: (string | false)[] = [
    !/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(version) && 'name the version: npm run release -- 1.2.3, or 1.2.3-beta.1',
    !isTagged && isOlder(version, current) && `${version} is older than ${current}, the version in package.json`,
    isTagged && git('rev-parse', `${tag}^{commit}`) !== git('rev-parse', 'HEAD') && `check out ${tag} to publish it`,
    git('status', '--porcelain') !== '' && 'commit or remove the changes in the working tree',
    !isTagged && readUnreleased() === '' && 'CHANGELOG.md has nothing under "## Unreleased"',
    !values['without-provenance'] && !repository && 'name the "repository" in package.json: provenance points to it',
    !values.image && 'name where the image goes: --image ghcr.io/owner/docent',
    !isDryRun && !succeeds('npm', ['whoami']) && 'log in to npm',
    !isDryRun && !succeeds('docker', ['buildx', 'version']) && 'install Docker with buildx',
  ]
  return problems.filter((problem) => problem !== false)
}

/** The version in the manifests that name it, the date in the changelog, a commit and a tag. */
function commitVersion() {
  const { version: current } = JSON.parse(read('package.json'))
  const date = new Date().toISOString().slice(0, 10)
  const setVersion = (text: string) => text.replaceAll(`"version": "${current}"`, `"version": "${version}"`)
  change('package.json', setVersion)
  change('package-lock.json', (text) => {
    const lock = JSON.parse(text)
    lock.version = version
    lock.packages[''].version = version
    return `${JSON.stringify(lock, null, 2)}\n`
  })
  for (const path of MANIFESTS) change(path, (text) => text.replace(/(image: \S+\/docent):\S+/, `$1:${version}`))
  change('CHANGELOG.md', (text) =>
    text.replace(FIRST_RELEASE_NOTE, '').replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${date})\n`),
  )
  run('git', ['commit', '--quiet', '--all', '--message', `release: ${version}`])
  run('git', ['tag', '--annotate', tag, '--message', `Docent ${version}\n\n${readUnreleased()}`], `tag ${tag}`)
}

function change(path: string, rewrite: (text: string) => string) {
  const before = read(path)
  const after = rewrite(before)
  if (before === after) return
  if (isDryRun) console.log(`would change ${path}`)
  else writeFileSync(join(ROOT, path), after)
}

/** Runtimes and client first, so that nobody installs a server whose parts are missing. */
function tarballs(): { path: string; name: string }[] {
  const files = readdirSync(PACKAGES).filter((file) => file.endsWith('.tgz'))
  const packages = files.map((file) => {
    const path = join(PACKAGES, file)
    const manifest = JSON.parse(execFileSync('tar', ['-xOf', path, 'package/package.json'], { encoding: 'utf8' }))
    if (!manifest.name.startsWith(SCOPE)) throw new Error(`${manifest.name} is not in the scope ${SCOPE}`)
    if (manifest.version !== version) throw new Error(`${manifest.name} is version ${manifest.version}, not ${version}`)
    return { path, name: manifest.name as string }
  })
  if (!packages.some(({ name }) => name === MAIN_PACKAGE)) throw new Error(`${MAIN_PACKAGE} was not built`)
  return packages.sort((a, b) => Number(a.name === MAIN_PACKAGE) - Number(b.name === MAIN_PACKAGE))
}

function publish({ path, name }: { path: string; name: string }) {
  if (succeeds('npm', ['view', `${name}@${version}`, 'version'])) console.log(`${name}@${version} is published already`)
  else run('npm', publishArguments(relative(ROOT, path)))
}

function publishArguments(tarball: string): string[] {
  const provenance = values['without-provenance'] ? [] : ['--provenance']
  return ['publish', tarball, '--access', 'public', ...provenance, '--tag', isPrerelease ? 'next' : 'latest']
}

function pushImage() {
  const image = values.image ?? '<image>'
  const tags = [version, ...(isPrerelease ? [] : ['latest'])].flatMap((name) => ['--tag', `${image}:${name}`])
  const attestationFlags = ['--provenance=mode=max', '--sbom=true']
  const platforms = ['--platform', 'linux/amd64,linux/arm64']
  run('docker', [
    'buildx',
    'build',
    '--file',
    'deploy/Dockerfile',
    ...platforms,
    ...attestationFlags,
    ...tags,
    '--push',
    '.',
  ])
}

/** What stands under "Unreleased", or under this version once it is dated. */
function readUnreleased(): string {
  const [, ...sections] = read('CHANGELOG.md').split(/^## /m)
  const section =
    sections.find((text) => text.startsWith(`${version} (`)) ?? sections.find((text) => /^Unreleased\n/.test(text))
  return section?.slice(section.indexOf('\n')).trim() ?? ''
}

/** A prerelease comes before its release. */
function isOlder(newVersion: string, current: string): boolean {
  const order = newVersion.split('-')[0]?.localeCompare(current.split('-')[0] ?? '', 'en', { numeric: true }) ?? 0
  return order < 0 || (order === 0 && newVersion.includes('-') && !current.includes('-'))
}

function run(program: string, args: string[], label = `${program} ${args.join(' ')}`) {
  console.log(isDryRun ? `would run: ${label}` : label)
  if (!isDryRun) execFileSync(program, args, { cwd: ROOT, stdio: 'inherit' })
}

function succeeds(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { cwd: ROOT, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
}

function read(path: string): string {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : ''
}
