// Creates nodes individually instead of from markup, so that foreign text cannot become HTML.

type Child = Node | string | false | null | undefined
type Listener = (event: Event) => void
type Attributes = Record<string, string | number | boolean | Listener | null | undefined>

/** Functions become event listeners, `true` an empty attribute; null and false are left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return build(document.createElement(tag), attributes, children)
}

export function svgElement(tag: string, attributes: Attributes, ...children: Child[]): Element {
  return build(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

function build<Node extends Element>(node: Node, attributes: Attributes, children: Child[]): Node {
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

/** Replaces all children. */
export function fill(node: Element, ...children: Child[]) {
  node.replaceChildren()
  append(node, ...children)
}
