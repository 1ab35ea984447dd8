// npm start: installs what serving needs, builds changed pages, then starts the server.
import { buildPages } from './build.mjs'
import { installMissing, runInPlace } from './dependencies.mjs'
import { limitMemory } from './limit-memory.mjs'

installMissing('serving')
buildPages()
limitMemory()
runInPlace('node', ['server/src/main.ts', ...process.argv.slice(2)])
