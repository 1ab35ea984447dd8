// Installs what is missing, builds changed pages if asked (--built), then runs a command of
// node_modules/.bin.
import { buildPages } from './build.mjs'
import { installMissing, runInPlace } from './dependencies.mjs'

const built = process.argv[2] === '--built'
const [command, ...given] = process.argv.slice(built ? 3 : 2)
installMissing('all')
if (built) buildPages()
runInPlace(command, given)
