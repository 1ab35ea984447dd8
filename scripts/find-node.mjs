// Finds the Node that runs Docent: the bundled one, else the system's if it is new enough. Plain JavaScript,
// because an older Node may run this.
import { spawnSync } from 'node:child_process'

const LEAST_MAJOR = 24
const LEAST_SQLITE = '3.51.3'

export function findNode(pinned) {
  if (runs(pinned)) return pinned
  const missing = `npm has no ready-made Node that runs on this ${process.platform} ${process.arch}`
  if (Number(process.versions.node.split('.')[0]) < LEAST_MAJOR) {
    console.error(
      `Docent runs on Node ${LEAST_MAJOR} or later. ${missing}, ` +
        `and this machine's is ${process.version}: please install a newer one from nodejs.org.`,
    )
    process.exit(1)
  }
  console.error(`${missing}, so Docent runs on this machine's own, ${process.version}.`)
  const sqlite = process.versions.sqlite ?? 'none'
  if (sqlite.localeCompare(LEAST_SQLITE, 'en', { numeric: true }) < 0 || sqlite === 'none') {
    console.error(
      `The embedded database needs SQLite ${LEAST_SQLITE} or later, and that Node carries ${sqlite}: ` +
        'please install a newer one from nodejs.org, or set DATABASE_URL to use PostgreSQL.',
    )
  }
  return process.execPath
}

function runs(node) {
  return spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0
}
