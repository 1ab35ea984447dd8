/** Applies the draft's changed fields to the current values. */
export function rebaseDraft<Draft extends object>({ base, draft }: { base: Draft; draft: Draft }, now: Draft): Draft {
  const isTouched = (field: keyof Draft) => JSON.stringify(draft[field]) !== JSON.stringify(base[field])
  const touchedFields = (Object.keys(draft) as (keyof Draft)[]).filter(isTouched)
  return { ...now, ...Object.fromEntries(touchedFields.map((field) => [field, draft[field]])) }
}
