// The vectors of one document as bytes: one small integer per dimension and a scale, for every passage.
import { quantise } from './quantise.ts'

//   dimensions u32 | passages u32 | further vectors of each passage u32 … | scales f32 … | codes i8 …
// Earlier versions stored sentence vectors after each passage's; they are skipped.

export function encodeVectors(vectors: readonly Float32Array[]): Uint8Array {
  const dimensions = vectors[0]?.length ?? 0
  const headBytes = 8 + vectors.length * 4
  const bytes = new Uint8Array(headBytes + vectors.length * (4 + dimensions))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, dimensions, true)
  view.setUint32(4, vectors.length, true)
  const codes = new Int8Array(bytes.buffer, headBytes + vectors.length * 4)
  for (const [index, vector] of vectors.entries()) {
    view.setFloat32(headBytes + index * 4, quantise(vector, codes, index * dimensions), true)
  }
  return bytes
}

export function decodeVectors(bytes: Uint8Array): Float32Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const dimensions = view.getUint32(0, true)
  const further = Array.from({ length: view.getUint32(4, true) }, (_, index) => view.getUint32(8 + index * 4, true))
  const total = further.reduce((sum, count) => sum + count + 1, 0)
  const scalesAt = 8 + further.length * 4
  const codes = new Int8Array(bytes.buffer, bytes.byteOffset + scalesAt + total * 4)
  let next = 0
  return further.map((count) => {
    const scale = view.getFloat32(scalesAt + next * 4, true)
    const own = codes.subarray(next * dimensions, (next + 1) * dimensions)
    next += 1 + count
    // Not `from` with a function, which takes ten times as long.
    const vector = new Float32Array(dimensions)
    for (let at = 0; at < dimensions; at++) vector[at] = own[at]! * scale
    return vector
  })
}
