// Nodes are made one by one, never from markup: what comes from outside can only become text.

type Child = Node | string | false | null | undefined
type Listener = (event: Event) => void
type Attributes = Record<string, string | number | boolean | Listener | null | undefined>

/** Functions listen to the event of their name, true sets an empty attribute, null and false set none. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value)
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? '' : String(value))
  }
  append(node, ...children)
  return node
}

export function append(node: Element, ...children: Child[]) {
  node.append(...children.filter((child): child is Node | string => Boolean(child)))
}

/** Puts these in the place of all children. */
export function fill(node: Element, ...children: Child[]) {
  node.replaceChildren()
  append(node, ...children)
}
