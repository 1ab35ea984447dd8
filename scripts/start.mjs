// npm start: installs what serving needs, then starts the server.
import { installMissing, runInPlace } from './dependencies.mjs'

installMissing('serving')
runInPlace('node', ['server/src/main.ts', ...process.argv.slice(2)])
