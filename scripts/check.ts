// Everything that must hold before a change lands: format, lint, types, dead code, generated files, tests (of which
// one weighs the widget).
import { run } from './run.ts'

run('biome', 'check', '--error-on-warnings', '.')
run('tsc', '-p', '.')
run('knip')
run('node', 'scripts/generate.ts', '--check')
run('node', 'scripts/licences.ts', '--check')
run('node', 'scripts/test.ts', ...process.argv.slice(2))
