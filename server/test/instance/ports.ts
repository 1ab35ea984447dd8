// Checks whether a port is closed, and opens servers on free ports.
import { connect, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import type { StartedProcess } from '../harness/start-process.ts'

export function isRefused(port: StartedProcess['port']): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(true))
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })
}

export async function listenOnFreePort(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return server
}
