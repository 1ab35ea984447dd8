// Uploads a file, or a folder with its subfolders, one file at a time.
import { openAsBlob, readdirSync, statSync } from 'node:fs'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { DocentError, type UploadReport } from '@docent/sdk'
import type { Terminal } from '../command.ts'
import type { Server } from '../server.ts'

const READABLE = [
  ...['.pdf', '.docx', '.xlsx', '.pptx', '.odt', '.html', '.htm'],
  ...['.md', '.markdown', '.txt', '.csv', '.tsv'],
]
const EXPORTS = ['.zip', '.json']

export async function importFiles(
  server: Server,
  terminal: Terminal,
  place: string,
  pagesAt: string | undefined,
  isOneOfSeveral: boolean,
) {
  const isFolder = statSync(place).isDirectory()
  const all = isFolder ? filesIn(place) : [place]
  const paths = isFolder ? all.filter((path) => READABLE.includes(extensionOf(path))) : all
  const leftOut = all
    .filter((path) => !paths.includes(path))
    .map((path) => ({ name: relative(place, path), message: whyLeftOut(extensionOf(path)) }))
  if (paths.length === 0) throw new Error(`No supported files in ${place} (${READABLE.join(', ')}).`)
  const total = { created: 0, updated: 0, unchanged: 0 }
  const errors: { name: string; message: string }[] = []
  const bar = terminal.progress()
  for (const [index, path] of paths.entries()) {
    // The folder's name distinguishes files of the same name.
    const folder = isOneOfSeveral ? [basename(resolve(place))] : []
    const inside = isFolder ? join(...folder, relative(place, path)) : basename(path)
    bar.show(index, paths.length, inside)
    const report = await upload(server, path, inside, pagesAt).catch((error: unknown) => {
      // A rejected file does not stop the others; any other error does.
      if (error instanceof DocentError && error.status === 413) return refusedReport(error.message)
      throw error
    })
    for (const outcome of ['created', 'updated', 'unchanged'] as const) total[outcome] += report[outcome]
    errors.push(...report.errors.map(({ message }) => ({ name: inside, message })))
  }
  bar.end()
  terminal.say(
    `${place}: ${total.created} added, ${total.updated} updated, ${total.unchanged} unchanged, ${errors.length} failed`,
  )
  for (const { name, message } of errors) terminal.say(`  ${name}: ${message}`)
  if (leftOut.length > 0) terminal.say(`  ${leftOut.length} left out:`)
  for (const { name, message } of leftOut) terminal.say(`    ${name}: ${message}`)
  return { place, ...total, failed: errors.length, errors, left_out: leftOut }
}

function whyLeftOut(extension: string): string {
  if (EXPORTS.includes(extension)) return 'to import an export, name its file'
  return extension === '' ? 'a file without an extension' : `${extension} files are not supported`
}

function extensionOf(path: string): string {
  return extname(path).toLowerCase()
}

function refusedReport(message: string): UploadReport {
  return { created: 0, updated: 0, unchanged: 0, failed: 1, errors: [{ index: 0, name: '', message }], files: [] }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesIn(path)
      return entry.isFile() ? [path] : []
    })
    .toSorted()
}

async function upload({ client, botId }: Server, path: string, inside: string, pagesAt: string | undefined) {
  const form = new FormData()
  const parts = inside.split(sep)
  if (pagesAt) form.append('url', `${pagesAt.replace(/\/+$/, '')}/${parts.map(encodeURIComponent).join('/')}`)
  // The path distinguishes files of the same name.
  form.append('file', await openAsBlob(path), parts.join(' › '))
  return client.uploadFiles(botId, form)
}
