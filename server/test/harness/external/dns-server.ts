// A real DNS server on loopback whose answers a test can change between two queries.
import { createSocket } from 'node:dgram'
import { isIPv4, isIPv6 } from 'node:net'
import { onTestFinished } from 'vitest'

const A = 1
const AAAA = 28

export interface DnsServer {
  address: string
  /** Names queried so far. */
  queriedNames: string[]
  /** Addresses by name: one list for each query in turn; the last one is repeated. */
  addresses: Map<string, string[][]>
}

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const addresses = new Map<string, string[][]>()
  const queriedNames: string[] = []
  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question)
    queriedNames.push(name)
    const lists = addresses.get(name)
    // Clients query A and AAAA together; only the A query moves on to the next list.
    const current = (type === A && lists && lists.length > 1 ? lists.shift() : lists?.[0]) ?? []
    const addressesOfType = current.filter(type === AAAA ? isIPv6 : isIPv4)
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(lists ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(addressesOfType.length, 6)
    header.fill(0, 8)
    socket.send(
      Buffer.concat([header, question.subarray(12, end), ...addressesOfType.map((a) => record(a, type))]),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  onTestFinished(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, queriedNames, addresses }
}

function readQuestion(message: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function record(address: string, type: number): Buffer {
  const data = type === A ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function ipv6Bytes(address: string): Buffer {
  const [leftHalf = '', rightHalf] = address.split('::')
  const parts = (text: string) => (text ? text.split(':') : [])
  const gap = rightHalf === undefined ? 0 : 8 - parts(leftHalf).length - parts(rightHalf).length
  const groups = [...parts(leftHalf), ...Array<string>(gap).fill('0'), ...parts(rightHalf ?? '')]
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]))
}
