// npm start: installs what serving needs, builds the pages that changed, then starts the server.
import { buildPages } from './build.mjs'
import { installMissing, runInPlace } from './dependencies.mjs'

installMissing('serving')
buildPages()
// A small young generation: some 20 MB less for a process that waits most of the time; docs/guides/running.md tells
// what it costs under load.
runInPlace('node', ['--max-semi-space-size=2', 'server/src/main.ts', ...process.argv.slice(2)])
