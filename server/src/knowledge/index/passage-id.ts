// A passage's name in the index: its document and its place in it. Document ids hold no "#".
export interface PassageRef {
  documentId: string
  ordinal: number
}

export function passageId({ documentId, ordinal }: PassageRef): string {
  return `${documentId}#${ordinal}`
}

export function passageRef(id: string): PassageRef {
  const cut = id.lastIndexOf('#')
  return { documentId: id.slice(0, cut), ordinal: Number(id.slice(cut + 1)) }
}
