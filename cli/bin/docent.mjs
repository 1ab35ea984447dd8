#!/usr/bin/env node
// The `docent` command. Plain JavaScript, because it starts on Node 20 or later and hands over to the Node that
// Docent needs. `serve` is handled here, because it chooses how that Node is started; the other commands are in src/.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findNode } from '../../scripts/find-node.mjs'
import { limitMemory } from '../../scripts/limit-memory.mjs'

const USAGE = `docent serve [options]

Starts the server. Every setting is an environment variable, or a line of .env in the working directory
(docs/guides/running.md); these options override both.

  --port <number>      port to listen on (PORT, default 8080)
  --host <address>     address to listen on (HOST, default 0.0.0.0)
  --data-dir <folder>  the embedded database and generated secrets (DATA_DIR, default ./data)
  --base-url <url>     the public address (BASE_URL)
`

const root = fileURLToPath(new URL('../..', import.meta.url))
// JavaScript in the package, TypeScript in a clone.
const extension = existsSync(`${root}server/src/main.js`) ? 'js' : 'ts'
const [command, ...given] = process.argv.slice(2)

if (command === 'serve') serve(given)
else run(`${root}cli/src/main.${extension}`, process.argv.slice(2))

function serve(given) {
  const { help, ...settings } = readOptions(given)
  if (help) return process.stdout.write(USAGE)
  for (const [name, value] of Object.entries(settings)) process.env[name.replace('-', '_').toUpperCase()] = value
  limitMemory()
  run(`${root}server/src/main.${extension}`, [])
}

function readOptions(args) {
  const text = { type: 'string' }
  const options = { port: text, host: text, 'data-dir': text, 'base-url': text, help: { type: 'boolean', short: 'h' } }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}

/** Runs in this process if it is the right Node already, so that a service is one process. */
function run(file, given) {
  stopWithNpm()
  const node = findNode(packagedNode())
  if (node === process.execPath) {
    process.argv.splice(1, Number.POSITIVE_INFINITY, file, ...given)
    return import(file)
  }
  const child = spawn(node, [file, ...given], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}

/**
 * npm and npx run commands in a shell and send SIGTERM only to that shell: it exits, and we would run on unsupervised.
 */
function stopWithNpm() {
  const parent = process.ppid
  if (!process.env.npm_execpath || parent === 1) return
  const look = () => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }
  const timer = setInterval(look, 300)
  timer.unref()
}

/** From the runtime package for this platform; in a clone, the one that npm installed. */
function packagedNode() {
  try {
    return createRequire(import.meta.url).resolve(`@docent/runtime-${process.platform}-${process.arch}/node/bin/node`)
  } catch {
    return `${root}node_modules/.bin/node`
  }
}
