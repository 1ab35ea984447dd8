// Installs what is missing, then runs a command of node_modules/.bin: node scripts/with-dependencies.mjs <command> [arguments]
import { spawn } from 'node:child_process'
import { installMissing, nodePath, root } from './dependencies.mjs'

const [command, ...given] = process.argv.slice(2)
installMissing()
const program = command === 'node' ? nodePath() : `${root}node_modules/.bin/${command}`
const child = spawn(program, given, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` },
})
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
