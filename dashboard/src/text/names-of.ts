/** The names of a type of the contract, of which only types are imported: one that is missing does not compile. */
export function namesOf<Name extends string>(names: Record<Name, true>): Name[] {
  return Object.keys(names) as Name[]
}
