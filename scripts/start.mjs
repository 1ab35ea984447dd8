// npm start: installs what serving needs, builds the pages that changed, then starts the server.
import { buildPages } from './build.mjs'
import { installMissing, runInPlace } from './dependencies.mjs'

installMissing('serving')
buildPages()
// The C library keeps a pool of freed memory for each thread, and larger and larger blocks in it. Two pools without the
// large blocks save some 150 MB after large files.
process.env.MALLOC_ARENA_MAX ??= '2'
process.env.MALLOC_MMAP_THRESHOLD_ ??= '131072'
process.env.MALLOC_TRIM_THRESHOLD_ ??= '131072'
runInPlace('node', ['server/src/main.ts', ...process.argv.slice(2)])
