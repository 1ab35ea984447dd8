import { texts } from './action-texts.ts'
import { pathBelow } from './render-answer.ts'

interface Props {
  value: unknown
  /** Null if templates cannot name it. */
  path: string | null
  name?: string | number
  onPick: (path: string) => void
}

/** JSON in which every field that holds a plain value is a button. */
export function JsonTree({ value, path, name, onPick }: Props) {
  if (typeof value === 'object' && value !== null) {
    const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
    const list = (
      <ul>
        {entries.map(([step, below]) => (
          <li key={step}>
            <JsonTree value={below} path={path && pathBelow(path, step)} name={step} onPick={onPick} />
          </li>
        ))}
      </ul>
    )
    return name === undefined ? (
      list
    ) : (
      <>
        <span className="json-name">{name}</span>
        {entries.length > 0 ? list : <span className="quiet">{Array.isArray(value) ? ' []' : ' {}'}</span>}
      </>
    )
  }
  const json = JSON.stringify(value)
  const field = (
    <>
      {name !== undefined && <span className="json-name">{name}: </span>}
      <span className="json-value">{json}</span>
    </>
  )
  if (!path || value === null) return field
  const placeholder = `{{${path}}}`
  const visibleText = name === undefined ? json : `${name}: ${json}`
  return (
    <button
      type="button"
      title={placeholder}
      aria-label={`${visibleText}, ${texts.insertName(placeholder)}`}
      onClick={() => onPick(path)}
    >
      {field}
    </button>
  )
}
