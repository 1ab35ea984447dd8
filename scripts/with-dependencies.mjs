// Installs what is missing, then runs a command of node_modules/.bin.
import { installMissing, runInPlace } from './dependencies.mjs'

const [command, ...given] = process.argv.slice(2)
installMissing('all')
runInPlace(command, given)
