// What a caller or a page states about a conversation: a flat object, stored as JSON.
import { Fault, METADATA_LIMIT_BYTES } from '@docent/contract'

export function storedMetadata(metadata: object | undefined): string | null {
  const json = metadata ? JSON.stringify(metadata) : null
  if (json && Buffer.byteLength(json) > METADATA_LIMIT_BYTES) {
    const details = [{ path: 'metadata', message: `Use at most ${METADATA_LIMIT_BYTES} bytes of JSON.` }]
    throw new Fault('validation_failed', { details })
  }
  return json
}
