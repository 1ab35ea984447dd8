/** The draft over what is there now: each field that was left as it was takes its new value. */
export function rebaseDraft<Draft extends object>({ base, draft }: { base: Draft; draft: Draft }, now: Draft): Draft {
  const isTouched = (field: keyof Draft) => JSON.stringify(draft[field]) !== JSON.stringify(base[field])
  const touched = (Object.keys(draft) as (keyof Draft)[]).filter(isTouched)
  return { ...now, ...Object.fromEntries(touched.map((field) => [field, draft[field]])) }
}
