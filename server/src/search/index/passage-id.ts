// A passage's id in the index: its document id and position. Document ids contain no "#".
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
