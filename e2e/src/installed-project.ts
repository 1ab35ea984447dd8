// The packages as users get them: built, packed, and installed by npm into an empty project.
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMemoryFolder } from '../../server/test/harness/database/memory-folder.ts'
import { WAIT_TIMEOUT_MS } from '../../server/test/harness/wait.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const execute = promisify(execFile)
// Without the programs of this repository.
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

const environment = { PATH, HOME: process.env.HOME }

export interface InstalledProject {
  /** Runs a program in the project with the system's Node. */
  run(command: string, ...args: string[]): Promise<string>
  read(path: string): string
  has(path: string): boolean
  write(path: string, text: string): void
  typeCheck(compilerOptions: Record<string, string>): Promise<string>
  bundle(entry: string): Promise<string>
  /** Runs `npx docent serve` and waits until it responds. */
  serve(): Promise<{ baseUrl: string; key: string; stop(): Promise<number | null> }>
  remove(): void
}

export async function installProject(): Promise<InstalledProject> {
  const place = createMemoryFolder('docent-packages-', { runs: true })
  const [packages, folder] = [join(place, 'packages'), join(place, 'project')]
  await execute(process.execPath, [join(ROOT, 'scripts/build-packages.ts'), '--loose', '--out-dir', packages])
  const tarballs = readdirSync(packages).filter((name) => /\.(tgz|tar)$/.test(name))
  const dependencies = tarballs.map((name) => [
    name.replace(/-\d.*$/, '').replace(/^docent-/, '@docent/'),
    `file:${join(packages, name)}`,
  ])
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write(
    'package.json',
    JSON.stringify({ private: true, type: 'module', dependencies: Object.fromEntries(dependencies) }),
  )
  const run: InstalledProject['run'] = async (command, ...args) => {
    const { stdout } = await execute(command, args, { cwd: folder, env: environment })
    return stdout
  }
  await run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--silent')
  // React is provided by the page.
  for (const name of ['react', 'react-dom', 'scheduler', 'csstype', '@types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))

  return {
    run,
    write,
    has: (path) => existsSync(join(folder, path)),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    async typeCheck(compilerOptions) {
      const options = { ...compilerOptions, strict: true, noEmit: true, target: 'es2022', types: [] }
      write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
      const failed = (error: { stdout: string }) => error
      return (await execute(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch(failed)).stdout
    },
    async bundle(entry) {
      const { rolldown } = await import('rolldown')
      const transform = { define: { 'process.env.NODE_ENV': '"production"' } }
      const bundle = await rolldown({ input: join(folder, entry), platform: 'browser', transform, logLevel: 'silent' })
      const { output } = await bundle.generate({ format: 'esm' })
      await bundle.close()
      return output[0].code
    },
    async serve() {
      const args = ['docent', 'serve', '--host', '127.0.0.1', '--port', '0', '--data-dir', 'data']
      const env = { ...environment, EMBEDDINGS: 'off' }
      const child = spawn('npx', args, { cwd: folder, env, detached: true })
      const exitCode = new Promise<number | null>((resolve) => child.on('close', resolve))
      const baseUrl = await new Promise<string>((resolve, reject) => {
        let output = ''
        const onOutput = (chunk: Buffer) => {
          output += chunk
          const port = /running at http:\/\/localhost:(\d+)/.exec(output)?.[1]
          if (port) resolve(`http://127.0.0.1:${port}`)
        }
        child.stdout.on('data', onOutput)
        child.stderr.on('data', onOutput)
        exitCode.then((code) => reject(new Error(`docent serve ended with exit code ${code}\n${output}`)))
      })
      // `exited` waits for the server too, because it shares the output of npx.
      const stop = async () => {
        child.kill('SIGTERM')
        const killGroup = () => child.pid && process.kill(-child.pid, 'SIGKILL')
        const lastResort = setTimeout(killGroup, WAIT_TIMEOUT_MS)
        return exitCode.finally(() => clearTimeout(lastResort))
      }
      return { baseUrl, stop, key: readFileSync(join(folder, 'data/demo-key'), 'utf8').trim() }
    },
    remove: () => rmSync(place, { recursive: true, force: true }),
  }
}
