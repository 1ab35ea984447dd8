// npm run release in a repository of its own, with stand-ins for npm and Docker that record their calls.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const RELEASE = new URL('../../../scripts/release.ts', import.meta.url)
const IMAGE = ['--image', 'registry.test/docent']

/** `publish-fails` names a package that cannot be published; `published` lists those that are. */
const NPM = `#!/bin/sh
echo "npm $*" >> "$CALLS"
case "$1" in
  view) grep -qx "$2" published ;;
  publish) ! grep -qs "$2" publish-fails ;;
  run)
    for name in docent sdk runtime-linux-x64; do
      mkdir -p pack/package && echo "{\\"name\\": \\"@docent/$name\\", \\"version\\": \\"$VERSION\\"}" > pack/package/package.json
      mkdir -p dist/packages && tar -czf "dist/packages/docent-$name-$VERSION.tgz" -C pack package
    done ;;
esac
`

test('a dry run tells every step and what is missing, and changes nothing', () => {
  const { release, calls, git, read } = repository({ url: null })
  const before = read('CHANGELOG.md')
  const { status, stdout, stderr } = release('0.2.0', '--dry-run')
  expect(status).toBe(0)
  expect(stderr).toContain('name the "repository" in package.json')
  expect(stderr).toContain('--image')
  for (const path of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'deploy/kubernetes/web.yaml'])
    expect(stdout).toContain(`would change ${path}`)
  expect(stdout).toMatch(/npm publish <tarball> --access public --provenance --tag latest/)
  expect(stdout).toMatch(/would run: docker buildx build .*--tag <image>:0\.2\.0 --tag <image>:latest --push/)
  expect(calls()).toEqual([])
  expect([git('status', '--porcelain'), git('tag'), read('CHANGELOG.md')]).toEqual(['', '', before])
})

test('a release dates the changelog, tags the version, and publishes the server after what it depends on', () => {
  const { release, calls, git, read } = repository()
  const { status, stderr } = release('0.2.0', ...IMAGE)
  expect([status, stderr]).toEqual([0, ''])
  expect(read('CHANGELOG.md')).toMatch(/## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- A feature\./)
  expect(JSON.parse(read('package.json')).version).toBe('0.2.0')
  expect(JSON.parse(read('package-lock.json')).packages[''].version).toBe('0.2.0')
  expect(read('deploy/kubernetes/worker.yaml')).toContain('docent:0.2.0')
  expect([git('status', '--porcelain'), git('tag', '--points-at', 'HEAD')]).toEqual(['', 'v0.2.0'])
  const publishCalls = calls().filter((call) => call.startsWith('npm publish'))
  expect(publishCalls).toHaveLength(3)
  expect(publishCalls.at(-1)).toBe(
    'npm publish dist/packages/docent-docent-0.2.0.tgz --access public --provenance --tag latest',
  )
  expect(calls().at(-1)).toMatch(/^docker buildx build .*--tag registry\.test\/docent:0\.2\.0 .*--push \.$/)
  expect(git('ls-remote', 'origin', 'refs/tags/v0.2.0')).not.toBe('')
})

test('a prerelease does not become the version that people get by default', () => {
  const { release, calls } = repository()
  expect(release('0.2.0-beta.1', ...IMAGE).status).toBe(0)
  expect(calls().find((call) => call.startsWith('npm publish'))).toContain('--tag next')
  expect(calls().at(-1)).not.toContain(':latest')
})

test('a release that failed half-way continues when it is run again, without publishing twice', () => {
  const { release, calls, git, write } = repository()
  write('publish-fails', 'dist/packages/docent-docent-0.2.0.tgz\n')
  const result = release('0.2.0', ...IMAGE)
  expect(result.status).toBe(1)
  expect(result.stderr).toContain('Run the same command again')
  expect(calls().some((call) => call.startsWith('docker buildx build'))).toBe(false)
  write('publish-fails', '')
  write('published', '@docent/sdk@0.2.0\n@docent/runtime-linux-x64@0.2.0\n')
  const before = calls().length
  expect(release('0.2.0', ...IMAGE).status).toBe(0)
  const secondCalls = calls().slice(before)
  expect(secondCalls.filter((call) => call.startsWith('npm publish'))).toHaveLength(1)
  expect(git('log', '--oneline').split('\n')).toHaveLength(2)
})

test.each([
  ['an older version', '0.0.9', 'older than 0.1.0'],
  ['no version', '', 'name the version'],
])('%s is refused before anything is changed', (_, version, reason) => {
  const { release, git, calls } = repository()
  const { status, stderr } = release(version, ...IMAGE)
  expect([status, git('tag')]).toEqual([1, ''])
  expect(stderr).toContain(reason)
  expect(calls().filter((call) => /publish|build/.test(call.replace('buildx version', '')))).toEqual([])
})

test('uncommitted changes are refused', () => {
  const { release, folder } = repository()
  appendFileSync(join(folder, 'CHANGELOG.md'), 'Half a sentence')
  expect(release('0.2.0', ...IMAGE)).toMatchObject({ status: 1, stderr: expect.stringContaining('working tree') })
})

function repository({ url = 'https://git.test/docent' }: { url?: string | null } = {}) {
  const place = mkdtempSync(join(tmpdir(), 'docent-release-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const [folder, calls] = [join(place, 'clone'), join(place, 'calls')]
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode })
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8', env }).trim()
  const env = {
    ...process.env,
    PATH: `${join(place, 'bin')}:${process.env.PATH}`,
    CALLS: calls,
    GIT_CONFIG_GLOBAL: join(place, 'gitconfig'),
  }
  writeFileSync(
    env.GIT_CONFIG_GLOBAL,
    '[user]\nname = Test\nemail = test@example.test\n[push]\nautoSetupRemote = true\n',
  )
  execFileSync('git', ['init', '--quiet', '--bare', join(place, 'remote')])
  write(
    'package.json',
    `${JSON.stringify({ name: 'docent', version: '0.1.0', type: 'module', repository: url }, null, 2)}\n`,
  )
  write('package-lock.json', JSON.stringify({ version: '0.1.0', packages: { '': { version: '0.1.0' } } }))
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- A feature.\n')
  write('.gitignore', 'dist\npack\npublished\npublish-fails\n')
  for (const role of ['web', 'worker'])
    write(`deploy/kubernetes/${role}.yaml`, 'image: registry.example/docent:0.1.0\n')
  mkdirSync(join(folder, 'scripts'))
  cpSync(RELEASE, join(folder, 'scripts/release.ts'))
  mkdirSync(join(place, 'bin'))
  writeFileSync(join(place, 'bin/npm'), NPM, { mode: 0o755 })
  writeFileSync(join(place, 'bin/docker'), '#!/bin/sh\necho "docker $*" >> "$CALLS"\n', { mode: 0o755 })
  write('published', '')
  git('init', '--quiet')
  git('remote', 'add', 'origin', join(place, 'remote'))
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Start')

  return {
    folder,
    git,
    write,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
    release: (version: string, ...args: string[]) =>
      spawnSync(process.execPath, ['scripts/release.ts', ...(version ? [version] : []), ...args], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...env, VERSION: version },
      }),
  }
}
