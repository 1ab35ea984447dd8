// Once per test run: one PostgreSQL, in which each test server creates its own database, and one parent folder for all
// data folders.
import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { createDataFolder, createTemplate } from './databases.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    dataFolder: string
  }
}

export async function setup(project: TestProject) {
  const { url, stop } = await startPostgres()
  const dropTemplate = await createTemplate(url)
  const dataFolder = await createDataFolder()
  project.provide('postgresUrl', url)
  project.provide('dataFolder', dataFolder)
  return async () => {
    rmSync(dataFolder, { recursive: true, force: true })
    await dropTemplate()
    await stop()
  }
}
