// Everything a change must pass: format, lint, types, dead code, generated files, tests (one of which
// checks the widget's size).
import { run } from './run.ts'

run('biome', 'check', '--error-on-warnings', '.')
run('tsc', '-p', '.')
run('knip')
run('node', 'scripts/generate.ts', '--check')
run('node', 'scripts/licences.ts', '--check')
run('node', 'scripts/test.ts', ...process.argv.slice(2))
