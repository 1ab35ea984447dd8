// The vectors of one document as bytes: 384 small integers and a scale each, for every passage and its sentences.
import type { PassageVectors } from '../index/entry.ts'
import { quantise } from './quantise.ts'

//   dimensions u32 | passages u32 | sentences of each passage u32 … | scales f32 … | codes i8 …

export function encodeVectors(passages: PassageVectors[]): Uint8Array {
  const all = passages.flatMap(({ passage, sentences }) => [passage, ...sentences])
  const dimensions = all[0]?.length ?? 0
  const headBytes = 8 + passages.length * 4
  const bytes = new Uint8Array(headBytes + all.length * (4 + dimensions))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, dimensions, true)
  view.setUint32(4, passages.length, true)
  for (const [index, { sentences }] of passages.entries()) view.setUint32(8 + index * 4, sentences.length, true)
  const codesAt = headBytes + all.length * 4
  const codes = new Int8Array(bytes.buffer, codesAt)
  for (const [index, vector] of all.entries()) {
    view.setFloat32(headBytes + index * 4, quantise(vector, codes, index * dimensions), true)
  }
  return bytes
}

export function decodeVectors(bytes: Uint8Array): PassageVectors[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const dimensions = view.getUint32(0, true)
  const counts = Array.from({ length: view.getUint32(4, true) }, (_, index) => view.getUint32(8 + index * 4, true))
  const total = counts.reduce((sum, count) => sum + count + 1, 0)
  const scalesAt = 8 + counts.length * 4
  const codes = new Int8Array(bytes.buffer, bytes.byteOffset + scalesAt + total * 4)
  let next = 0
  const take = () => {
    const scale = view.getFloat32(scalesAt + next * 4, true)
    const from = next++ * dimensions
    return Float32Array.from(codes.subarray(from, from + dimensions), (code) => code * scale)
  }
  return counts.map((count) => ({ passage: take(), sentences: Array.from({ length: count }, take) }))
}
