// Writes the files generated from the contract; --check writes nothing and fails when one has drifted.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '@docent/contract'
import { createConfig, lintFromString } from '@redocly/openapi-core'

const path = fileURLToPath(new URL('../docs/openapi.json', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const text = `${JSON.stringify(openApiDocument({ version, serverUrl: 'http://localhost:8080' }), null, 2)}\n`

const problems = await lintFromString({
  source: text,
  config: await createConfig({
    extends: ['recommended'],
    rules: { 'no-server-example.com': 'off', 'operation-4xx-response': 'off' },
  }),
})
for (const { message, location } of problems) console.error(`openapi: ${message} (${location[0]?.pointer ?? ''})`)
if (problems.length > 0) process.exit(1)

if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (readFileSync(path, 'utf8') !== text) {
  console.error('docs/openapi.json does not match the contract: run npm run generate')
  process.exit(1)
}
