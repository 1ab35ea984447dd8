// Once per test run: one PostgreSQL for all files; each test server makes a database of its own in it.
import type { TestProject } from 'vitest/node'
import { createTemplate } from './databases.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export async function setup(project: TestProject) {
  const { url, stop } = await startPostgres()
  const dropTemplate = await createTemplate(url)
  project.provide('postgresUrl', url)
  return async () => {
    await dropTemplate()
    await stop()
  }
}
